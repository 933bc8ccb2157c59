//===- LowerToLoops.cpp - ff.online to linalg sums, for the CPU ------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sums over K become linalg operations, the finalizer an elementwise one.
//
//   %y = ff.online(%x) gain(%g) weights(%w) columns(%c) outs(%o) row {..} finalize {..}
// becomes
//   %S, %Q = linalg.generic sum x, x*x              over K, in f64
//   %scale, %center = linalg.generic row(S/K, Q/K - (S/K)^2)    in f64
//   %u = linalg.generic (x - center) * (gain + gain_offset)      in f32
//   %A = linalg.generic sum u * W                   over K, in f32
//   %y = linalg.generic finalize(scale * A + B, c)  over (m, n)
//
// `scale` waits for the finalizer; `center` does not, because A - center * C
// cancels where |center| is much larger than 1 / scale, and a CPU has the whole
// row at hand anyway. f64 sums cost nothing next to the contraction, and make
// Q/K - (S/K)^2 as good as the two-pass variance.
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Lower/LowerToLoops.h"
#include "FlashFusion/Lower/Passes.h"

#include "FlashFusion/Dialect/IR/FF.h"
#include "FlashFusion/Lower/LinalgBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::flashfusion {
#define GEN_PASS_DEF_LOWERTOLOOPSPASS
#include "FlashFusion/Lower/Passes.h.inc"
} // namespace mlir::flashfusion

using namespace mlir;
using namespace mlir::flashfusion;

namespace {

/// True if the body of `region` is arithmetic on its own scalar floats alone, which has a meaning
/// in f64.
static bool isFloatArithmetic(Region &region) {
  auto isOwnFloat = [&](Value v) {
    return isa<FloatType>(v.getType()) && v.getParentRegion() == &region;
  };
  return llvm::all_of(region.front(), [&](Operation &op) {
    if (!llvm::all_of(op.getOperands(), isOwnFloat))
      return false;
    return op.hasTrait<OpTrait::IsTerminator>() ||
           (isa<arith::ArithDialect, math::MathDialect>(op.getDialect()) &&
            !isa<arith::BitcastOp>(op) && op.getNumResults() == 1 && isOwnFloat(op.getResult(0)));
  });
}

/// Clones the body of `region`, in f64 where it was in f32 or wider, with `args` (in f64) for its
/// arguments; returns what it yields. Roundings to 16 bits stay.
static SmallVector<Value> inlineInF64(OpBuilder &b, Region &region, ValueRange args) {
  Type f64 = b.getF64Type();
  IRMapping mapping;
  mapping.map(region.front().getArguments(), args);
  for (Operation &op : region.front().without_terminator()) {
    Location loc = op.getLoc();
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      double value = cast<FloatAttr>(constant.getValue()).getValueAsDouble();
      mapping.map(op.getResult(0), LinalgBuilder(b, loc).constant(f64, value));
      continue;
    }
    bool isCast = isa<arith::ExtFOp, arith::TruncFOp>(op);
    Value result = isCast ? mapping.lookup(op.getOperand(0)) : b.clone(op, mapping)->getResult(0);
    result.setType(f64);
    // Arithmetic in 16 bits rounds as well.
    Type type = op.getResult(0).getType();
    if (type.getIntOrFloatBitWidth() < 32)
      result = castFloat(b, loc, castFloat(b, loc, result, type), f64);
    mapping.map(op.getResult(0), result);
  }
  return llvm::map_to_vector(region.front().getTerminator()->getOperands(),
                             [&](Value v) { return mapping.lookup(v); });
}

/// Builds the linalg form of one ff.online on tensors.
class OnlineLowering {
public:
  OnlineLowering(OpBuilder &b, OnlineOp op) : b(b), op(op), loc(op.getLoc()), linalg(b, loc) {
    f32 = b.getF32Type();
    f64 = b.getF64Type();
    rows = tensor::getMixedSize(b, loc, op.getX(), 0);
  }

  SmallVector<Value> lower() {
    sumRows();
    computeFactors();
    Value u = scaledOperand();
    SmallVector<Value> sums, shifts;
    for (unsigned l = 0, e = op.getWeights().size(); l < e; ++l) {
      sums.push_back(contract(u, l));
      shifts.push_back(op.getShift() ? contract(op.getShift(), l) : Value());
    }
    SmallVector<Value> results;
    for (unsigned i = 0, e = op.getOuts().size(); i < e; ++i)
      results.push_back(finalize(i, sums, shifts));
    return results;
  }

private:
  bool wants(Statistic s) {
    return llvm::any_of(op.getStatistics().getAsRange<StatisticAttr>(),
                        [&](StatisticAttr a) { return a.getValue() == s; });
  }

  /// sum x and sum x^2 of every row, those that the statistics need.
  void sumRows() {
    bool needSum = wants(Statistic::Mean) || wants(Statistic::Variance);
    bool needSquares =
        wants(Statistic::MeanSquare) || wants(Statistic::Variance) || wants(Statistic::SumSquare);
    SmallVector<Value> outs;
    for (int i = 0, e = int(needSum) + int(needSquares); i < e; ++i)
      outs.push_back(linalg.zeros({rows}, f64));
    if (outs.empty())
      return;
    SmallVector<AffineMap> maps(outs.size() + 1, linalg.map(2, {0}));
    maps.front() = linalg.map(2, {0, 1});
    SmallVector<Value> sums =
        linalg.generic(maps, op.getX(), outs, /*reductions=*/1, [&](OpBuilder &b, ValueRange args) {
          Value x = castFloat(b, loc, args[0], f64);
          SmallVector<Value> next;
          if (needSum)
            next.push_back(arith::AddFOp::create(b, loc, args[1], x));
          if (needSquares)
            next.push_back(
                arith::AddFOp::create(b, loc, args.back(), arith::MulFOp::create(b, loc, x, x)));
          return next;
        });
    if (needSum)
      sum = sums.front();
    if (needSquares)
      squares = sums.back();
  }

  /// The statistics of one row from its sums, in f64.
  Value statistic(OpBuilder &b, Statistic s, Value sum, Value squares) {
    Value k = LinalgBuilder(b, loc).constant(f64, op.getK());
    auto mean = [&] { return arith::DivFOp::create(b, loc, sum, k); };
    switch (s) {
    case Statistic::Mean:
      return mean();
    case Statistic::MeanSquare:
      return arith::DivFOp::create(b, loc, squares, k);
    case Statistic::SumSquare:
      return squares;
    case Statistic::Variance: {
      Value mu = mean();
      Value variance = arith::SubFOp::create(b, loc, arith::DivFOp::create(b, loc, squares, k),
                                             arith::MulFOp::create(b, loc, mu, mu));
      // A constant row may come out below 0 by a rounding; NaN stays NaN.
      return arith::MaximumFOp::create(b, loc, variance, LinalgBuilder(b, loc).constant(f64, 0.0));
    }
    }
    llvm_unreachable("unknown statistic");
  }

  /// scale (f32) and center (f64) of every row, computed in f64 and rounded last: where the row
  /// region adds a negative eps, mean(x^2) + eps cancels, and what f32 had rounded off is shared
  /// by the row. A center that is the mean itself keeps all of its f64 digits even in a region
  /// that is no plain arithmetic: with |mean| = 100 / scale its rounding to f32 would cost 3e-6
  /// of h.
  void computeFactors() {
    unsigned factors = op.getNumRowFactors();
    if (factors == 0)
      return;
    SmallVector<Value> ins, outs;
    for (Value v : {sum, squares})
      if (v)
        ins.push_back(v);
    SmallVector<AffineMap> maps(ins.size(), linalg.map(1, {0}));
    if (op.getXScale()) {
      ins.push_back(op.getXScale());
      maps.push_back(linalg.along(1, 0, op.getXScale()));
    }
    outs.push_back(linalg.empty({rows}, f32));
    if (factors == 2)
      outs.push_back(linalg.empty({rows}, f64));
    maps.append(outs.size(), linalg.map(1, {0}));
    SmallVector<Value> results =
        linalg.generic(maps, ins, outs, /*reductions=*/0, [&](OpBuilder &b, ValueRange args) {
          Value s = sum ? args[0] : Value(), q = squares ? args[sum ? 1 : 0] : Value();
          bool isWide = isFloatArithmetic(op.getRow());
          SmallVector<Value> exact, rowArgs;
          for (auto a : op.getStatistics().getAsRange<StatisticAttr>()) {
            exact.push_back(statistic(b, a.getValue(), s, q));
            rowArgs.push_back(isWide ? exact.back() : castFloat(b, loc, exact.back(), f32));
          }
          SmallVector<Value> scalars;
          if (op.getXScale())
            scalars.push_back(args[ins.size() - 1]);
          llvm::append_range(scalars, op.getScalars());
          for (Value scalar : scalars)
            rowArgs.push_back(isWide ? castFloat(b, loc, scalar, f64) : scalar);
          if (isWide) {
            SmallVector<Value> yields = inlineInF64(b, op.getRow(), rowArgs);
            yields[0] = castFloat(b, loc, yields[0], f32);
            return yields;
          }
          SmallVector<Value> yields = LinalgBuilder::inlineRegion(b, op.getRow(), rowArgs);
          if (factors == 2) {
            auto arg = dyn_cast<BlockArgument>(op.getRow().front().getTerminator()->getOperand(1));
            bool isStatistic = arg && arg.getArgNumber() < exact.size();
            yields[1] = isStatistic ? exact[arg.getArgNumber()] : castFloat(b, loc, yields[1], f64);
          }
          return yields;
        });
    scale = results[0];
    if (factors == 2)
      center = results[1];
  }

  /// u(m, k) = (x - center) * v in f32; x itself where there is neither.
  Value scaledOperand() {
    if (!op.getGain() && !center)
      return op.getX();
    SmallVector<Value> ins{op.getX()};
    SmallVector<AffineMap> maps{linalg.map(2, {0, 1})};
    if (op.getGain()) {
      ins.push_back(op.getGain());
      maps.push_back(linalg.map(2, {1}));
    }
    if (center) {
      ins.push_back(center);
      maps.push_back(linalg.map(2, {0}));
    }
    maps.push_back(linalg.map(2, {0, 1}));
    Value init = linalg.empty({rows, b.getIndexAttr(op.getK())}, f32);
    return linalg.generic(maps, ins, init, /*reductions=*/0, [&](OpBuilder &b, ValueRange args) {
      Value u = castFloat(b, loc, args[0], center ? f64 : f32);
      if (center)
        u = castFloat(b, loc, arith::SubFOp::create(b, loc, u, args[ins.size() - 1]), f32);
      if (op.getGain()) {
        Value v = castFloat(b, loc, args[1], f32);
        if (!op.getGainOffset().isZero())
          v = arith::AddFOp::create(
              b, loc, v, LinalgBuilder(b, loc).constant(f32, op.getGainOffset().convertToDouble()));
        u = arith::MulFOp::create(b, loc, u, v);
      }
      return SmallVector<Value>{u};
    })[0];
  }

  /// sum_k u(.., k) W_l(n, k) in f32, for a matrix or a vector u.
  Value contract(Value u, unsigned linear) {
    bool isMatrix = cast<ShapedType>(u.getType()).getRank() == 2;
    unsigned dims = isMatrix ? 3 : 2;
    unsigned column = dims - 2, k = dims - 1;
    SmallVector<OpFoldResult> sizes;
    SmallVector<unsigned> left, out;
    if (isMatrix) {
      sizes.push_back(rows);
      left.push_back(0);
      out.push_back(0);
    }
    sizes.push_back(b.getIndexAttr(op.getN(linear)));
    left.push_back(k);
    out.push_back(column);
    bool isNK = op.getLayout(linear) == WeightLayout::NK;
    AffineMap right = isNK ? linalg.map(dims, {column, k}) : linalg.map(dims, {k, column});
    return linalg.generic(
        {linalg.map(dims, left), right, linalg.map(dims, out)}, {u, op.getWeights()[linear]},
        linalg.zeros(sizes, f32), /*reductions=*/1, [&](OpBuilder &b, ValueRange args) {
          Value product = arith::MulFOp::create(b, loc, castFloat(b, loc, args[0], f32),
                                                castFloat(b, loc, args[1], f32));
          return SmallVector<Value>{arith::AddFOp::create(b, loc, args[2], product)};
        })[0];
  }

  /// Output i: z_l = scale * A_l + B_l of its Linears, then the finalizer.
  Value finalize(unsigned i, ArrayRef<Value> sums, ArrayRef<Value> shifts) {
    SmallVector<Value> ins;
    SmallVector<AffineMap> maps;
    auto add = [&](Value v, ArrayRef<unsigned> dims) {
      ins.push_back(v);
      maps.push_back(linalg.map(2, dims));
    };
    ArrayRef<int64_t> linears = op.getLinearsOf(i);
    for (int64_t l : linears) {
      add(sums[l], {0, 1});
      if (shifts[l])
        add(shifts[l], {1});
    }
    SmallVector<unsigned> columns = op.getColumnsOf(i);
    for (unsigned c : columns) {
      ins.push_back(op.getColumns()[c]);
      maps.push_back(linalg.along(2, 1, ins.back()));
    }
    SmallVector<unsigned> tiles = op.getTilesOf(i);
    for (unsigned t : tiles)
      add(op.getTiles()[t], {0, 1});
    if (scale)
      add(scale, {0});
    maps.push_back(linalg.map(2, {0, 1}));
    // The contents of outs are never read, so the result starts from an empty tensor: tying it
    // to the operand would only make bufferization copy it.
    auto type = cast<RankedTensorType>(op.getOuts()[i].getType());
    Value init = linalg.empty({rows, b.getIndexAttr(type.getDimSize(1))}, type.getElementType());
    return linalg.generic(maps, ins, init, /*reductions=*/0, [&](OpBuilder &b, ValueRange args) {
      SmallVector<Value> regionArgs;
      unsigned next = 0;
      for (int64_t l : linears) {
        Value z = args[next++];
        if (scale)
          z = arith::MulFOp::create(b, loc, z, args[ins.size() - 1]);
        if (shifts[l])
          z = arith::AddFOp::create(b, loc, z, args[next++]);
        regionArgs.push_back(z);
      }
      for (size_t c = 0, e = columns.size() + tiles.size(); c < e; ++c)
        regionArgs.push_back(args[next++]);
      return LinalgBuilder::inlineRegion(b, op.getFinalizers()[i], regionArgs);
    })[0];
  }

  OpBuilder &b;
  OnlineOp op;
  Location loc;
  LinalgBuilder linalg;
  Type f32, f64;
  OpFoldResult rows;
  /// Row vectors, null where the op does not need them.
  Value sum, squares, scale, center;
};

struct LowerToLoopsPass : flashfusion::impl::LowerToLoopsPassBase<LowerToLoopsPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<OnlineOp> ops;
    getOperation()->walk([&](OnlineOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (OnlineOp op : ops) {
      rewriter.setInsertionPoint(op);
      FailureOr<SmallVector<Value>> results = decomposeOnline(rewriter, op);
      if (failed(results)) {
        op.emitOpError("is on memrefs; ff-lower-to-loops takes tensors");
        return signalPassFailure();
      }
      rewriter.replaceOp(op, *results);
    }
  }
};

} // namespace

FailureOr<SmallVector<Value>> flashfusion::decomposeOnline(OpBuilder &b, OnlineOp op) {
  if (!isa<RankedTensorType>(op.getX().getType()))
    return failure();
  return OnlineLowering(b, op).lower();
}
