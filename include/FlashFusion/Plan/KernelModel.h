//===- KernelModel.h - What can be one kernel, and what it costs ---*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A group of Einsums is one kernel if one of four kinds can serve it:
//
//   linear     Linears of one tensor in memory, its statistics, what follows element by
//              element: our decode and prefill kernels
//   attention  one or two products of activations and what follows them
//   rows       maps and statistics of rows
//   prepare    what depends on weights alone; not run with the layer
//
// The last but one and attention are other compilers' and libraries' kernels; what bounds them
// is that a fiber which is read again stays in shared memory.
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_PLAN_KERNELMODEL_H
#define FLASHFUSION_PLAN_KERNELMODEL_H

#include "FlashFusion/Plan/DPipe.h"
#include "FlashFusion/Plan/KernelTiles.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::flashfusion::plan {

enum class KernelKind { Prepare, Rows, Linear, Attention };
llvm::StringRef stringifyKernelKind(KernelKind kind);

/// A Linear, or a product of two activations.
struct Product {
  unsigned einsum = 0; ///< in the group
  /// The operand whose ranks are the columns; weights if nothing in the layer writes it.
  unsigned right = 0;
  bool weights = false;
  double rows = 1, columns = 1, depth = 1;
  std::vector<std::string> left; ///< the other tensors with ranks of the rows
};

struct Kernel {
  KernelKind kind = KernelKind::Rows;
  std::vector<Product> products;
  /// Linears that share a tile, since one output takes them (a gated pair).
  int64_t linearsPerOutput = 1;
  bool statistics = false; ///< of the rows, beside the products
  /// How often each Einsum is computed: what precedes products once per tile of columns.
  std::vector<double> times;
  /// The tile that TileSeek chose, of the prefill or of the decode kernel.
  std::optional<KernelTile> tile;
  std::optional<DecodeTile> cut;
  std::optional<int64_t> decodeColumns; ///< of a block of the decode kernel, for 17 to 128 rows

  PipeResult pipe; ///< in cycles
  double memoryBytes = 0, cacheBytes = 0;
  double launchSeconds = 0, computeSeconds = 0, copySeconds = 0;
  double seconds() const { return launchSeconds + std::max(computeSeconds, copySeconds); }
};

/// Latencies of a group's Einsums on the arrays that compute, times how often they run.
PipeProblem getPipeProblem(const Cascade &cascade, const Group &group, const Target &target,
                           llvm::ArrayRef<double> times = {});

/// Why no kind of kernel serves a group.
struct Refusal {
  std::string reason;
  bool open = false; ///< a larger group may be served
};

class KernelModel {
public:
  /// Any groups; what matters are the Einsums and who reads whom.
  KernelModel(const Cascade &cascade, const Target &target);

  /// Only weights and constants are behind it.
  bool isPrepared(const Group &group) const;

  /// The group as a kernel, with its cost; nothing if no kind of kernel can serve it, with the
  /// reason. DPipe may look at so many partial schedules; with none, the time on the arrays is a
  /// bound from below.
  std::optional<Kernel> describe(const Group &group, Refusal &refusal,
                                 uint64_t visits = maxVisits) const;

  /// Nothing in the layer writes the tensor, or maps of such tensors do (weights that are rounded
  /// or dequantised).
  bool isWeights(llvm::StringRef tensor) const {
    return !writer.contains(tensor) || given.contains(tensor);
  }

private:
  friend class KernelReader;
  /// By the tensor that they write.
  llvm::StringMap<const Einsum *> writer;
  /// Tensors that nobody writes and that rows are behind.
  llvm::StringSet<> activations;
  /// Tensors that maps of given ones write.
  llvm::StringSet<> given;
  RankSet rowRanks = 0, iterativeRanks = 0;
  Cascade cascade;
  Target target;
};

} // namespace mlir::flashfusion::plan

#endif // FLASHFUSION_PLAN_KERNELMODEL_H
