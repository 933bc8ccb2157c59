//===- BundleFunction.cpp - A function as a list of kernel steps ------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   func.func @f(%x: memref<?x8x64xbf16>, ..., %out: ... {bufferize.result}) {
//     %0 = memref.collapse_shape %x [[0, 1], [2]]
//     %p = memref.alloc() : memref<32x64xbf16>
//     call @f_online_0_pack(%w, %p)
//     call @f_online_0(%0, %w, %out, %p)        // ff.plan, ff.pack
// is one step whose operands are argument 0, argument 1, result 0; its packed
// buffer and the pack step are the plan's.
//
//===----------------------------------------------------------------------===//
#include "BundleFunction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::flashfusion;

/// The callee of `op` if it launches an ff.online.
static func::FuncOp launchFunction(func::CallOp call) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
  return callee && callee->hasAttr("ff.plan") ? callee : func::FuncOp();
}

bool flashfusion::usesFusedKernels(func::FuncOp func) {
  return func.isPublic() && !func.isExternal() &&
         func.walk([](func::CallOp call) {
               return launchFunction(call) ? WalkResult::interrupt() : WalkResult::advance();
             })
             .wasInterrupted();
}

namespace {
struct Reader {
  BundleFunction result;
  DenseMap<Value, BundleSource> sources;
  /// Pack calls whose launch has not been seen yet.
  SmallVector<func::CallOp> packs;

  LogicalResult read(func::FuncOp func);
  LogicalResult readSignature(func::FuncOp func);
  LogicalResult readOp(Operation *op);
  LogicalResult readCall(func::CallOp call);
  LogicalResult readConstant(memref::GetGlobalOp op);
  LogicalResult readOperands(func::CallOp call, BundleStep &step);
  LogicalResult writes(func::CallOp call, const BundleSource &source, int64_t step);
};
} // namespace

static LogicalResult outside(Operation *op) {
  return op->emitError() << "'" << op->getName()
                         << "' remains outside of fused kernels; a bundle holds fused kernels only";
}

static bool isContiguous(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return !memref || memref.getLayout().isIdentity();
}

LogicalResult Reader::readSignature(func::FuncOp func) {
  for (BlockArgument arg : func.getArguments()) {
    Type type = arg.getType();
    unsigned i = arg.getArgNumber();
    if (!isContiguous(type) || isa<TensorType, UnrankedMemRefType>(type))
      return emitError(func.getLoc()) << "argument " << i << " of '" << func.getSymName()
                                      << "', of type " << type << ", is not a contiguous buffer";
    bool isResult = static_cast<bool>(func.getArgAttr(i, "bufferize.result"));
    if (!isResult && !result.results.empty())
      return emitError(func.getLoc())
             << "'" << func.getSymName() << "' has an argument behind its out-parameters";
    auto &list = isResult ? result.results : result.arguments;
    sources[arg] = {isResult ? BundleSource::Kind::Result : BundleSource::Kind::Argument,
                    static_cast<int64_t>(list.size())};
    list.push_back(type);
  }
  result.resultWriter.assign(result.results.size(), -1);
  return success();
}

LogicalResult Reader::readConstant(memref::GetGlobalOp op) {
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(op, op.getNameAttr());
  auto value = global && global.getConstant() && global.getInitialValue()
                   ? dyn_cast<ElementsAttr>(*global.getInitialValue())
                   : ElementsAttr();
  if (!isa_and_nonnull<DenseElementsAttr, DenseResourceElementsAttr>(value))
    return op.emitError("reads a global whose value is not known at compile time");
  sources[op] = {BundleSource::Kind::Constant, static_cast<int64_t>(result.constants.size())};
  result.constants.push_back(value);
  return success();
}

/// Notes that `step` writes `source`; each is written once.
LogicalResult Reader::writes(func::CallOp call, const BundleSource &source, int64_t step) {
  if (source.kind != BundleSource::Kind::Result && source.kind != BundleSource::Kind::Intermediate)
    return call.emitError("a fused kernel writes to a buffer that is neither a result nor local");
  auto &writer =
      source.kind == BundleSource::Kind::Result ? result.resultWriter : result.intermediateWriter;
  if (writer[source.index] >= 0)
    return call.emitError("two fused kernels write one buffer");
  writer[source.index] = step;
  return success();
}

LogicalResult Reader::readOperands(func::CallOp call, BundleStep &step) {
  static constexpr StringLiteral roles[] = {"x",    "gain",    "shift",  "weight", "column",
                                            "tile", "x_scale", "scalar", "out"};
  int64_t number = result.steps.size();
  unsigned next = 0;
  for (auto [role, count] : llvm::zip_equal(roles, step.plan.segments)) {
    for (int32_t i = 0; i < count; ++i, ++next) {
      Value value = call.getOperand(next);
      auto found = sources.find(value);
      if (found == sources.end())
        return call.emitError() << "operand " << next << " of a fused kernel is no argument, "
                                << "result, constant or local buffer of the function";
      BundleSource source = found->second;
      if (role == "out") {
        if (failed(writes(call, source, number)))
          return failure();
      } else if ((source.kind == BundleSource::Kind::Intermediate &&
                  result.intermediateWriter[source.index] < 0) ||
                 (source.kind == BundleSource::Kind::Result &&
                  result.resultWriter[source.index] < 0)) {
        return call.emitError() << "operand " << next << " is read before it is written";
      }
      step.operands.push_back({role, source, value.getType()});
    }
  }
  return success();
}

LogicalResult Reader::readCall(func::CallOp call) {
  func::FuncOp launch = launchFunction(call);
  if (!launch) {
    // The pack step comes before its launch, with the packed buffers last.
    packs.push_back(call);
    return success();
  }
  auto attr = launch->getAttrOfType<DictionaryAttr>("ff.plan");
  FailureOr<LaunchPlan> plan = attr ? LaunchPlan::fromAttr(attr) : FailureOr<LaunchPlan>();
  if (failed(plan) || plan->variants.empty() || plan->segments.size() != 9)
    return emitError(launch.getLoc()) << "'" << launch.getSymName() << "' has a malformed ff.plan";
  unsigned operands = 0;
  for (int32_t count : plan->segments)
    operands += count;
  if (call.getNumOperands() != operands + plan->packed.size())
    return emitError(launch.getLoc())
           << "'" << launch.getSymName() << "' has an ff.plan for another number of operands";

  if (auto pack = launch->getAttrOfType<FlatSymbolRefAttr>("ff.pack")) {
    auto *last = llvm::find_if(packs, [&](func::CallOp c) {
      return c.getCalleeAttr() == pack &&
             llvm::equal(c.getOperands().take_back(plan->packed.size()),
                         call.getOperands().drop_front(operands));
    });
    if (last == packs.end())
      return call.emitError("runs on packed weights that no call of @")
             << pack.getValue() << " has filled";
    packs.erase(last);
  } else if (!plan->pack.empty()) {
    return emitError(launch.getLoc())
           << "'" << launch.getSymName() << "' has a pack step in its ff.plan but no ff.pack";
  }
  BundleStep step{launch.getSymName(), std::move(*plan), {}};
  if (failed(readOperands(call, step)))
    return failure();
  result.steps.push_back(std::move(step));
  return success();
}

LogicalResult Reader::readOp(Operation *op) {
  if (isa<memref::ExpandShapeOp, memref::CollapseShapeOp, memref::CastOp>(op)) {
    auto source = sources.find(op->getOperand(0));
    if (source == sources.end() || !isContiguous(op->getResult(0).getType()))
      return outside(op);
    BundleSource copy = source->second;
    sources[op->getResult(0)] = copy;
    return success();
  }
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](func::CallOp call) { return readCall(call); })
      .Case([&](memref::GetGlobalOp global) { return readConstant(global); })
      .Case([&](memref::AllocOp alloc) {
        if (!isContiguous(alloc.getType()))
          return outside(op);
        sources[alloc] = {BundleSource::Kind::Intermediate,
                          static_cast<int64_t>(result.intermediates.size())};
        result.intermediates.push_back(alloc.getType());
        result.intermediateWriter.push_back(-1);
        return success();
      })
      .Case<memref::DeallocOp, memref::DimOp>([](Operation *) { return success(); })
      // That extents agree, or are not negative: the runtime checks those of whatever a kernel
      // reads.
      .Case([&](cf::AssertOp check) {
        auto compare = check.getArg().getDefiningOp<arith::CmpIOp>();
        bool agree = compare && compare.getPredicate() == arith::CmpIPredicate::eq;
        bool isSize = compare && compare.getPredicate() == arith::CmpIPredicate::sge &&
                      matchPattern(compare.getRhs(), m_Zero());
        return agree || isSize ? success() : outside(op);
      })
      .Case([&](func::ReturnOp ret) { return ret.getNumOperands() ? outside(op) : success(); })
      .Case([&](arith::ConstantOp constant) {
        if (auto number = dyn_cast<FloatAttr>(constant.getValue());
            number && number.getValue().isFinite())
          sources[constant] = {BundleSource::Kind::Number, 0, number.getValueAsDouble()};
        return success();
      })
      .Default([&](Operation *) {
        // Arithmetic on sizes: the runtime knows them from the arguments.
        bool sizes = isMemoryEffectFree(op) && op->getNumRegions() == 0 &&
                     llvm::all_of(op->getResultTypes(), [](Type t) { return t.isIntOrIndex(); });
        return sizes ? success() : outside(op);
      });
}

/// Removes the intermediates that no step uses: packed buffers, mostly.
static void dropUnused(BundleFunction &f) {
  SmallVector<int64_t> renamed;
  int64_t kept = 0;
  for (auto [i, writer] : llvm::enumerate(f.intermediateWriter)) {
    renamed.push_back(kept);
    if (writer < 0)
      continue;
    f.intermediates[kept] = f.intermediates[i];
    f.intermediateWriter[kept++] = writer;
  }
  f.intermediates.resize(kept);
  f.intermediateWriter.resize(kept);
  for (BundleStep &step : f.steps)
    for (BundleOperand &operand : step.operands)
      if (operand.source.kind == BundleSource::Kind::Intermediate)
        operand.source.index = renamed[operand.source.index];
}

LogicalResult Reader::read(func::FuncOp func) {
  result.func = func;
  if (!func.getBody().hasOneBlock())
    return emitError(func.getLoc())
           << "'" << func.getSymName() << "' has control flow outside of fused kernels";
  if (failed(readSignature(func)))
    return failure();
  for (Operation &op : func.front())
    if (failed(readOp(&op)))
      return failure();
  if (!packs.empty())
    return outside(packs.front());
  for (auto [i, writer] : llvm::enumerate(result.resultWriter))
    if (writer < 0)
      return emitError(func.getLoc()) << "result " << i << " of '" << func.getSymName()
                                      << "' is not written by a fused kernel";
  dropUnused(result);
  return success();
}

FailureOr<BundleFunction> flashfusion::readBundleFunction(func::FuncOp func) {
  Reader reader;
  if (failed(reader.read(func)))
    return failure();
  return std::move(reader.result);
}
