//===- KernelReader.h - A group as a kernel -------------------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_LIB_PLAN_KERNELREADER_H
#define FLASHFUSION_LIB_PLAN_KERNELREADER_H

#include "FlashFusion/Plan/KernelModel.h"

namespace mlir::flashfusion::plan {

/// Reads what a group is, as positions of its Einsums in sets, and prices it.
class KernelReader {
public:
  KernelReader(const KernelModel &model, const Group &group);

  /// Whether a kind of kernel serves the group, as far as its form goes.
  Refusal classify(Kernel &kernel);
  /// Tile, schedule and traffic; a reason if no tile fits.
  std::string price(Kernel &kernel, uint64_t visits);

  static std::optional<Product> readProduct(const KernelModel &model, const Einsum &einsum);

private:
  bool sameOperation(unsigned a, unsigned b) const;
  void findLeft(Product &product, unsigned einsum, const llvm::StringMap<unsigned> &position);
  bool isReduction(unsigned i) const;
  double reducedVolume(unsigned i) const;
  bool isRowFactor(unsigned i, const Operand &read) const;
  bool comesFrom(llvm::StringRef tensor, llvm::ArrayRef<std::string> sources) const;
  Refusal checkRows() const;
  Refusal checkLinear(Kernel &kernel);
  Refusal checkOutputs(Kernel &kernel) const;
  Refusal checkAttention() const;

  int64_t countTiles(const Kernel &kernel, int64_t width) const;
  double sumUpRows() const;
  bool chooseTile(Kernel &kernel, double &cycles) const;
  void countBytes(Kernel &kernel) const;
  double getLaunchCycles(const Kernel &kernel) const;

  const KernelModel &model;
  const Group &group;
  unsigned size;
  std::vector<NodeSet> preds, after; ///< ancestors; those that are products
  NodeSet productSet = 0, folded = 0, movedInside = 0;
  NodeSet behind = 0; ///< what finalizers do
  std::vector<Product> products;
};

} // namespace mlir::flashfusion::plan

#endif // FLASHFUSION_LIB_PLAN_KERNELREADER_H
