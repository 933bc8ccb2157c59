//===- BufferizableOpInterfaceImpl.cpp - Bufferization of ff.online --------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How one-shot-bufferize takes ff.online from tensors to memrefs:
//
//   %y = ff.online(%x) weights(%w) outs(%init) ... : (tensors) -> tensor
// becomes
//   ff.online(%x) weights(%w) outs(%y) ... : (memrefs) -> ()
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Dialect/IR/BufferizableOpInterfaceImpl.h"
#include "FlashFusion/Dialect/IR/FF.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::bufferization;

namespace {

/// Reads every input, writes every output, and never reads what an output held
/// before. A kernel reads a row of x while others write rows of the outputs:
/// an output never shares memory with an input.
struct OnlineOpModel : DstBufferizableOpInterfaceExternalModel<OnlineOpModel, OnlineOp> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand, const AnalysisState &) const {
    return !cast<OnlineOp>(op).isDpsInit(&operand);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options, BufferizationState &state) const {
    auto online = cast<OnlineOp>(op);
    SmallVector<Value> operands;
    for (Value operand : online->getOperands()) {
      if (!isa<TensorType>(operand.getType())) {
        operands.push_back(operand);
        continue;
      }
      FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
      if (failed(buffer))
        return failure();
      operands.push_back(*buffer);
    }
    unsigned firstOut = online.getOuts().getBeginOperandIndex();
    OperationState result(online.getLoc(), OnlineOp::getOperationName(), operands, TypeRange(),
                          online->getAttrs());
    for (unsigned i = 0, e = online->getNumRegions(); i < e; ++i)
      result.addRegion();
    result.propertiesAttr = online->getPropertiesAsAttribute();
    rewriter.setInsertionPoint(online);
    Operation *onMemRefs = rewriter.create(result);
    for (auto [from, to] : llvm::zip_equal(online->getRegions(), onMemRefs->getRegions()))
      rewriter.inlineRegionBefore(from, to, to.begin());
    replaceOpWithBufferizedValues(
        rewriter, online, ArrayRef<Value>(operands).slice(firstOut, online.getNumResults()));
    return success();
  }
};

} // namespace

void flashfusion::registerBufferizableOpInterfaceModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, FFDialect *) {
    OnlineOp::attachInterface<OnlineOpModel>(*context);
  });
}
