//===- Remarks.cpp - What the compiler decided, as JSON lines --------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Remarks.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/JSON.h"

using namespace mlir;

namespace {

struct JSONStreamer : remark::detail::MLIRRemarkStreamerBase {
  explicit JSONStreamer(llvm::raw_ostream &os) : os(os) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    std::string location;
    llvm::raw_string_ostream(location) << remark.getLocation();
    llvm::json::Object args;
    for (const remark::detail::Remark::Arg &arg : remark.getArgs())
      args[llvm::json::fixUTF8(arg.key)] = llvm::json::fixUTF8(arg.val);
    llvm::json::Object line{{"outcome", remark.getRemarkTypeString()},
                            {"category", remark.getCategoryName()},
                            {"name", remark.getRemarkName()},
                            {"function", llvm::json::fixUTF8(remark.getFunction())},
                            {"location", llvm::json::fixUTF8(location)},
                            {"args", std::move(args)}};
    os << llvm::json::Value(std::move(line)) << "\n";
  }

  llvm::raw_ostream &os;
};

} // namespace

LogicalResult ffcompile::streamRemarks(MLIRContext &context, llvm::raw_ostream &os) {
  remark::RemarkCategories categories;
  // Outcomes without a filter of their own are off, whatever `all` says.
  categories.passed = categories.missed = categories.analysis = categories.failed = ".*";
  return remark::enableOptimizationRemarks(context, std::make_unique<JSONStreamer>(os),
                                           std::make_unique<remark::RemarkEmittingPolicyAll>(),
                                           categories);
}
