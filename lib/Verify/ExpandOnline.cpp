//===- ExpandOnline.cpp - ff.online as its documentation defines it --------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %y = ff.online(%x) gain(%g) weights(%w) columns(%c) outs(%o) row {..} finalize {..}
// becomes
//   %mean = sum x / K;  %var = sum (x - mean)^2 / K
//   %h = scale * (x - center) * (gain + gain_offset) + shift
//   %z = linalg.generic sum h * W
//   %y = linalg.generic finalize(z, c)
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Verify/Passes.h"

#include "FlashFusion/Dialect/IR/FF.h"
#include "FlashFusion/Lower/LinalgBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::flashfusion {
#define GEN_PASS_DEF_EXPANDONLINEPASS
#include "FlashFusion/Verify/Passes.h.inc"
} // namespace mlir::flashfusion

using namespace mlir;
using namespace mlir::flashfusion;

namespace {

class OnlineExpansion {
public:
  OnlineExpansion(RewriterBase &b, OnlineOp op)
      : b(b), op(op), loc(op.getLoc()), build(b, loc), f32(b.getF32Type()) {
    rows = tensor::getMixedSize(b, loc, op.getX(), 0);
    matrix = build.map(2, {0, 1});
    perRow = build.map(2, {0});
    perColumn = build.map(2, {1});
  }

  void expand() {
    x = build.cast(op.getX(), f32);
    Value h = normalised();
    SmallVector<Value> z;
    for (unsigned l = 0, e = op.getWeights().size(); l < e; ++l)
      z.push_back(linear(h, l));
    SmallVector<Value> results;
    for (unsigned i = 0, e = op.getOuts().size(); i < e; ++i)
      results.push_back(finalize(i, z));
    b.replaceOp(op, results);
  }

private:
  /// sum_k term(x, row) of every row, divided by K where `isMean`.
  Value sumOverRow(Value row, bool isMean, function_ref<Value(OpBuilder &, ValueRange)> term) {
    SmallVector<Value> ins{x};
    SmallVector<AffineMap> maps{matrix};
    if (row) {
      ins.push_back(row);
      maps.push_back(perRow);
    }
    maps.push_back(perRow);
    Value sum = build.generic(maps, ins, build.zeros({rows}, f32), 1,
                              [&](OpBuilder &b, ValueRange args) -> SmallVector<Value> {
                                Value next = term(b, args);
                                return {arith::AddFOp::create(b, loc, args.back(), next)};
                              })[0];
    if (!isMean)
      return sum;
    return build.elementwise(sum, f32, [&](OpBuilder &b, Value s) -> Value {
      return arith::DivFOp::create(b, loc, s, LinalgBuilder(b, loc).constant(f32, op.getK()));
    });
  }

  Value statistic(Statistic s) {
    auto square = [&](OpBuilder &b, ValueRange args) -> Value {
      return arith::MulFOp::create(b, loc, args[0], args[0]);
    };
    auto mean = [&] {
      return sumOverRow({}, true, [](OpBuilder &, ValueRange args) { return args[0]; });
    };
    switch (s) {
    case Statistic::Mean:
      return mean();
    case Statistic::MeanSquare:
      return sumOverRow({}, true, square);
    case Statistic::SumSquare:
      return sumOverRow({}, false, square);
    case Statistic::Variance:
      return sumOverRow(mean(), true, [&](OpBuilder &b, ValueRange args) -> Value {
        Value d = arith::SubFOp::create(b, loc, args[0], args[1]);
        return arith::MulFOp::create(b, loc, d, d);
      });
    }
    llvm_unreachable("unknown statistic");
  }

  /// The row's factors as vectors over m: none, (scale), or (scale, center).
  SmallVector<Value> factors() {
    unsigned count = op.getNumRowFactors();
    if (count == 0)
      return {};
    SmallVector<Value> ins, outs;
    for (auto s : op.getStatistics().getAsRange<StatisticAttr>())
      ins.push_back(statistic(s.getValue()));
    SmallVector<AffineMap> maps(ins.size(), build.map(1, {0}));
    if (op.getXScale()) {
      ins.push_back(op.getXScale());
      maps.push_back(build.along(1, 0, op.getXScale()));
    }
    for (unsigned i = 0; i < count; ++i)
      outs.push_back(build.empty({rows}, f32));
    maps.append(count, build.map(1, {0}));
    return build.generic(maps, ins, outs, 0, [&](OpBuilder &b, ValueRange args) {
      SmallVector<Value> rowArgs(args.take_front(ins.size()));
      llvm::append_range(rowArgs, op.getScalars());
      return LinalgBuilder::inlineRegion(b, op.getRow(), rowArgs);
    });
  }

  /// h = scale * (x - center) * (gain + gain_offset) + shift
  Value normalised() {
    SmallVector<Value> ins{x};
    SmallVector<AffineMap> maps{matrix};
    auto add = [&](Value v, AffineMap map) {
      ins.push_back(v);
      maps.push_back(map);
    };
    SmallVector<Value> rowFactors = factors();
    for (Value factor : rowFactors)
      add(factor, perRow);
    if (op.getGain())
      add(op.getGain(), perColumn);
    if (op.getShift())
      add(op.getShift(), perColumn);
    maps.push_back(matrix);
    Value init = build.empty({rows, b.getIndexAttr(op.getK())}, f32);
    return build.generic(maps, ins, init, 0, [&](OpBuilder &b, ValueRange args) {
      Value h = args[0];
      unsigned next = 1 + rowFactors.size();
      if (rowFactors.size() == 2)
        h = arith::SubFOp::create(b, loc, h, args[2]);
      if (!rowFactors.empty())
        h = arith::MulFOp::create(b, loc, h, args[1]);
      if (op.getGain()) {
        Value v = castFloat(b, loc, args[next++], f32);
        Value offset = LinalgBuilder(b, loc).constant(f32, op.getGainOffset().convertToDouble());
        h = arith::MulFOp::create(b, loc, h, arith::AddFOp::create(b, loc, v, offset));
      }
      if (op.getShift())
        h = arith::AddFOp::create(b, loc, h, castFloat(b, loc, args[next], f32));
      return SmallVector<Value>{h};
    })[0];
  }

  Value linear(Value h, unsigned l) {
    bool isNK = op.getLayout(l) == WeightLayout::NK;
    AffineMap weight = isNK ? build.map(3, {1, 2}) : build.map(3, {2, 1});
    Value init = build.zeros({rows, b.getIndexAttr(op.getN(l))}, f32);
    return build.generic({build.map(3, {0, 2}), weight, build.map(3, {0, 1})},
                         {h, op.getWeights()[l]}, init, 1,
                         [&](OpBuilder &b, ValueRange args) -> SmallVector<Value> {
                           Value w = castFloat(b, loc, args[1], f32);
                           Value product = arith::MulFOp::create(b, loc, args[0], w);
                           return {arith::AddFOp::create(b, loc, args[2], product)};
                         })[0];
  }

  Value finalize(unsigned i, ArrayRef<Value> z) {
    SmallVector<Value> ins;
    SmallVector<AffineMap> maps;
    for (int64_t l : op.getLinearsOf(i)) {
      ins.push_back(z[l]);
      maps.push_back(matrix);
    }
    for (unsigned c : op.getColumnsOf(i)) {
      ins.push_back(op.getColumns()[c]);
      maps.push_back(build.along(2, 1, ins.back()));
    }
    for (unsigned t : op.getTilesOf(i)) {
      ins.push_back(op.getTiles()[t]);
      maps.push_back(matrix);
    }
    maps.push_back(matrix);
    auto type = cast<RankedTensorType>(op.getOuts()[i].getType());
    Value init = build.empty({rows, b.getIndexAttr(type.getDimSize(1))}, type.getElementType());
    return build.generic(maps, ins, init, 0, [&](OpBuilder &b, ValueRange args) {
      return LinalgBuilder::inlineRegion(b, op.getFinalizers()[i], args.drop_back());
    })[0];
  }

  RewriterBase &b;
  OnlineOp op;
  Location loc;
  LinalgBuilder build;
  Type f32;
  OpFoldResult rows;
  AffineMap matrix, perRow, perColumn;
  Value x;
};

struct ExpandOnlinePass : flashfusion::impl::ExpandOnlinePassBase<ExpandOnlinePass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<OnlineOp> ops;
    getOperation()->walk([&](OnlineOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (OnlineOp op : ops) {
      if (!isa<RankedTensorType>(op.getX().getType())) {
        op.emitOpError("is on memrefs; ff-expand-online takes tensors");
        return signalPassFailure();
      }
      rewriter.setInsertionPoint(op);
      OnlineExpansion(rewriter, op).expand();
    }
  }
};

} // namespace
