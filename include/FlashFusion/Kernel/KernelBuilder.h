//===- KernelBuilder.h - Terse construction of kernels ------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels are index arithmetic around a few NVVM operations. KernelBuilder
// emits both with as little ceremony as possible: a V is a value that can be
// added, multiplied and compared, control flow takes lambdas.
//
//===----------------------------------------------------------------------===//
#ifndef FLASHFUSION_KERNEL_KERNELBUILDER_H
#define FLASHFUSION_KERNEL_KERNELBUILDER_H

#include "FlashFusion/Kernel/LaunchSpec.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir {
namespace gpu {
class GPUModuleOp;
} // namespace gpu
namespace flashfusion {

class KernelBuilder;
class OnlineOp;

/// A value of a kernel under construction. Integers are unsigned (i32, or i64
/// for byte offsets into global memory), floats are f32 or vectors of f32. The
/// right operand of an operator may be a plain integer.
class V {
public:
  V() = default;
  V(KernelBuilder &kb, Value value) : kb(&kb), value(value) {}
  operator Value() const { return value; }
  explicit operator bool() const { return static_cast<bool>(value); }
  Type getType() const { return value.getType(); }

  V operator+(V o) const;
  V operator-(V o) const;
  V operator*(V o) const;
  V operator/(V o) const;
  V operator%(V o) const;
  V operator&(V o) const;
  V operator|(V o) const;
  V operator^(V o) const;
  V operator+(int64_t c) const;
  V operator-(int64_t c) const;
  V operator*(int64_t c) const;
  V operator/(int64_t c) const;
  V operator%(int64_t c) const;
  V operator&(int64_t c) const;
  V operator|(int64_t c) const;
  V operator^(int64_t c) const;
  V shl(int64_t bits) const;
  V shr(int64_t bits) const;
  V lt(V o) const;
  V lt(int64_t c) const;
  V ge(int64_t c) const;
  V ge(V o) const;
  V eq(V o) const;
  V eq(int64_t c) const;
  V ne(V o) const;
  V ne(int64_t c) const;

private:
  V binary(StringRef op, V o) const;
  V compare(bool lessThan, bool negate, V o) const;
  V same(int64_t c) const;
  KernelBuilder *kb = nullptr;
  Value value;
};

class KernelBuilder {
public:
  KernelBuilder(OpBuilder &builder, Location loc) : b(builder), loc(loc) {}

  OpBuilder &b;
  Location loc;

  V wrap(Value value) { return V(*this, value); }

  //===--- The kernel ------------------------------------------------------===//

  /// Creates kernel `name` (an llvm.func) in `module` with the parameters
  /// `args` and moves into its body. Buffers and packed buffers are
  /// !llvm.ptr<1>, tensor maps by-value grid constants (generic !llvm.ptr),
  /// Rows i32, scalars their own type. `threads` bounds the block;
  /// `minBlocks` blocks must fit a multiprocessor. Returns the parameters.
  SmallVector<V> begin(gpu::GPUModuleOp module, StringRef name, OnlineOp op,
                       ArrayRef<KernelArg> args, int64_t threads, int64_t minBlocks = 1,
                       int64_t cluster = 1);
  /// Ends the kernel's body.
  void end();

  //===--- Values ----------------------------------------------------------===//

  V i1(bool c);
  V i16(int64_t c);
  V i32(int64_t c);
  V i64(int64_t c);
  V f32(double c);
  /// i32 to i64, unsigned.
  V wide(V a);
  V min(V a, V b);
  V select(V cond, V a, V b);
  V fma(V a, V b, V c);
  /// 1 / sqrt(a) of an f32, to 2^-22.9 (exact to 1 ulp with exactRoots), and
  /// its correctly rounded square root. Neither calls a library.
  V rsqrt(V a);
  V sqrt(V a);
  bool exactRoots = false;
  V fmin(V a, V b);
  V fmax(V a, V b);
  V bitcast(V a, Type type);
  /// Any float (or vector of floats) to f32, exactly, or from f32 to `type`,
  /// to nearest even. Elements of f8E4M3FN are held as their bits, in i8; from f32 (scalars)
  /// they are made on sm_89.
  V toF32(V a);
  V fromF32(V a, Type type);
  V extract(V vector, int64_t i);
  V pack(ArrayRef<V> elements); ///< scalars to a vector
  V splat(V a, int64_t count);  ///< a vector of `count` times `a`
  V tid();
  V cta();
  V numCtas();

  //===--- Memory ----------------------------------------------------------===//

  /// Start of dynamic shared memory, !llvm.ptr<3>, aligned to 1024 bytes.
  V smem();
  /// `base` plus bytes; the offset is i32 for shared, i64 for global memory
  /// (i32 offsets are widened there).
  V at(V base, V bytes);
  V at(V base, int64_t bytes);
  V load(V ptr, Type type, int64_t align);
  void store(V value, V ptr, int64_t align);

  //===--- Control flow ----------------------------------------------------===//

  using Body = function_ref<SmallVector<V>(V iv, ArrayRef<V> carried)>;
  /// for (iv = lo; iv < hi; iv += step), i32; the body returns the carried
  /// values of the next iteration.
  SmallVector<V> forLoop(V lo, V hi, V step, ArrayRef<V> init, Body body);
  void forLoop(V lo, V hi, V step, function_ref<void(V iv)> body);
  void ifThen(V cond, function_ref<void()> then);
  void ifThenElse(V cond, function_ref<void()> then, function_ref<void()> otherwise);
  SmallVector<V> ifElse(V cond, function_ref<SmallVector<V>()> then,
                        function_ref<SmallVector<V>()> otherwise);

  //===--- Threads ---------------------------------------------------------===//

  void syncThreads();
  /// Named barrier `id` (1..15) among `threads` threads.
  void barrier(int64_t id, int64_t threads);
  void syncWarp();
  V shuffleXor(V value, int64_t lanes); ///< f32 or i32
  V shuffleFrom(V value, V lane);
  /// Sum over groups of `width` neighbouring lanes, the same in all of them.
  V sumLanes(V value, int64_t width);

  //===--- mbarrier and bulk copies (sm_90) --------------------------------===//

  void mbarrierInit(V bar, int64_t count);
  void mbarrierInitFence();
  void mbarrierArrive(V bar);
  void mbarrierExpect(V bar, V bytes);
  void mbarrierWait(V bar, V parity);
  /// Orders this thread's ordinary shared-memory accesses before later ones of
  /// the copy engine and of wgmma. Needed before a stage that was read or
  /// written by ordinary accesses is handed on.
  void fenceAsync();
  /// global -> shared, a multiple of 16 bytes, completes on `bar`.
  void bulkLoad(V dst, V src, V bar, V bytes, bool evictFirst = false);
  /// Box at (col, row) of a tensor map -> shared, completes on `bar`.
  void tensorLoad(V dst, V map, V bar, V col, V row, bool evictFirst = false);
  /// shared -> box at (col, row); commit and wait as bulk groups.
  void tensorStore(V map, V src, V col, V row);
  void bulkCommit();
  void bulkWait(int64_t pending, bool read);
  void prefetchMap(V map);
  void launchDependents();
  void waitForPredecessor();

  //===--- cp.async, ldmatrix, mma.sync (sm_80) ----------------------------===//

  /// 4, 8 or 16 bytes global -> shared; `bytes` (i32), if given, are read and
  /// the rest is zero.
  void cpAsync(V dst, V src, int64_t size, V bytes = {});
  void cpAsyncCommit();
  void cpAsyncWait(int64_t pending);
  /// `count` 8x8 matrices of 16-bit elements, one i32 each.
  SmallVector<V> ldMatrix(V ptr, int64_t count, bool transpose = false);
  void stMatrix(V ptr, ArrayRef<V> regs, bool transpose = false);
  /// f32 to tf32, as an i32, to nearest.
  V toTF32(V a);
  /// Two f8E4M3FN, their bits as vector<2xi8>, to vector<2xf16>, exactly (sm_89).
  V f8ToF16(V pair);
  V toF8(V a); ///< f32 to f8E4M3FN, to nearest even, what is too large to the largest (sm_89)
  /// d = a * b + c, m16n8k16 for f16 and bf16 (a: 4 i32, b: 2 i32), m16n8k8 for
  /// tf32 (f32 element type; a: 4 i32, b: 2 i32); c, d: 4 f32.
  SmallVector<V> mmaSync(Type element, ArrayRef<V> a, ArrayRef<V> b, ArrayRef<V> c);

private:
  Value smemBase;
};

//===----------------------------------------------------------------------===//
// Pieces of ff.online inside kernels
//===----------------------------------------------------------------------===//

/// Operand numbers of an ff.online; -1 where absent.
struct OnlineOperands {
  explicit OnlineOperands(OnlineOp op);
  int64_t x, gain, shift, xScale;
  SmallVector<int64_t> weights, columns, tiles, scalars, outs;
};

/// The packed buffers of Linear `linear`: W' = round(v W) as N x roundUp(K, 8) (16 where x has 8
/// bits) of the weight's element type (zero-filled past K), C = sum_k W' as N x f32
/// (of the rounded W', so that centering cancels exactly), B = sum_k s W as
/// N x f32 (of the unrounded W).
enum class PackedPart { Weight = 0, ColumnSum = 1, ShiftSum = 2 };
inline int64_t packedIndex(int64_t linear, PackedPart part) {
  return 3 * linear + static_cast<int64_t>(part);
}
/// Packed buffers of all Linears, in the order of packedIndex.
SmallVector<PackedBuffer> packedBuffers(OnlineOp op);

/// True if the statistics need x minus a pivot (mean or variance among them).
bool needsPivot(OnlineOp op);

/// The pivot of a row whose first element of x is at `address`, as f32: the median of the first
/// three, so that no single outlier is subtracted from all others.
V loadPivot(KernelBuilder &kb, OnlineOp op, V address);

/// Whether a sum must leave the accumulators of tensor cores on its way through K, and be added up
/// in f32: those cut off what is below an accumulator's last bit, always towards zero, and a center
/// of 100 deviations cancels against such a sum. Results in bf16, and short sums, do not show it.
bool mustPromote(OnlineOp op);

/// The op's statistics from sums over a row: with needsPivot, sum = sum(x - pivot)
/// and square = sum((x - pivot)^2); without, square = sum(x^2) and the other two
/// are null.
SmallVector<V> statisticsFromSums(KernelBuilder &kb, OnlineOp op, V sum, V square, V pivot);

/// The row factors: `scale` (null: 1) and `center` (null: 0).
struct RowFactors {
  V scale, center;
};
RowFactors inlineRow(KernelBuilder &kb, OnlineOp op, ArrayRef<V> statistics, ArrayRef<V> scalars);

/// Element of output `out` from z of its Linears (f32) and the elements of its
/// columns and tiles (their own types). Tiles have the output's shape and may be
/// loaded in any way that yields the element at the output's position.
V inlineFinalizer(KernelBuilder &kb, OnlineOp op, unsigned out, ArrayRef<V> z, ArrayRef<V> columns,
                  ArrayRef<V> tiles = {});

} // namespace flashfusion
} // namespace mlir

#endif // FLASHFUSION_KERNEL_KERNELBUILDER_H
