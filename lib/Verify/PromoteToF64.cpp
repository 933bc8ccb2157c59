//===- PromoteToF64.cpp - A program in f64 arithmetic ----------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   func.func @f(%x: tensor<4xbf16>) -> tensor<4xbf16> {
//     %y = linalg.generic { extf bf16 to f32; math.exp f32; truncf f32 to bf16 }
// becomes
//   func.func @f(%x: tensor<4xbf16>) -> tensor<4xf64> {
//     %0 = linalg.generic extf %x : bf16 to f64
//     %y = linalg.generic { math.exp f64 }
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Verify/Passes.h"

#include "FlashFusion/Dialect/IR/FF.h"
#include "FlashFusion/Lower/LinalgBuilder.h"
#include "FlashFusion/Raise/Casts.h"
#include "FlashFusion/Verify/ProgramRoles.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Interfaces/CallInterfaces.h"

namespace mlir::flashfusion {
#define GEN_PASS_DEF_PROMOTETOF64PASS
#include "FlashFusion/Verify/Passes.h.inc"
} // namespace mlir::flashfusion

using namespace mlir;
using namespace mlir::flashfusion;

static bool isNarrowFloat(Type type) {
  auto floatType = dyn_cast<FloatType>(type);
  return floatType && floatType.getWidth() < 64;
}

/// `type` with floats narrower than f64 replaced by f64.
static Type promoted(Type type) {
  if (isNarrowFloat(type))
    return Float64Type::get(type.getContext());
  if (isa<TensorType, VectorType>(type) && isNarrowFloat(getElementTypeOrSelf(type)))
    return cast<ShapedType>(type).clone(Float64Type::get(type.getContext()));
  return type;
}

/// The value of a constant in f64; null if it is of a kind that is not known.
static Attribute promotedValue(Attribute value) {
  auto f64 = Float64Type::get(value.getContext());
  auto widen = [](APFloat v) {
    bool lost;
    v.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lost);
    return v;
  };
  if (auto scalar = dyn_cast<FloatAttr>(value))
    return FloatAttr::get(f64, widen(scalar.getValue()));
  if (auto dense = dyn_cast<DenseFPElementsAttr>(value))
    return dense.mapValues(f64, [&](const APFloat &v) { return widen(v).bitcastToAPInt(); });
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  AsmResourceBlob *blob = resource ? resource.getRawHandle().getBlob() : nullptr;
  if (!blob)
    return {};
  auto element = cast<FloatType>(resource.getType().getElementType());
  unsigned bytes = element.getWidth() / 8;
  ArrayRef<char> data = blob->getData();
  if (data.size() != static_cast<size_t>(resource.getType().getNumElements()) * bytes)
    return {};
  SmallVector<double> values;
  for (size_t at = 0; at < data.size(); at += bytes) {
    uint64_t bits = 0;
    std::memcpy(&bits, data.data() + at, bytes);
    APFloat v(element.getFloatSemantics(), APInt(element.getWidth(), bits));
    values.push_back(widen(v).convertToDouble());
  }
  return DenseElementsAttr::get(cast<ShapedType>(resource.getType().clone(f64)),
                                ArrayRef<double>(values));
}

static bool isLayoutOp(Operation *op) {
  return isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp>(op);
}

/// True if every path from `use` leads to a return, through changes of layout only.
static bool onlyReturned(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<func::ReturnOp>(user))
    return true;
  return isLayoutOp(user) && !user->use_empty() &&
         llvm::all_of(user->getResult(0).getUses(), onlyReturned);
}

static bool isReturned(Value v) {
  return llvm::any_of(v.getUsers(), [](Operation *user) {
    return isa<func::ReturnOp>(user) || (isLayoutOp(user) && isReturned(user->getResult(0)));
  });
}

/// Emits an error and fails if `op` has no meaning in f64 arithmetic.
static LogicalResult checkOp(Operation *op) {
  if (isa_and_nonnull<FFDialect>(op->getDialect()))
    return op->emitError("cannot be evaluated in f64: expand it first (ff-expand-online)");
  auto isNarrow = [](Type type) { return isNarrowFloat(getElementTypeOrSelf(type)); };
  auto isWide = [](Type type) {
    auto element = dyn_cast<FloatType>(type);
    return element && element.getWidth() > 64;
  };
  // An encoding says how narrow elements are stored, which is not for us to translate.
  auto isEncoded = [&](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getEncoding() && isNarrow(type);
  };
  for (Type type : llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()))
    if (isa<BaseMemRefType>(type) || isa<ComplexType>(getElementTypeOrSelf(type)) ||
        isWide(getElementTypeOrSelf(type)) || isEncoded(type))
      return op->emitError("cannot be evaluated in f64: it has a value of type ") << type;
  bool touchesNarrow =
      llvm::any_of(op->getOperandTypes(), isNarrow) || llvm::any_of(op->getResultTypes(), isNarrow);
  if (touchesNarrow && (isa<arith::BitcastOp, tensor::BitcastOp>(op) ||
                        isa<CallOpInterface, SymbolUserOpInterface>(op)))
    return op->emitError("cannot be evaluated in f64: it depends on the type of its floats");
  return success();
}

namespace {

class Promotion {
public:
  Promotion(func::FuncOp func, bool keepRoundings)
      : func(func), roles(func), b(func.getContext()), keepRoundings(keepRoundings) {}

  LogicalResult run() {
    if (func.walk([](Operation *op) {
              return failed(checkOp(op)) ? WalkResult::interrupt() : WalkResult::advance();
            })
            .wasInterrupted())
      return failure();
    collectRoundings();
    extendArguments();
    if (failed(promoteBody()))
      return failure();
    for (auto [value, type] : sharedResults)
      roundFurtherUses(value, type);
    func.setType(b.getFunctionType(
        func.getArgumentTypes(),
        llvm::map_to_vector(func.getResultTypes(), [](Type t) { return promoted(t); })));
    return success();
  }

private:
  /// Decides, on the program as written, which roundings stay.
  void collectRoundings() {
    func.walk([&](Operation *op) {
      if (auto trunc = dyn_cast<arith::TruncFOp>(op))
        if (keepRoundings || castKindOf(op) == CastKind::Quantises ||
            (!roles.dependsOnActivation(trunc.getIn()) && !op->hasAttr("ff.unrounded")))
          keptCasts.insert(op);
      if (isLayoutOp(op) || op->getParentOp() != func)
        return;
      for (Value result : op->getResults()) {
        Type element = getElementTypeOrSelf(result.getType());
        if (isa<RankedTensorType>(result.getType()) && isNarrowFloat(element) &&
            isReturned(result) && !llvm::all_of(result.getUses(), onlyReturned) &&
            !dependsOnStatistics(result))
          sharedResults.push_back({result, element});
      }
    });
  }

  /// Arguments stay as they are stored; the program reads them as f64.
  void extendArguments() {
    b.setInsertionPointToStart(&func.front());
    for (BlockArgument arg : func.getArguments()) {
      if (promoted(arg.getType()) == arg.getType() || arg.use_empty())
        continue;
      Value wide = isa<RankedTensorType>(arg.getType())
                       ? LinalgBuilder(b, arg.getLoc()).cast(arg, b.getF64Type())
                       : castFloat(b, arg.getLoc(), arg, promoted(arg.getType()));
      wideArguments.insert(wide.getDefiningOp());
      arg.replaceUsesWithIf(wide, [&](OpOperand &use) {
        return use.getOwner() != wide.getDefiningOp() && !isa<tensor::DimOp>(use.getOwner());
      });
    }
  }

  LogicalResult promoteBody() {
    SmallVector<Operation *> casts;
    WalkResult walked = func.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (wideArguments.contains(op))
        return WalkResult::skip();
      if (isa<arith::ExtFOp, arith::TruncFOp>(op))
        casts.push_back(op);
      if (op->hasTrait<OpTrait::ConstantLike>() &&
          promoted(op->getResult(0).getType()) != op->getResult(0).getType()) {
        auto constant = dyn_cast<arith::ConstantOp>(op);
        Attribute value = constant ? promotedValue(constant.getValue()) : Attribute();
        if (!value) {
          op->emitError("cannot be evaluated in f64: a constant of unknown kind");
          return WalkResult::interrupt();
        }
        constant.setValueAttr(cast<TypedAttr>(value));
      }
      if (isa<arith::TruncFOp>(op) && keptCasts.contains(op))
        keptTypes[op] = op->getResult(0).getType();
      for (Value result : op->getResults())
        result.setType(promoted(result.getType()));
      for (Region &region : op->getRegions())
        for (Block &block : region)
          if (op != func || !block.isEntryBlock())
            for (BlockArgument arg : block.getArguments())
              arg.setType(promoted(arg.getType()));
      return WalkResult::advance();
    });
    if (walked.wasInterrupted())
      return failure();
    for (Operation *op : casts) {
      Value value = op->getOperand(0);
      if (Type type = keptTypes.lookup(op)) {
        b.setInsertionPoint(op);
        value = roundTo(cast<arith::TruncFOp>(op), value, type);
      }
      op->getResult(0).replaceAllUsesWith(value);
      op->erase();
    }
    return success();
  }

  Value roundTo(arith::TruncFOp op, Value value, Type type) {
    Value narrow = arith::TruncFOp::create(b, op.getLoc(), type, value, op.getRoundingmodeAttr(),
                                           op.getFastmathAttr());
    return arith::ExtFOp::create(b, op.getLoc(), promoted(type), narrow);
  }

  void roundFurtherUses(Value value, Type element) {
    b.setInsertionPointAfterValue(value);
    Value rounded =
        LinalgBuilder(b, value.getLoc())
            .elementwise(value, b.getF64Type(), [&](OpBuilder &nested, Value x) -> Value {
              Value narrow = arith::TruncFOp::create(nested, value.getLoc(), element, x);
              return arith::ExtFOp::create(nested, value.getLoc(), nested.getF64Type(), narrow);
            });
    Operation *own = rounded.getDefiningOp();
    value.replaceUsesWithIf(rounded, [&](OpOperand &use) {
      return use.getOwner() != own && !isa<tensor::DimOp>(use.getOwner()) && !onlyReturned(use);
    });
  }

  func::FuncOp func;
  ProgramRoles roles;
  OpBuilder b;
  bool keepRoundings;
  /// Casts that round: their operations, and the types that they round to.
  llvm::DenseSet<Operation *> keptCasts, wideArguments;
  llvm::DenseMap<Operation *, Type> keptTypes;
  /// Tensors that are returned and used further, with their element types.
  SmallVector<std::pair<Value, Type>> sharedResults;
};

struct PromoteToF64Pass : flashfusion::impl::PromoteToF64PassBase<PromoteToF64Pass> {
  using Base::Base;

  void runOnOperation() override {
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (!func.isExternal() && func.isPublic() && failed(Promotion(func, keepRoundings).run()))
        return signalPassFailure();
  }
};

} // namespace
