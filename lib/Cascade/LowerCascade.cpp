//===- LowerCascade.cpp - Cascades of Einsums to linalg --------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   cascade.einsum "Z"[M, N] = add(%a[M, K], %b[K, N])     linalg.generic over (M, N, K)
//   cascade.iterate "M" to 4 streams(%k) init(%r)          scf.for 0 to 4, a slice of %k
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Cascade/Passes.h"

#include "FlashFusion/Dialect/Cascade/Cascade.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::flashfusion {
#define GEN_PASS_DEF_LOWERCASCADEPASS
#include "FlashFusion/Cascade/Passes.h.inc"
} // namespace mlir::flashfusion

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::cascade;

namespace {
struct EinsumLowering {
  EinsumLowering(RewriterBase &b, EinsumOp op)
      : b(b), op(op), loc(op.getLoc()), ranks(op.getIterationRanks()) {}

  void run() {
    b.setInsertionPoint(op);
    SmallVector<Value> inputs(op.getInputs());
    SmallVector<AffineMap> maps;
    for (unsigned i = 0; i < inputs.size(); ++i)
      maps.push_back(getMap(op.getReadRanks(i), ranks.size()));
    maps.push_back(getMap(op.getWriteRanks(), ranks.size()));
    SmallVector<utils::IteratorType> iterators(ranks.size(), utils::IteratorType::parallel);
    for (unsigned i = op.getWriteRanks().size(); i < ranks.size(); ++i)
      iterators[i] = utils::IteratorType::reduction;
    auto generic = linalg::GenericOp::create(
        b, loc, op.getType(), inputs, getStart(), maps, iterators,
        [&](OpBuilder &nested, Location, ValueRange args) {
          IRMapping mapping;
          mapping.map(op.getBody().front().getArguments(), args.drop_back());
          for (Operation &inner : op.getBody().front().without_terminator())
            nested.clone(inner, mapping);
          Value value = mapping.lookupOrDefault(op.getYielded());
          if (op.getReduction() == Reduction::Add)
            value = arith::AddFOp::create(nested, loc, args.back(), value);
          else if (op.getReduction() == Reduction::Max)
            value = arith::MaximumFOp::create(nested, loc, args.back(), value);
          linalg::YieldOp::create(nested, loc, value);
        });
    b.replaceOp(op, generic.getResults());
  }

private:
  AffineMap getMap(ArrayRef<StringRef> names, unsigned dims) {
    SmallVector<AffineExpr> exprs;
    for (StringRef name : names)
      exprs.push_back(name == "_" ? b.getAffineConstantExpr(0)
                                  : b.getAffineDimExpr(llvm::find(ranks, name) - ranks.begin()));
    return AffineMap::get(dims, 0, exprs, b.getContext());
  }

  /// The extent of a rank whose size is not static, from an operand that has it.
  Value getSize(StringRef rank) {
    for (auto [i, input] : llvm::enumerate(op.getInputs())) {
      EinsumOp::Names names = op.getReadRanks(i);
      auto it = llvm::find(names, rank);
      if (it != names.end())
        return tensor::DimOp::create(b, loc, input, it - names.begin());
    }
    EinsumOp::Names names = op.getInitRankNames();
    return tensor::DimOp::create(b, loc, op.getInit(), llvm::find(names, rank) - names.begin());
  }

  /// What the result starts from.
  Value getStart() {
    RankedTensorType type = op.getType();
    SmallVector<Value> dynamic;
    EinsumOp::Names writes = op.getWriteRanks();
    for (auto [rank, size] : llvm::zip_equal(writes, type.getShape()))
      if (ShapedType::isDynamic(size))
        dynamic.push_back(getSize(rank));
    Value empty = tensor::EmptyOp::create(b, loc, type, dynamic);
    if (!op.getReduction())
      return empty;
    if (!op.getInit()) {
      auto element = cast<FloatType>(type.getElementType());
      const llvm::fltSemantics &semantics = element.getFloatSemantics();
      APFloat neutral = op.getReduction() == Reduction::Add
                            ? APFloat::getZero(semantics)
                            : APFloat::getInf(semantics, /*Negative=*/true);
      Value value = arith::ConstantOp::create(b, loc, b.getFloatAttr(element, neutral));
      return linalg::FillOp::create(b, loc, value, empty).getResult(0);
    }
    if (op.getInitRankNames() == writes)
      return op.getInit();
    SmallVector<utils::IteratorType> parallel(writes.size(), utils::IteratorType::parallel);
    return linalg::GenericOp::create(
               b, loc, TypeRange{type}, ValueRange{op.getInit()}, ValueRange{empty},
               ArrayRef<AffineMap>{getMap(op.getInitRankNames(), writes.size()),
                                   getMap(writes, writes.size())},
               parallel,
               [](OpBuilder &nested, Location at, ValueRange args) {
                 linalg::YieldOp::create(nested, at, args[0]);
               })
        .getResult(0);
  }

  RewriterBase &b;
  EinsumOp op;
  Location loc;
  EinsumOp::Names ranks;
};
} // namespace

static void lowerIterate(RewriterBase &b, IterateOp op) {
  Location loc = op.getLoc();
  b.setInsertionPoint(op);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value steps = arith::ConstantIndexOp::create(b, loc, op.getSteps());
  auto loop = scf::ForOp::create(b, loc, zero, steps, one, op.getInits());
  Block *body = loop.getBody();
  // Without running tensors the builder has ended the body already.
  if (!body->empty())
    b.eraseOp(body->getTerminator());
  b.setInsertionPointToEnd(body);
  SmallVector<Value> args{loop.getInductionVar()};
  for (auto [stream, dim, fiber] :
       llvm::zip_equal(op.getStreams(), op.getStreamDims(), op.getStreamArgs())) {
    auto type = cast<RankedTensorType>(stream.getType());
    SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0)),
        strides(type.getRank(), b.getIndexAttr(1)), sizes = tensor::getMixedSizes(b, loc, stream);
    offsets[dim] = loop.getInductionVar();
    sizes[dim] = b.getIndexAttr(1);
    args.push_back(tensor::ExtractSliceOp::create(b, loc, cast<RankedTensorType>(fiber.getType()),
                                                  stream, offsets, sizes, strides));
  }
  llvm::append_range(args, loop.getRegionIterArgs());
  Operation *yield = op.getBody().front().getTerminator();
  b.inlineBlockBefore(&op.getBody().front(), body, body->end(), args);
  b.setInsertionPoint(yield);
  b.replaceOpWithNewOp<scf::YieldOp>(yield, yield->getOperands());
  b.replaceOp(op, loop.getResults());
}

static void lowerGraph(RewriterBase &b, GraphOp graph) {
  SmallVector<EinsumOp> einsums;
  SmallVector<IterateOp> iterates;
  graph.getBody().walk([&](EinsumOp op) { einsums.push_back(op); });
  graph.getBody().walk([&](IterateOp op) { iterates.push_back(op); });
  for (EinsumOp op : einsums)
    EinsumLowering(b, op).run();
  for (IterateOp op : iterates) // inner ones first
    lowerIterate(b, op);
  Operation *yield = graph.getBody().front().getTerminator();
  SmallVector<Value> results(yield->getOperands());
  b.inlineBlockBefore(&graph.getBody().front(), graph, graph.getInputs());
  // An argument that is yielded is an operand by now.
  results.assign(yield->operand_begin(), yield->operand_end());
  b.eraseOp(yield);
  b.replaceOp(graph, results);
}

namespace {
struct LowerCascadePass : flashfusion::impl::LowerCascadePassBase<LowerCascadePass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<GraphOp> graphs;
    getOperation()->walk([&](GraphOp graph) { graphs.push_back(graph); });
    IRRewriter rewriter(&getContext());
    for (GraphOp graph : graphs)
      lowerGraph(rewriter, graph);
  }
};
} // namespace
