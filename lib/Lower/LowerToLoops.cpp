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
//   %scale, %center = linalg.generic row(S/K, Q/K - (S/K)^2)
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
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::flashfusion {
#define GEN_PASS_DEF_LOWERTOLOOPSPASS
#include "FlashFusion/Lower/Passes.h.inc"
} // namespace mlir::flashfusion

using namespace mlir;
using namespace mlir::flashfusion;

static Value castTo(OpBuilder &b, Location loc, Value value, Type type) {
  unsigned from = value.getType().getIntOrFloatBitWidth(), to = type.getIntOrFloatBitWidth();
  if (from < to)
    return arith::ExtFOp::create(b, loc, type, value);
  if (from > to)
    return arith::TruncFOp::create(b, loc, type, value);
  return value;
}

static Value constant(OpBuilder &b, Location loc, Type type, double value) {
  return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
}

/// Clones the body of `region` with `args` for its arguments; returns the yielded values.
static SmallVector<Value> inlineRegion(OpBuilder &b, Region &region, ValueRange args) {
  IRMapping mapping;
  mapping.map(region.front().getArguments(), args);
  for (Operation &op : region.front().without_terminator())
    b.clone(op, mapping);
  return llvm::map_to_vector(region.front().getTerminator()->getOperands(),
                             [&](Value v) { return mapping.lookupOrDefault(v); });
}

namespace {

/// Builds the linalg form of one ff.online on tensors.
class OnlineLowering {
public:
  OnlineLowering(OpBuilder &b, OnlineOp op) : b(b), op(op), loc(op.getLoc()) {
    f32 = b.getF32Type();
    f64 = b.getF64Type();
    m = b.getAffineDimExpr(0);
    n = b.getAffineDimExpr(1);
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
  using Body = function_ref<SmallVector<Value>(OpBuilder &, ValueRange)>;

  AffineMap map(unsigned dims, ArrayRef<AffineExpr> exprs) {
    return AffineMap::get(dims, 0, exprs, b.getContext());
  }

  Value empty(ArrayRef<OpFoldResult> sizes, Type element) {
    return tensor::EmptyOp::create(b, loc, sizes, element);
  }

  Value zeros(ArrayRef<OpFoldResult> sizes, Type element) {
    return linalg::FillOp::create(b, loc, constant(b, loc, element, 0.0), empty(sizes, element))
        .getResult(0);
  }

  /// A generic over (m, n) or (m, k) or fewer dims, the last one reduced where asked.
  SmallVector<Value> generic(ArrayRef<AffineMap> maps, ValueRange ins, ValueRange outs,
                             bool reduceLast, Body body) {
    SmallVector<utils::IteratorType> iterators(maps.front().getNumDims(),
                                               utils::IteratorType::parallel);
    if (reduceLast)
      iterators.back() = utils::IteratorType::reduction;
    auto generic =
        linalg::GenericOp::create(b, loc, outs.getTypes(), ins, outs, maps, iterators,
                                  [&](OpBuilder &nested, Location, ValueRange args) {
                                    linalg::YieldOp::create(nested, loc, body(nested, args));
                                  });
    return llvm::to_vector_of<Value>(generic.getResults());
  }

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
      outs.push_back(zeros({rows}, f64));
    if (outs.empty())
      return;
    SmallVector<AffineMap> maps(outs.size() + 1, map(2, {m}));
    maps.front() = map(2, {m, n});
    SmallVector<Value> sums =
        generic(maps, op.getX(), outs, /*reduceLast=*/true, [&](OpBuilder &b, ValueRange args) {
          Value x = castTo(b, loc, args[0], f64);
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
    Value k = constant(b, loc, f64, op.getK());
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
      return arith::MaximumFOp::create(b, loc, variance, constant(b, loc, f64, 0.0));
    }
    }
    llvm_unreachable("unknown statistic");
  }

  /// scale (f32) and center (f64) of every row. A center that is the mean itself keeps all of
  /// its f64 digits: with |mean| = 100 / scale its rounding to f32 would cost 3e-6 of h.
  void computeFactors() {
    unsigned factors = op.getNumRowFactors();
    if (factors == 0)
      return;
    SmallVector<Value> ins, outs;
    for (Value v : {sum, squares})
      if (v)
        ins.push_back(v);
    outs.push_back(empty({rows}, f32));
    if (factors == 2)
      outs.push_back(empty({rows}, f64));
    SmallVector<AffineMap> maps(ins.size() + outs.size(), map(1, {m}));
    SmallVector<Value> results =
        generic(maps, ins, outs, /*reduceLast=*/false, [&](OpBuilder &b, ValueRange args) {
          Value s = sum ? args[0] : Value(), q = squares ? args[sum ? 1 : 0] : Value();
          SmallVector<Value> exact, rowArgs;
          for (auto a : op.getStatistics().getAsRange<StatisticAttr>()) {
            exact.push_back(statistic(b, a.getValue(), s, q));
            rowArgs.push_back(castTo(b, loc, exact.back(), f32));
          }
          llvm::append_range(rowArgs, op.getScalars());
          SmallVector<Value> yields = inlineRegion(b, op.getRow(), rowArgs);
          if (factors == 2) {
            auto arg = dyn_cast<BlockArgument>(op.getRow().front().getTerminator()->getOperand(1));
            bool isStatistic = arg && arg.getArgNumber() < exact.size();
            yields[1] = isStatistic ? exact[arg.getArgNumber()] : castTo(b, loc, yields[1], f64);
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
    SmallVector<AffineMap> maps{map(2, {m, n})};
    if (op.getGain()) {
      ins.push_back(op.getGain());
      maps.push_back(map(2, {n}));
    }
    if (center) {
      ins.push_back(center);
      maps.push_back(map(2, {m}));
    }
    maps.push_back(map(2, {m, n}));
    Value init = empty({rows, b.getIndexAttr(op.getK())}, f32);
    return generic(maps, ins, init, /*reduceLast=*/false, [&](OpBuilder &b, ValueRange args) {
      Value u = castTo(b, loc, args[0], center ? f64 : f32);
      if (center)
        u = castTo(b, loc, arith::SubFOp::create(b, loc, u, args[ins.size() - 1]), f32);
      if (op.getGain()) {
        Value v = castTo(b, loc, args[1], f32);
        if (!op.getGainOffset().isZero())
          v = arith::AddFOp::create(b, loc, v,
                                    constant(b, loc, f32, op.getGainOffset().convertToDouble()));
        u = arith::MulFOp::create(b, loc, u, v);
      }
      return SmallVector<Value>{u};
    })[0];
  }

  /// sum_k u(.., k) W_l(n, k) in f32, for a matrix or a vector u.
  Value contract(Value u, unsigned linear) {
    bool isMatrix = cast<ShapedType>(u.getType()).getRank() == 2;
    unsigned dims = isMatrix ? 3 : 2;
    AffineExpr row = m, column = b.getAffineDimExpr(dims - 2), k = b.getAffineDimExpr(dims - 1);
    SmallVector<OpFoldResult> sizes;
    SmallVector<AffineExpr> left, out;
    if (isMatrix) {
      sizes.push_back(rows);
      left.push_back(row);
      out.push_back(row);
    }
    sizes.push_back(b.getIndexAttr(op.getN(linear)));
    left.push_back(k);
    out.push_back(column);
    bool isNK = op.getLayout(linear) == WeightLayout::NK;
    AffineMap right = isNK ? map(dims, {column, k}) : map(dims, {k, column});
    return generic({map(dims, left), right, map(dims, out)}, {u, op.getWeights()[linear]},
                   zeros(sizes, f32), /*reduceLast=*/true, [&](OpBuilder &b, ValueRange args) {
                     Value product = arith::MulFOp::create(b, loc, castTo(b, loc, args[0], f32),
                                                           castTo(b, loc, args[1], f32));
                     return SmallVector<Value>{arith::AddFOp::create(b, loc, args[2], product)};
                   })[0];
  }

  /// Output i: z_l = scale * A_l + B_l of its Linears, then the finalizer.
  Value finalize(unsigned i, ArrayRef<Value> sums, ArrayRef<Value> shifts) {
    SmallVector<Value> ins;
    SmallVector<AffineMap> maps;
    auto add = [&](Value v, ArrayRef<AffineExpr> exprs) {
      ins.push_back(v);
      maps.push_back(map(2, exprs));
    };
    ArrayRef<int64_t> linears = op.getLinearsOf(i);
    for (int64_t l : linears) {
      add(sums[l], {m, n});
      if (shifts[l])
        add(shifts[l], {n});
    }
    SmallVector<unsigned> columns = op.getColumnsOf(i);
    for (unsigned c : columns)
      add(op.getColumns()[c], {n});
    if (scale)
      add(scale, {m});
    maps.push_back(map(2, {m, n}));
    // The contents of outs are never read, so the result starts from an empty tensor: tying it
    // to the operand would only make bufferization copy it.
    auto type = cast<RankedTensorType>(op.getOuts()[i].getType());
    Value init = empty({rows, b.getIndexAttr(type.getDimSize(1))}, type.getElementType());
    return generic(maps, ins, init, /*reduceLast=*/false, [&](OpBuilder &b, ValueRange args) {
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
      for (size_t c = 0; c < columns.size(); ++c)
        regionArgs.push_back(args[next++]);
      return inlineRegion(b, op.getFinalizers()[i], regionArgs);
    })[0];
  }

  OpBuilder &b;
  OnlineOp op;
  Location loc;
  Type f32, f64;
  AffineExpr m, n;
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
