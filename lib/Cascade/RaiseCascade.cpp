//===- RaiseCascade.cpp - linalg on tensors to cascades of Einsums ---------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %0 = tensor.collapse_shape %x ...          %0 = tensor.expand_shape %w [4, 8, 32]
//   %1 = linalg.matmul %0, %w                  %1 = cascade.einsum "contract0"[a, b, c, d]
//   %2 = tensor.expand_shape %1 ...      ->           = add(%x[a, b, e], %0[c, d, e])
//   %3 = linalg.generic { exp(in - max) }      %3 = cascade.einsum "exp3"[a, b, c] = map(..)
//
// Reshapes move to arguments and results and copies into their readers with upstream's
// patterns; what is left of linalg then reads and writes through projections, which are
// subscripts.
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Cascade/RaiseCascade.h"
#include "FlashFusion/Cascade/Passes.h"

#include "FlashFusion/Dialect/Cascade/Cascade.h"
#include "RankNames.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::flashfusion {
#define GEN_PASS_DEF_RAISECASCADEPASS
#include "FlashFusion/Cascade/Passes.h.inc"
} // namespace mlir::flashfusion

using namespace mlir;
using namespace mlir::flashfusion;

//===----------------------------------------------------------------------===//
// Normal form
//===----------------------------------------------------------------------===//

/// Whether the operation moves elements, or only widens them: in memory they are narrow then.
static bool isCopy(linalg::GenericOp op, bool *widens = nullptr) {
  Value value = op.getBody()->getTerminator()->getOperand(0);
  while (auto extend = value.getDefiningOp<arith::ExtFOp>()) {
    value = extend.getIn();
    if (widens)
      *widens = true;
  }
  return isa<BlockArgument>(value) && value.getParentBlock() == op.getBody();
}

/// Copies (transposes, broadcasts, casts to a wider type) go into whoever reads them; an
/// elementwise operation into the only elementwise one that reads it, if that has the same loops.
static bool shouldFuse(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
  if (!producer || !consumer || producer.getNumResults() != 1)
    return false;
  if (isCopy(producer))
    return true;
  bool widens = false;
  if (isCopy(consumer, &widens) && widens)
    return false;
  return producer->hasOneUse() && consumer.getNumReductionLoops() == 0 &&
         producer.getNumLoops() == consumer.getNumLoops();
}

/// Reshapes that only add or drop dimensions of size 1 stay: folding them into operations
/// would give these loops that the next round drops again.
static bool shouldFoldReshape(OpOperand *operand) {
  auto isUnitOnly = [](ArrayRef<ReassociationIndices> groups, RankedTensorType expanded) {
    return llvm::all_of(groups, [&](const ReassociationIndices &group) {
      return llvm::count_if(group, [&](int64_t d) { return expanded.getDimSize(d) != 1; }) <= 1;
    });
  };
  for (Operation *op : {operand->get().getDefiningOp(), operand->getOwner()}) {
    if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(op))
      return !isUnitOnly(expand.getReassociationIndices(), expand.getResultType());
    if (auto collapse = dyn_cast_or_null<tensor::CollapseShapeOp>(op))
      return !isUnitOnly(collapse.getReassociationIndices(), collapse.getSrcType());
  }
  return true;
}

namespace {
// Pattern: all_m(x[m] == -inf) -> max_m(x[m]) == -inf
//
// What clears rows of softmax whose keys are all masked. A NaN is a maximum, and not equal either.
// The maximum is one that softmax has taken already.
struct AllMaskedIsMaximum : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
        !op.getNumReductionLoops() ||
        !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isProjectedPermutation())
      return rewriter.notifyMatchFailure(op, "no reduction of one tensor");
    Block *body = op.getBody();
    auto all = body->getTerminator()->getOperand(0).getDefiningOp<arith::AndIOp>();
    auto isArg = [&](unsigned i) { return all.getOperand(i) == body->getArgument(i); };
    auto isSwapped = [&](unsigned i) { return all.getOperand(i) == body->getArgument(1 - i); };
    if (!all || !((isArg(0) && isArg(1)) || (isSwapped(0) && isSwapped(1))) || !startsTrue(op))
      return rewriter.notifyMatchFailure(op, "no conjunction");
    auto map = op.getInputs()[0].getDefiningOp<linalg::GenericOp>();
    if (!map || map.getNumReductionLoops() || map.getNumDpsInputs() != 1 ||
        map.getNumResults() != 1 ||
        !map.getMatchingIndexingMap(map.getDpsInitOperand(0)).isIdentity())
      return rewriter.notifyMatchFailure(op, "not of a map");
    auto equal = map.getBody()->getTerminator()->getOperand(0).getDefiningOp<arith::CmpFOp>();
    FloatAttr bound;
    if (!equal || equal.getPredicate() != arith::CmpFPredicate::OEQ ||
        !matchPattern(equal.getRhs(), m_Constant(&bound)) || !bound.getValue().isInfinity() ||
        !bound.getValue().isNegative())
      return rewriter.notifyMatchFailure(op, "no comparison with minus infinity");
    Value x = equal.getLhs();
    while (auto extend = x.getDefiningOp<arith::ExtFOp>())
      x = extend.getIn();
    if (x != map.getBody()->getArgument(0))
      return rewriter.notifyMatchFailure(op, "no comparison of an element");

    Location loc = op.getLoc();
    OpOperand *source = map.getDpsInputOperand(0);
    AffineMap read = map.getMatchingIndexingMap(source).compose(
        op.getMatchingIndexingMap(op.getDpsInputOperand(0)));
    AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    if (!inversePermutation(concatAffineMaps({read, written}, rewriter.getContext())))
      return rewriter.notifyMatchFailure(op, "a loop that the element does not vary over");
    Type type = x.getType().getIntOrFloatBitWidth() < 32 ? rewriter.getF32Type() : x.getType();
    auto minusInfinity = [&](OpBuilder &b, Type of) -> Value {
      return arith::ConstantOp::create(
          b, loc,
          b.getFloatAttr(of, APFloat::getInf(cast<FloatType>(of).getFloatSemantics(), true)));
    };
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, op.getDpsInitOperand(0)->get());
    Value lowest =
        linalg::FillOp::create(rewriter, loc, minusInfinity(rewriter, type),
                               tensor::EmptyOp::create(rewriter, loc, sizes, type).getResult())
            .getResult(0);
    Value maximum =
        linalg::GenericOp::create(
            rewriter, loc, lowest.getType(), source->get(), lowest,
            ArrayRef<AffineMap>{read, written}, op.getIteratorTypesArray(),
            [&](OpBuilder &b, Location, ValueRange v) {
              Value element =
                  v[0].getType() == type ? v[0] : Value(arith::ExtFOp::create(b, loc, type, v[0]));
              linalg::YieldOp::create(b, loc,
                                      arith::MaximumFOp::create(b, loc, element, v[1]).getResult());
            })
            .getResult(0);
    unsigned rank = sizes.size();
    SmallVector<AffineMap> maps(2, rewriter.getMultiDimIdentityMap(rank));
    Value empty = tensor::EmptyOp::create(rewriter, loc, sizes, rewriter.getI1Type());
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(
        op, empty.getType(), maximum, empty, maps,
        SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
        [&](OpBuilder &b, Location, ValueRange v) {
          linalg::YieldOp::create(
              b, loc,
              arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, v[0], minusInfinity(b, type))
                  .getResult());
        });
    return success();
  }

  static bool startsTrue(linalg::GenericOp op) {
    Value init = op.getDpsInits()[0];
    DenseElementsAttr dense;
    if (matchPattern(init, m_Constant(&dense)))
      return dense.isSplat() && dense.getSplatValue<APInt>().isOne();
    Value filled;
    if (auto fill = init.getDefiningOp<linalg::FillOp>())
      filled = fill.value();
    else if (auto generic = init.getDefiningOp<linalg::GenericOp>())
      filled = generic.getBody()->getTerminator()->getOperand(0);
    return filled && matchPattern(filled, m_One());
  }
};
} // namespace

static LogicalResult normalize(func::FuncOp func) {
  MLIRContext *context = func.getContext();
  auto apply = [&](function_ref<void(RewritePatternSet &)> populate) {
    RewritePatternSet patterns(context);
    populate(patterns);
    for (RegisteredOperationName op : context->getRegisteredOperations())
      if (StringRef dialect = op.getDialectNamespace(); dialect == "linalg" || dialect == "tensor")
        op.getCanonicalizationPatterns(patterns, context);
    linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    return applyPatternsGreedily(func, std::move(patterns));
  };
  if (failed(apply(linalg::populateLinalgNamedOpsGeneralizationPatterns)))
    return failure();
  for (unsigned round = 0; round < 2; ++round) {
    if (failed(apply([](RewritePatternSet &patterns) {
          linalg::ControlDropUnitDims options;
          // Upstream would lose an encoding.
          options.controlFn = [all = options.controlFn](Operation *op) {
            auto isEncoded = [](Type type) {
              auto tensor = dyn_cast<RankedTensorType>(type);
              return tensor && tensor.getEncoding();
            };
            return llvm::any_of(op->getResultTypes(), isEncoded) ? SmallVector<unsigned>()
                                                                 : all(op);
          };
          linalg::populateFoldUnitExtentDimsPatterns(patterns, options);
          linalg::populateMoveInitOperandsToInputPattern(patterns);
        })) ||
        failed(apply([](RewritePatternSet &patterns) {
          linalg::populateElementwiseOpsFusionPatterns(patterns, shouldFuse);
          linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, shouldFoldReshape);
          linalg::populateInlineConstantOperandsPatterns(patterns);
        })))
      return failure();
  }
  return apply([&](RewritePatternSet &patterns) { patterns.add<AllMaskedIsMaximum>(context); });
}

//===----------------------------------------------------------------------===//
// Einsums
//===----------------------------------------------------------------------===//

/// Why the result has not the type that an Einsum takes from what it reads: a constant was inlined
/// that alone had a rank of the result; casts and reshapes with extents that contradict each other
/// get this far, too, and types with an encoding.
static StringRef whyOtherType(linalg::GenericOp op) {
  llvm::SmallDenseMap<unsigned, int64_t> sizes;
  auto scan = [&](OpOperand &operand, function_ref<void(unsigned, int64_t)> use) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [expr, size] : llvm::zip_equal(map.getResults(), op.getShape(&operand)))
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        use(dim.getPosition(), size);
  };
  for (OpOperand *operand : op.getDpsInputOperands())
    scan(*operand, [&](unsigned loop, int64_t size) { sizes.try_emplace(loop, size); });
  bool read = true, same = true;
  auto compare = [&](unsigned loop, int64_t size) {
    read &= sizes.contains(loop);
    same &= sizes.lookup(loop) == size;
  };
  for (OpOperand &operand : op->getOpOperands())
    scan(operand, compare);
  auto type = dyn_cast<RankedTensorType>(op.getResult(0).getType());
  if (!read)
    return "rank-not-read";
  return same && type && !type.getEncoding() ? "" : "extents";
}

/// Why an operation is no Einsum; empty if it is one.
static StringRef whyNotEinsum(linalg::GenericOp op) {
  if (op.getNumResults() != 1 || op.getNumDpsInits() != 1 || !op.hasPureTensorSemantics())
    return "several-results";
  Block *body = op.getBody();
  for (Operation &inner : body->without_terminator()) {
    if (isa<linalg::IndexOp>(inner))
      return "reads-indices";
    if (!isMemoryEffectFree(&inner) || inner.getNumRegions() || inner.getNumResults() != 1)
      return "body";
    for (Value operand : inner.getOperands())
      if (operand.getParentBlock() != body && !matchPattern(operand, m_Constant()))
        return "reads-scalars";
  }
  Value yielded = body->getTerminator()->getOperand(0);
  if (yielded.getParentBlock() != body && !matchPattern(yielded, m_Constant()))
    return "reads-scalars";
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (op.isDpsInit(&operand) ? !map.isProjectedPermutation()
                               : !map.isProjectedPermutation(/*allowZeroInResults=*/true))
      return "subscripts";
    if (op.isDpsInit(&operand) && map.getNumResults() != op.getNumParallelLoops())
      return "subscripts";
    // Position 0 of a longer dimension is a slice.
    for (auto [d, expr] : llvm::enumerate(map.getResults()))
      if (!isa<AffineDimExpr>(expr) && op.getShape(&operand)[d] != 1)
        return "subscripts";
  }
  if (StringRef reason = whyOtherType(op); op.getNumDpsInputs() && !reason.empty())
    return reason;
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (AffineExpr expr : written.getResults())
    if (iterators[cast<AffineDimExpr>(expr).getPosition()] != utils::IteratorType::parallel)
      return "subscripts";
  BlockArgument out = body->getArguments().back();
  if (!op.getNumReductionLoops())
    return out.use_empty() ? "" : "reads-result";
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    bool read = llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
      return op.getMatchingIndexingMap(operand).isFunctionOfDim(loop);
    });
    if (!read && iterators[loop] == utils::IteratorType::reduction)
      return "subscripts";
  }
  SmallVector<Operation *> combiners;
  if (!matchReduction({out}, 0, combiners) || combiners.size() != 1 || !out.hasOneUse() ||
      !isa<arith::AddFOp, arith::MaximumFOp>(combiners[0]))
    return "reduction";
  return "";
}

/// The constant that fills a tensor.
static std::optional<APFloat> getFill(Value value) {
  FloatAttr attr;
  DenseElementsAttr dense;
  if (matchPattern(value, m_Constant(&dense)) && dense.isSplat() &&
      isa<FloatType>(dense.getElementType()))
    return dense.getSplatValue<APFloat>();
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return getFill(op->getOperand(0));
  if (auto fill = dyn_cast_or_null<linalg::FillOp>(op))
    if (matchPattern(fill.value(), m_Constant(&attr)))
      return attr.getValue();
  if (auto generic = dyn_cast_or_null<linalg::GenericOp>(op))
    if (matchPattern(generic.getBody()->getTerminator()->getOperand(0), m_Constant(&attr)))
      return attr.getValue();
  return std::nullopt;
}

namespace {
struct Raising {
  Raising(OpBuilder &b, const RankNames &names, IRMapping &mapping)
      : b(b), names(names), mapping(mapping) {}

  void raise(linalg::GenericOp op) {
    auto ranksOf = [&](OpOperand &operand) {
      SmallVector<StringRef> ranks;
      for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults()) {
        auto dim = dyn_cast<AffineDimExpr>(expr);
        ranks.push_back(dim ? names.lookup(op, dim.getPosition()) : StringRef("_"));
      }
      return ranks;
    };
    SmallVector<cascade::Access> reads;
    for (OpOperand *operand : op.getDpsInputOperands())
      reads.push_back({mapping.lookup(operand->get()), ranksOf(*operand)});
    OpOperand &out = *op.getDpsInitOperand(0);
    std::optional<cascade::Reduction> reduction;
    std::optional<cascade::Access> init;
    Value mapped = op.getBody()->getTerminator()->getOperand(0);
    Operation *combiner = nullptr;
    if (op.getNumReductionLoops()) {
      SmallVector<Operation *> combiners;
      mapped = matchReduction({op.getBody()->getArguments().back()}, 0, combiners);
      combiner = combiners[0];
      bool sum = isa<arith::AddFOp>(combiner);
      reduction = sum ? cascade::Reduction::Add : cascade::Reduction::Max;
      std::optional<APFloat> fill = getFill(out.get());
      if (!fill || !(sum ? fill->isPosZero() : fill->isInfinity() && fill->isNegative()))
        init = cascade::Access{mapping.lookup(out.get()), ranksOf(out)};
    }
    auto body = [&](OpBuilder &inner, ValueRange elements) -> Value {
      IRMapping values;
      values.map(op.getBody()->getArguments().drop_back(), elements);
      auto lookup = [&](Value value) {
        if (!values.contains(value) && value.getParentBlock() != op.getBody())
          values.map(value, inner.clone(*value.getDefiningOp())->getResult(0));
        return values.lookup(value);
      };
      for (Operation &nested : op.getBody()->without_terminator()) {
        if (&nested == combiner)
          continue;
        for (Value operand : nested.getOperands())
          lookup(operand);
        inner.clone(nested, values);
      }
      return lookup(mapped);
    };
    // All of one name, as long as what is computed twice is looked for.
    auto einsum =
        cascade::createEinsum(b, op.getLoc(), "t", ranksOf(out), reduction, reads, body, {}, init);
    mapping.map(op.getResult(0), einsum.getResult());
  }

private:
  OpBuilder &b;
  const RankNames &names;
  IRMapping &mapping;
};

/// The order of ranks in memory is nobody's business where names stand at every use: a map that
/// transposes what it reads writes it as it is, if Einsums alone read it.
///
///   Y[p, h] = map(X[h, p]), Z[p] = add(Y[p, h])   ->   Y[h, p] = map(X[h, p]), Z[p] = add(Y[h, p])
void writeAsRead(RewriterBase &b, cascade::EinsumOp op) {
  cascade::EinsumOp::Names writes = op.getWriteRanks(), order;
  if (op.getReduction())
    return;
  for (unsigned i = 0; i < op.getInputs().size(); ++i) {
    cascade::EinsumOp::Names reads = op.getReadRanks(i);
    if (reads == writes)
      return;
    if (order.empty() && reads.size() == writes.size() &&
        std::is_permutation(reads.begin(), reads.end(), writes.begin()))
      order = reads;
  }
  if (order.empty() || !llvm::all_of(op->getUsers(), llvm::IsaPred<cascade::EinsumOp>))
    return;
  SmallVector<int64_t> from; // where each dimension was
  SmallVector<int64_t> shape;
  for (StringRef rank : order) {
    from.push_back(llvm::find(writes, rank) - writes.begin());
    shape.push_back(op.getType().getDimSize(from.back()));
  }
  auto permute = [&](ArrayAttr names) {
    SmallVector<Attribute> permuted;
    for (int64_t dim : from)
      permuted.push_back(names[dim]);
    return b.getArrayAttr(permuted);
  };
  for (Operation *user : llvm::SmallSetVector<Operation *, 4>(llvm::from_range, op->getUsers())) {
    auto reader = cast<cascade::EinsumOp>(user);
    SmallVector<Attribute> reads(reader.getReads().getValue());
    for (auto [i, input] : llvm::enumerate(reader.getInputs()))
      if (input == op.getResult())
        reads[i] = permute(cast<ArrayAttr>(reads[i]));
    reader.setReadsAttr(b.getArrayAttr(reads));
    if (reader.getInit() == op.getResult())
      reader.setInitRanksAttr(permute(reader.getInitRanksAttr()));
  }
  op.setWritesAttr(permute(op.getWrites()));
  op.getResult().setType(RankedTensorType::get(shape, op.getType().getElementType()));
}

} // namespace

cascade::Obstacle cascade::findObstacle(func::FuncOp func) {
  WalkResult linalg = func.walk([](linalg::LinalgOp) { return WalkResult::interrupt(); });
  if (func.isExternal() || !linalg.wasInterrupted())
    return {nullptr, "no-linalg"};
  if (!func.getBody().hasOneBlock())
    return {func, "control-flow"};
  for (Operation &op : func.getBody().front().without_terminator()) {
    // Upstream's verifier lets the extents contradict the type, and its patterns believe either.
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
      for (auto [given, typed] :
           llvm::zip_equal(expand.getStaticOutputShape(), expand.getResultType().getShape()))
        if (given != typed)
          return {&op, "extents"};
    if (!isMemoryEffectFree(&op))
      return {&op, "effects"};
  }
  if (func.getBody().front().getOps<linalg::LinalgOp>().empty())
    return {func, "control-flow"};
  return {nullptr, ""};
}

namespace {
using cascade::Obstacle;

struct RaiseCascadePass : flashfusion::impl::RaiseCascadePassBase<RaiseCascadePass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<func::FuncOp> funcs(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp func : funcs) {
      Obstacle obstacle = cascade::findObstacle(func);
      if (obstacle.op)
        remark::missed(obstacle.op->getLoc(), options(func, "declined"))
            << remark::detail::Remark::Arg("reason", obstacle.reason);
      else if (obstacle.reason.empty()) {
        if (failed(normalize(func))) {
          emitError(func.getLoc(), "the function has no normal form to read a cascade from");
          return signalPassFailure();
        }
        if (!raise(func))
          return signalPassFailure();
      }
    }
  }

  static remark::RemarkOpts options(func::FuncOp func, StringRef name) {
    return remark::RemarkOpts::name(name).category("ff-raise-cascade").function(func.getName());
  }

  bool raise(func::FuncOp func) {
    using Arg = remark::detail::Remark::Arg;
    Block *block = &func.getBody().front();
    SmallVector<linalg::GenericOp> generics;
    for (auto op : block->getOps<linalg::GenericOp>())
      if (op.getNumDpsInputs() && whyNotEinsum(op).empty())
        generics.push_back(op);
    RankNames names(generics);
    OpBuilder b = OpBuilder::atBlockBegin(block);
    Operation *terminator = block->getTerminator();
    auto graph = cascade::GraphOp::create(b, func.getLoc(), terminator->getOperandTypes(),
                                          b.getStringAttr(func.getName()), block->getArguments(),
                                          ArrayAttr(), ArrayAttr(), ArrayAttr());
    IRMapping mapping;
    Block *body = b.createBlock(&graph.getBody());
    for (BlockArgument arg : block->getArguments())
      mapping.map(arg, body->addArgument(arg.getType(), arg.getLoc()));
    Raising raising(b, names, mapping);
    for (Operation &op : block->without_terminator()) {
      if (&op == graph)
        continue;
      auto generic = dyn_cast<linalg::GenericOp>(op);
      if (generic && llvm::is_contained(generics, generic))
        raising.raise(generic);
      else
        b.clone(op, mapping);
    }
    SmallVector<Value> results;
    for (Value operand : terminator->getOperands())
      results.push_back(mapping.lookup(operand));
    cascade::YieldOp::create(b, func.getLoc(), results);
    terminator->setOperands(graph.getResults());
    IRRewriter rewriter(func.getContext());
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*block)))
      if (&op != terminator && &op != graph)
        rewriter.eraseOp(&op);
    DominanceInfo dominance;
    eliminateCommonSubExpressions(rewriter, dominance, graph);
    (void)runRegionDCE(rewriter, graph->getRegions());
    unsigned einsums = 0;
    // Named by what is computed last.
    for (auto einsum : body->getOps<cascade::EinsumOp>()) {
      SmallVector<cascade::MapStep> steps = cascade::getMapSteps(einsum);
      einsum.setName((stringifyOpKind(steps.back().kind) + Twine(einsums++)).str());
    }
    for (auto einsum : llvm::make_early_inc_range(body->getOps<cascade::EinsumOp>()))
      writeAsRead(rewriter, einsum);

    unsigned others = 0;
    for (Operation &op : body->without_terminator())
      if (isa<linalg::LinalgOp>(op)) {
        auto generic = dyn_cast<linalg::GenericOp>(op);
        StringRef reason = generic ? whyNotEinsum(generic) : StringRef("operation");
        if (reason.empty()) // a constant tensor
          continue;
        ++others;
        remark::missed(op.getLoc(), options(func, "kept")) << Arg("reason", reason);
      }
    remark::passed(func.getLoc(), options(func, "graph"))
        << Arg("einsums", einsums) << Arg("others", others);
    return true;
  }
};
} // namespace
