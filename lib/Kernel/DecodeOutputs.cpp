//===- DecodeOutputs.cpp - From partial sums to outputs -------------------===//
//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The warps' parts of a tile lie in shared memory, 8 columns of a row side by side.
// A thread per output sums them in a fixed order, runs the finalizer and stores.
//
//===----------------------------------------------------------------------===//
#include "Decode.h"

using namespace mlir;
using namespace mlir::flashfusion;
using namespace mlir::flashfusion::decode;

static Type elementTypeOf(Value v) { return cast<ShapedType>(v.getType()).getElementType(); }

/// What the finalizers of a group read, in the order in which store() takes it.
SmallVector<DecodeOutputs::Operand> DecodeOutputs::operandsOf(const Group &group) {
  SmallVector<Operand> all;
  for (unsigned l : group.linears)
    for (int64_t part : {params.columnSums[l], params.shiftSums[l]})
      if (V base = params[part])
        all.push_back({base, kb.b.getF32Type()});
  for (unsigned out : group.outs) {
    for (unsigned c : op.getColumnsOf(out))
      all.push_back({params[params.columns[c]], elementTypeOf(op.getColumns()[c]), false,
                     op.isSharedColumn(c)});
    for (unsigned t : op.getTilesOf(out))
      all.push_back({params[params.tiles[t]], elementTypeOf(op.getTiles()[t]), true});
  }
  return all;
}

void DecodeOutputs::begin(V inBlock) {
  V rowsHere = kb.min(block.rows - block.row0, kb.i32(plan.rows()));
  unit = block.unit0 + inBlock;
  stored = block.tid.lt(rowsHere * unitN);
  size_t count = 0;
  for (const Group &group : plan.groups)
    count = std::max(count, operandsOf(group).size());
  loaded.clear();
  if (count == 0)
    return;
  auto load = [&](const Group &group) {
    V n = kb.min(columnOf(group), kb.i32(group.n - 1));
    SmallVector<V> values;
    V inTile = kb.wide(block.row0 + block.tid / unitN) * group.n + kb.wide(n);
    for (const Operand &from : operandsOf(group)) {
      int64_t size = from.type.getIntOrFloatBitWidth() / 8;
      V place = from.isTile ? inTile : from.isShared ? kb.i64(0) : kb.wide(n);
      values.push_back(asBits(kb, kb.load(kb.at(from.base, place * size), from.type, size)));
    }
    values.resize(count, kb.i32(0));
    return values;
  };
  loaded = kb.ifElse(
      stored, [&] { return perGroup(kb, plan, unit, load); },
      [&] { return SmallVector<V>(count, kb.i32(0)); });
}

void DecodeOutputs::finish(V parts, RowFactors factors) {
  kb.ifThen(stored, [&] {
    SmallVector<V> sums;
    for (int64_t member = 0; member < plan.width; ++member) {
      V sum;
      for (int64_t w = 0; w < plan.warps; ++w) {
        V from = kb.at(partAddress(parts, kb.i32(w), member), block.tid * 4);
        V part = kb.load(from, kb.b.getF32Type(), 4);
        sum = sum ? sum + part : part;
      }
      sums.push_back(sum);
    }
    perGroup(kb, plan, unit, [&](const Group &group) {
      V n = columnOf(group);
      auto storeAll = [&] { store(group, block.row0 + block.tid / unitN, n, sums, factors); };
      if (group.n % unitN != 0)
        kb.ifThen(n.lt(group.n), storeAll);
      else
        storeAll();
      return SmallVector<V>();
    });
  });
}

void DecodeOutputs::store(const Group &group, V row, V n, ArrayRef<V> sums, RowFactors factors) {
  ArrayRef<V> rest = loaded;
  auto nextAs = [&](Type type) {
    V value = fromBits(kb, rest.front(), type);
    rest = rest.drop_front();
    return value;
  };
  DenseMap<int64_t, V> z;
  for (auto [member, l] : llvm::enumerate(group.linears)) {
    z[l] = sums[member];
    if (params.columnSums[l] >= 0)
      z[l] = z[l] - factors.center * nextAs(kb.b.getF32Type());
    if (factors.scale)
      z[l] = z[l] * factors.scale;
    if (params.shiftSums[l] >= 0)
      z[l] = z[l] + nextAs(kb.b.getF32Type());
  }
  for (unsigned out : group.outs) {
    SmallVector<V> zs, elements, tiles;
    for (int64_t l : op.getLinearsOf(out))
      zs.push_back(z[l]);
    for (unsigned c : op.getColumnsOf(out))
      elements.push_back(nextAs(elementTypeOf(op.getColumns()[c])));
    for (unsigned t : op.getTilesOf(out))
      tiles.push_back(nextAs(elementTypeOf(op.getTiles()[t])));
    V y = inlineFinalizer(kb, op, out, zs, elements, tiles);
    int64_t size = y.getType().getIntOrFloatBitWidth() / 8;
    V index = kb.wide(row) * group.n + kb.wide(n);
    kb.store(y, kb.at(params[params.outs[out]], index * size), size);
  }
}
