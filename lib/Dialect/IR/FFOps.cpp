//===- FFOps.cpp - Verifiers and helpers of the ff operations --------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Dialect/IR/FF.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mlir::flashfusion;

/// `row` `{` ... `}` `finalize` `{` ... `}` (`,` `{` ... `}`)*. What a parser from tablegen has of
/// regions when it fails is destroyed with their values, which operations in front of this one may
/// use: a forward reference (malformed, but not yet known to be) has resolved to them.
static ParseResult parseRegions(OpAsmParser &parser, Region &row,
                                SmallVectorImpl<std::unique_ptr<Region>> &finalizers) {
  auto parse = [&]() -> ParseResult {
    if (parser.parseKeyword("row") || parser.parseRegion(row) || parser.parseKeyword("finalize"))
      return failure();
    do {
      auto region = std::make_unique<Region>();
      OptionalParseResult parsed = parser.parseOptionalRegion(*region);
      if (!parsed.has_value() && finalizers.empty())
        return success(); // no outputs
      if (!parsed.has_value())
        return parser.emitError(parser.getCurrentLocation(), "expected a region");
      if (failed(*parsed))
        return failure();
      finalizers.push_back(std::move(region));
    } while (succeeded(parser.parseOptionalComma()));
    return success();
  };
  if (succeeded(parse()))
    return success();
  for (Block &block : row)
    block.dropAllDefinedValueUses();
  for (const std::unique_ptr<Region> &region : finalizers)
    for (Block &block : *region)
      block.dropAllDefinedValueUses();
  return failure();
}

static void printRegions(OpAsmPrinter &printer, OnlineOp, Region &row,
                         MutableArrayRef<Region> finalizers) {
  printer << "row ";
  printer.printRegion(row);
  printer << " finalize ";
  llvm::interleaveComma(finalizers, printer, [&](Region &region) { printer.printRegion(region); });
}

// The kind as a word: an attribute would print a second space in front of it.
static ParseResult parseNormKind(OpAsmParser &parser, NormKindAttr &kind) {
  StringRef word;
  SMLoc at = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return failure();
  std::optional<NormKind> value = symbolizeNormKind(word);
  if (!value)
    return parser.emitError(at, "expected rms_norm, layer_norm or l2_norm");
  kind = NormKindAttr::get(parser.getContext(), *value);
  return success();
}

static void printNormKind(OpAsmPrinter &printer, Operation *, NormKindAttr kind) {
  printer << stringifyNormKind(kind.getValue());
}

#define GET_OP_CLASSES
#include "FlashFusion/Dialect/IR/FFOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Checks that both operations share
//===----------------------------------------------------------------------===//

static WeightLayout layoutAt(ArrayAttr layouts, unsigned linear) {
  return cast<WeightLayoutAttr>(layouts[linear]).getValue();
}

/// Dimension of W_l that runs over K.
static unsigned kDim(ArrayAttr layouts, unsigned linear) {
  return layoutAt(layouts, linear) == WeightLayout::NK ? 1 : 0;
}

/// x is M x K with K static and not 0, gain and shift have length K, every
/// weight is N x K (or K x N) with N static and not 0.
static LogicalResult verifyOperands(Operation *op, ShapedType x, Value gain, Value shift,
                                    OperandRange weights, ArrayAttr layouts,
                                    const APFloat &gainOffset) {
  // What an encoding says, a sparse storage for one, no kernel would keep to.
  for (TypeRange types : {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types)
      if (auto tensor = dyn_cast<RankedTensorType>(type); tensor && tensor.getEncoding())
        return op->emitOpError() << "expects tensors without an encoding, not " << type;
  if (x.getRank() != 2)
    return op->emitOpError("expects x to have rank 2");
  int64_t k = x.getDimSize(1);
  if (ShapedType::isDynamic(k) || k == 0)
    return op->emitOpError("expects K, the last extent of x, to be static and not 0");
  for (auto [value, name] : {std::pair(gain, "gain"), std::pair(shift, "shift")}) {
    if (!value)
      continue;
    auto type = cast<ShapedType>(value.getType());
    if (type.getRank() != 1 || type.getDimSize(0) != k)
      return op->emitOpError() << "expects " << name << " to have the one extent K = " << k;
  }
  if (!gain && !gainOffset.isZero())
    return op->emitOpError("has a gain_offset but no gain");
  if (!gainOffset.isFinite())
    return op->emitOpError("expects a finite gain_offset");
  if (weights.empty())
    return op->emitOpError("expects at least one weight");
  if (layouts.size() != weights.size())
    return op->emitOpError() << "expects one layout per weight: " << weights.size() << " weights, "
                             << layouts.size() << " layouts";
  for (auto [l, weight] : llvm::enumerate(weights)) {
    auto type = cast<ShapedType>(weight.getType());
    if (type.getRank() != 2 || !type.hasStaticShape() || llvm::is_contained(type.getShape(), 0))
      return op->emitOpError() << "expects weight " << l << " to have two static extents, none 0";
    if (type.getDimSize(kDim(layouts, l)) != k)
      return op->emitOpError() << "expects weight " << l << " with layout "
                               << stringifyWeightLayout(layoutAt(layouts, l))
                               << " to run over K = " << k << ", but it is " << type;
  }
  return success();
}

static int64_t extentN(Value weight, ArrayAttr layouts, unsigned linear) {
  return cast<ShapedType>(weight.getType()).getDimSize(1 - kDim(layouts, linear));
}

//===----------------------------------------------------------------------===//
// NormLinearOp
//===----------------------------------------------------------------------===//

/// An x of 8 bits is multiplied by weights of 8 bits; only such an x has a scale, of length M or 1.
static LogicalResult verifyQuantised(Operation *op, ShapedType x, Value scale,
                                     OperandRange weights) {
  auto isQuantised = [](Type type) { return isa<Float8E4M3FNType>(getElementTypeOrSelf(type)); };
  if (isQuantised(x) && !llvm::all_of(weights.getTypes(), isQuantised))
    return op->emitOpError("expects weights of f8E4M3FN for an x of f8E4M3FN");
  if (!scale)
    return success();
  if (!isQuantised(x))
    return op->emitOpError("has an x_scale, but x is not f8E4M3FN");
  auto type = cast<ShapedType>(scale.getType());
  if (type.getRank() != 1 || (type.getDimSize(0) != x.getDimSize(0) && type.getDimSize(0) != 1))
    return op->emitOpError() << "expects x_scale to have the length of a column of x, or 1, not "
                             << type;
  return success();
}

/// Vectors of length N (`mayBeOne`: or 1), at most one for each Linear.
static LogicalResult verifyVectors(NormLinearOp op, StringRef name, OperandRange vectors,
                                   ArrayRef<int64_t> owners, bool mayBeOne) {
  if (owners.size() != vectors.size())
    return op.emitOpError() << "expects " << name << "_of to name one Linear per " << name;
  SmallVector<bool> seen(op.getWeights().size());
  for (auto [vector, linear] : llvm::zip_equal(vectors, owners)) {
    if (linear < 0 || linear >= static_cast<int64_t>(seen.size()) || seen[linear])
      return op.emitOpError() << "expects " << name << "_of to name each Linear at most once";
    seen[linear] = true;
    int64_t length = cast<ShapedType>(vector.getType()).getDimSize(0);
    if (length != extentN(op.getWeights()[linear], op.getLayouts(), linear) &&
        !(mayBeOne && length == 1))
      return op.emitOpError() << "expects the " << name << " of Linear " << linear
                              << " to have length N" << (mayBeOne ? " or 1" : "");
  }
  return success();
}

LogicalResult NormLinearOp::verify() {
  auto x = cast<ShapedType>(getX().getType());
  if (failed(verifyOperands(*this, x, getGain(), getShift(), getWeights(), getLayouts(),
                            getGainOffset())))
    return failure();
  if (failed(verifyQuantised(*this, x, getXScale(), getWeights())))
    return failure();
  if (getEpsAttr() && getEpsValue())
    return emitOpError("has eps both as a constant and as an operand");
  if (getEpsAttr() && (getEps()->isNegative() || !getEps()->isFinite()))
    return emitOpError("expects eps to be finite and not negative");
  if (getNumResults() != getWeights().size())
    return emitOpError("expects one result per weight");
  for (auto [l, result] : llvm::enumerate(getResults())) {
    auto type = cast<ShapedType>(result.getType());
    int64_t n = extentN(getWeights()[l], getLayouts(), l);
    if (type.getDimSize(0) != x.getDimSize(0) || type.getDimSize(1) != n)
      return emitOpError() << "expects result " << l << " to be M x N = "
                           << (x.isDynamicDim(0) ? "?" : std::to_string(x.getDimSize(0))) << " x "
                           << n << ", but it is " << type;
  }
  if (failed(verifyVectors(*this, "bias", getBiases(), getBiasOf(), /*mayBeOne=*/false)))
    return failure();
  return verifyVectors(*this, "scale", getScales(), getScaleOf(), /*mayBeOne=*/true);
}

//===----------------------------------------------------------------------===//
// OnlineOp
//===----------------------------------------------------------------------===//

int64_t OnlineOp::getM() { return cast<ShapedType>(getX().getType()).getDimSize(0); }
int64_t OnlineOp::getK() { return cast<ShapedType>(getX().getType()).getDimSize(1); }

int64_t OnlineOp::getN(unsigned linear) {
  return extentN(getWeights()[linear], getLayouts(), linear);
}

ArrayRef<int64_t> OnlineOp::getLinearsOf(unsigned out) {
  return cast<DenseI64ArrayAttr>(getLinearsOf()[out]).asArrayRef();
}

/// The positions of `out` in `owners`.
static SmallVector<unsigned> positionsOf(unsigned out, ArrayRef<int64_t> owners) {
  SmallVector<unsigned> positions;
  for (auto [i, owner] : llvm::enumerate(owners))
    if (owner == static_cast<int64_t>(out))
      positions.push_back(i);
  return positions;
}

SmallVector<unsigned> OnlineOp::getColumnsOf(unsigned out) {
  return positionsOf(out, getColumnOf());
}

SmallVector<unsigned> OnlineOp::getTilesOf(unsigned out) { return positionsOf(out, getTileOf()); }

WeightLayout OnlineOp::getLayout(unsigned linear) { return layoutAt(getLayouts(), linear); }

bool OnlineOp::isSharedColumn(unsigned column) {
  return cast<ShapedType>(getColumns()[column].getType()).getDimSize(0) == 1 &&
         getN(getLinearsOf(getColumnOf()[column])[0]) != 1;
}

bool OnlineOp::isSharedXScale() {
  return getXScale() && cast<ShapedType>(getXScale().getType()).getDimSize(0) == 1 && getM() != 1;
}

unsigned OnlineOp::getNumRowFactors() { return getRow().front().getTerminator()->getNumOperands(); }

void OnlineOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  for (OpOperand &operand : (*this)->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    if (isDpsInit(&operand))
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
    else
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
  }
}

/// Checks the block arguments of a region against `expected`, and its yield.
static LogicalResult verifyRegion(OnlineOp op, Region &region, const Twine &name,
                                  ArrayRef<Type> expected, function_ref<bool(TypeRange)> yields,
                                  StringRef yieldText) {
  if (!llvm::hasSingleElement(region))
    return op.emitOpError() << "expects region '" << name << "' to have one block";
  Block &block = region.front();
  if (block.getArgumentTypes() != TypeRange(expected)) {
    auto diag = op.emitOpError() << "expects region '" << name << "' to take (";
    llvm::interleaveComma(expected, diag);
    return diag << ")";
  }
  auto yield = dyn_cast_or_null<YieldOp>(block.empty() ? nullptr : &block.back());
  if (!yield || !yields(yield.getOperandTypes()))
    return op.emitOpError() << "expects region '" << name << "' to yield " << yieldText;
  return success();
}

/// A schedule may be written by hand. Which tiles a kernel takes, it says itself.
static LogicalResult verifyVariant(OnlineOp op, Attribute attribute) {
  auto variant = dyn_cast<ScheduleAttr>(attribute);
  if (!variant)
    return op.emitOpError("expects schedule to list #ff.schedule attributes");
  auto check = [&](bool ok, StringRef what) -> LogicalResult {
    return ok ? success()
              : LogicalResult(op.emitOpError() << "expects " << what << " in " << variant);
  };
  int64_t last = variant.getMaxRows(), align = variant.getAlign();
  int64_t tiles[] = {variant.getTileM(), variant.getTileN(), variant.getTileK()};
  if (failed(check(variant.getMinRows() >= 1 && (last == 0 || last >= variant.getMinRows()),
                   "1 <= min_rows <= max_rows, or max_rows = 0,")) ||
      failed(check(llvm::all_of(tiles, [](int64_t t) { return t >= 0 && t <= 65536; }),
                   "tiles of 0 to 65536 elements")) ||
      failed(check(variant.getStages() >= 1 && variant.getStages() <= 64, "1 to 64 stages")) ||
      failed(check(variant.getWarps() >= 1 && variant.getWarps() <= 32, "1 to 32 warps")) ||
      failed(
          check(variant.getSplit() >= 1 && variant.getSplit() <= 65536, "1 <= split <= 65536")) ||
      failed(check(variant.getParts() == 1 || (variant.getFamily() == KernelFamily::Prefill &&
                                               variant.getMma() == MmaKind::Wgmma),
                   "parts only for prefill with wgmma")) ||
      failed(check(variant.getParts() >= 1 && variant.getParts() <= 8, "1 to 8 parts")))
    return failure();
  return check(align >= 1 && align <= 4096 && llvm::isPowerOf2_64(align),
               "align to be a power of 2 up to 4096");
}

LogicalResult OnlineOp::verify() {
  auto x = cast<ShapedType>(getX().getType());
  if (failed(verifyOperands(*this, x, getGain(), getShift(), getWeights(), getLayouts(),
                            getGainOffset())))
    return failure();
  bool onTensors = isa<RankedTensorType>(x);
  for (Value operand : getOperands()) {
    auto element = dyn_cast<FloatType>(getElementTypeOrSelf(operand.getType()));
    if (!element || element.getWidth() > 64)
      return emitOpError() << "expects operands of floats of at most 64 bits, not "
                           << operand.getType();
    bool isFactor = operand == getX() || llvm::is_contained(getWeights(), operand);
    if (element.getWidth() < 16 && !(isFactor && isa<Float8E4M3FNType>(element)))
      return emitOpError()
             << "expects floats of fewer than 16 bits to be x or weights of f8E4M3FN, not "
             << operand.getType();
  }
  if (failed(verifyQuantised(*this, x, getXScale(), getWeights())))
    return failure();
  for (Value operand : getOperands())
    if (isa<ShapedType>(operand.getType()) && isa<RankedTensorType>(operand.getType()) != onTensors)
      return emitOpError("mixes tensors and memrefs");
  if (getNumResults() != (onTensors ? getOuts().size() : 0))
    return emitOpError("expects one result per output on tensors, none on memrefs");
  if (getLinearsOf().size() != getOuts().size() || getFinalizers().size() != getOuts().size())
    return emitOpError("expects one finalizer and one entry of linears_of per output");
  if (getColumnOf().size() != getColumns().size())
    return emitOpError("expects column_of to name one output per column");
  if (getTileOf().size() != getTiles().size())
    return emitOpError("expects tile_of to name one output per tile");

  auto f32 = Float32Type::get(getContext());
  SmallVector<Type> rowArgs(getStatistics().size(), f32);
  if (getXScale())
    rowArgs.push_back(getElementTypeOrSelf(getXScale()));
  llvm::append_range(rowArgs, getScalars().getTypes());
  if (failed(verifyRegion(
          *this, getRow(), "row", rowArgs,
          [&](TypeRange types) {
            return types.size() <= 2 && llvm::all_of(types, [&](Type t) { return t == f32; });
          },
          "at most two f32: scale, center")))
    return failure();

  auto isOutput = [&](int64_t owner) {
    return owner >= 0 && owner < static_cast<int64_t>(getOuts().size());
  };
  if (!llvm::all_of(getColumnOf(), isOutput))
    return emitOpError("expects column_of to name outputs");
  if (!llvm::all_of(getTileOf(), isOutput))
    return emitOpError("expects tile_of to name outputs");
  for (auto [i, out] : llvm::enumerate(getOuts())) {
    auto type = cast<ShapedType>(out.getType());
    auto linears = dyn_cast<DenseI64ArrayAttr>(getLinearsOf()[i]);
    if (!linears || linears.empty() || llvm::any_of(linears.asArrayRef(), [&](int64_t l) {
          return l < 0 || l >= static_cast<int64_t>(getWeights().size());
        }))
      return emitOpError() << "expects linears_of[" << i << "] to list Linears";
    int64_t n = getN(linears[0]);
    for (int64_t l : linears.asArrayRef())
      if (getN(l) != n)
        return emitOpError() << "expects the Linears of output " << i << " to share N";
    if (type.getRank() != 2 || type.getDimSize(0) != x.getDimSize(0) || type.getDimSize(1) != n)
      return emitOpError() << "expects output " << i << " to be M x N with N = " << n
                           << ", but it is " << type;
    if (onTensors && getResult(i).getType() != type)
      return emitOpError() << "expects result " << i << " to have the type of its output";
    SmallVector<Type> args(linears.size(), f32);
    for (unsigned c : getColumnsOf(i)) {
      auto column = cast<ShapedType>(getColumns()[c].getType());
      if (column.getRank() != 1 || (column.getDimSize(0) != n && column.getDimSize(0) != 1))
        return emitOpError() << "expects column " << c << " to have length N = " << n << ", or 1";
      args.push_back(column.getElementType());
    }
    for (unsigned t : getTilesOf(i)) {
      auto tile = cast<ShapedType>(getTiles()[t].getType());
      if (tile.getShape() != type.getShape())
        return emitOpError() << "expects tile " << t << " to have the shape of output " << i
                             << ", but it is " << tile;
      args.push_back(tile.getElementType());
    }
    Type element = type.getElementType();
    if (failed(verifyRegion(
            *this, getFinalizers()[i], "finalize", args,
            [&](TypeRange types) { return types.size() == 1 && types[0] == element; },
            "one element of the output")))
      return failure();
  }
  if (ArrayAttr schedule = getScheduleAttr())
    for (Attribute variant : schedule)
      if (failed(verifyVariant(*this, variant)))
        return failure();
  return success();
}
