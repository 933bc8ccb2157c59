//===- HostObject.cpp - Programs for the host, as files --------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HostObject.h"

#include "../ff-run/HostTensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;

/// {"type": "bf16", "shape": [-1, 4096]}; no shape for a scalar. Null if it has no array.
static llvm::json::Value describe(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  Type element = tensor ? tensor.getElementType() : type;
  auto known = ffrun::elementOf(element);
  if (!known || (isa<ShapedType>(type) && !tensor))
    return nullptr;
  llvm::json::Object described{{"type", ffrun::nameOf(*known)}};
  if (tensor) {
    llvm::json::Array shape;
    for (int64_t extent : tensor.getShape())
      shape.push_back(ShapedType::isDynamic(extent) ? -1 : extent);
    described["shape"] = std::move(shape);
  }
  return described;
}

/// Adds `void ff_<name>(ptr values)`: every function with a C interface, callable through one
/// signature. values[i] points to parameter i of the C interface (a descriptor, the struct of the
/// results, or a scalar's value), the last one to a scalar result.
static void addCallers(llvm::Module &code) {
  constexpr StringLiteral prefix = "_mlir_ciface_";
  SmallVector<llvm::Function *> interfaces;
  for (llvm::Function &function : code)
    if (!function.isDeclaration() && function.getName().starts_with(prefix))
      interfaces.push_back(&function);
  llvm::LLVMContext &context = code.getContext();
  auto *pointer = llvm::PointerType::getUnqual(context);
  auto *signature = llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer}, false);
  for (llvm::Function *callee : interfaces) {
    auto *caller =
        llvm::Function::Create(signature, llvm::Function::ExternalLinkage,
                               "ff_" + callee->getName().drop_front(prefix.size()), code);
    llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "", caller));
    auto valueAt = [&](unsigned i) {
      llvm::Value *slot = b.CreateConstInBoundsGEP1_32(pointer, caller->getArg(0), i);
      return b.CreateLoad(pointer, slot);
    };
    SmallVector<llvm::Value *> operands;
    for (llvm::Argument &parameter : callee->args()) {
      llvm::Value *value = valueAt(parameter.getArgNo());
      bool isPointer = parameter.getType()->isPointerTy();
      operands.push_back(isPointer ? value : b.CreateLoad(parameter.getType(), value));
    }
    llvm::Value *result = b.CreateCall(callee, operands);
    if (!result->getType()->isVoidTy())
      b.CreateStore(result, valueAt(callee->arg_size()));
    b.CreateRetVoid();
  }
}

FailureOr<llvm::json::Array> ffcompile::describeFunctions(ModuleOp module) {
  llvm::json::Array functions;
  for (auto func : module.getOps<func::FuncOp>()) {
    if (func.isExternal() || !func.isPublic())
      continue;
    auto describeAll = [&](TypeRange types, StringRef what, llvm::json::Array &out) {
      for (auto [i, type] : llvm::enumerate(types)) {
        llvm::json::Value described = describe(type);
        if (described.kind() == llvm::json::Value::Null)
          return LogicalResult(func.emitError()
                               << what << " " << i << " has a type that no array has: " << type);
        out.push_back(std::move(described));
      }
      return success();
    };
    llvm::json::Array arguments, results;
    if (failed(describeAll(func.getArgumentTypes(), "argument", arguments)) ||
        failed(describeAll(func.getResultTypes(), "result", results)))
      return failure();
    functions.push_back(llvm::json::Object{{"name", func.getName()},
                                           {"arguments", std::move(arguments)},
                                           {"results", std::move(results)}});
  }
  if (functions.empty())
    return LogicalResult(module.emitError("there is no public function with a body"));
  return functions;
}

LogicalResult ffcompile::writeHostProgram(ModuleOp module, llvm::json::Array functions,
                                          llvm::raw_ostream &os) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto fail = [&](llvm::Error error) {
    return LogicalResult(module.emitError(llvm::toString(std::move(error))));
  };
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return fail(builder.takeError());
  builder->setRelocationModel(llvm::Reloc::PIC_);
  builder->setCodeGenOptLevel(llvm::CodeGenOptLevel::Default);
  auto machine = builder->createTargetMachine();
  if (!machine)
    return fail(machine.takeError());

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> code = translateModuleToLLVMIR(module, context);
  if (!code)
    return failure();
  addCallers(*code);
  ExecutionEngine::setupTargetTripleAndDataLayout(code.get(), machine->get());
  if (llvm::Error error = makeOptimizingTransformer(2, 0, machine->get())(code.get()))
    return fail(std::move(error));
  SmallVector<char, 0> object;
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager codegen;
  if ((*machine)->addPassesToEmitFile(codegen, stream, nullptr, llvm::CodeGenFileType::ObjectFile))
    return module.emitError("this host has no object files");
  codegen.run(*code);

  os << llvm::json::Value(llvm::json::Object{{"format", "flashfusion-host"},
                                             {"version", 1},
                                             {"cpu", (*machine)->getTargetCPU()},
                                             {"functions", std::move(functions)}})
     << "\n";
  os.write(object.data(), object.size());
  return success();
}
