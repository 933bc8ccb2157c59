//===- LaunchSpec.cpp - Launch plans as attributes -------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Kernel/LaunchSpec.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::flashfusion;

static constexpr StringLiteral kindNames[] = {"buffer",     "tensor_map", "packed",
                                              "packed_map", "scalar",     "rows"};

namespace {
/// Collects named attributes.
struct Writer {
  Builder b;
  NamedAttrList list;
  void put(StringRef name, int64_t value) { list.set(name, b.getI64IntegerAttr(value)); }
  void put(StringRef name, bool value) { list.set(name, b.getBoolAttr(value)); }
  void put(StringRef name, StringRef value) { list.set(name, b.getStringAttr(value)); }
  void put(StringRef name, Attribute value) { list.set(name, value); }
  DictionaryAttr done() { return list.getDictionary(b.getContext()); }
};

/// Reads named attributes; remembers whether anything was missing.
struct Reader {
  DictionaryAttr dict;
  bool ok = true;
  int64_t number(StringRef name) {
    auto attr = dict.getAs<IntegerAttr>(name);
    ok &= static_cast<bool>(attr);
    return attr ? attr.getInt() : 0;
  }
  bool flag(StringRef name) {
    auto attr = dict.getAs<BoolAttr>(name);
    ok &= static_cast<bool>(attr);
    return attr && attr.getValue();
  }
  StringRef text(StringRef name) {
    auto attr = dict.getAs<StringAttr>(name);
    ok &= static_cast<bool>(attr);
    return attr ? attr.getValue() : StringRef();
  }
  /// Calls `each` with a Reader of every dictionary in the array `name`.
  void forEach(StringRef name, function_ref<bool(Reader)> each) {
    auto array = dict.getAs<ArrayAttr>(name);
    ok &= static_cast<bool>(array);
    for (Attribute element : array ? array.getValue() : ArrayRef<Attribute>()) {
      auto inner = dyn_cast<DictionaryAttr>(element);
      ok = ok && inner && each(Reader{inner});
    }
  }
};
} // namespace

static DictionaryAttr writeArg(MLIRContext *context, const KernelArg &arg) {
  Writer w{Builder(context), {}};
  w.put("kind", StringRef(kindNames[static_cast<int>(arg.kind)]));
  w.put("index", arg.index);
  if (arg.kind == KernelArg::Kind::TensorMap || arg.kind == KernelArg::Kind::PackedMap) {
    w.put("box_rows", arg.boxRows);
    w.put("box_cols", arg.boxCols);
  }
  return w.done();
}

static DictionaryAttr writeSpec(MLIRContext *context, const LaunchSpec &spec) {
  Writer w{Builder(context), {}};
  w.put("kernel", StringRef(spec.kernel));
  w.put("grid", spec.grid.fixed);
  w.put("grid_tile_m", spec.grid.tileM);
  w.put("grid_tiles_n", spec.grid.tilesN);
  w.put("grid_cap", spec.grid.cap);
  w.put("block", spec.block);
  w.put("cluster", spec.cluster);
  w.put("shared_bytes", spec.sharedBytes);
  w.put("min_rows", spec.minRows);
  w.put("max_rows", spec.maxRows);
  w.put("align", spec.align);
  w.put("packed", spec.packed);
  w.put("dependent_launch", spec.dependentLaunch);
  SmallVector<Attribute> args;
  for (const KernelArg &arg : spec.args)
    args.push_back(writeArg(context, arg));
  w.put("args", w.b.getArrayAttr(args));
  return w.done();
}

static bool readSpec(Reader r, LaunchSpec &spec) {
  spec.kernel = r.text("kernel").str();
  spec.grid = {r.number("grid"), r.number("grid_tile_m"), r.number("grid_tiles_n"),
               r.number("grid_cap")};
  spec.block = r.number("block");
  spec.cluster = r.number("cluster");
  spec.sharedBytes = r.number("shared_bytes");
  spec.minRows = r.number("min_rows");
  spec.maxRows = r.number("max_rows");
  spec.align = r.number("align");
  spec.packed = r.flag("packed");
  spec.dependentLaunch = r.flag("dependent_launch");
  r.forEach("args", [&](Reader arg) {
    const auto *kind = llvm::find(kindNames, arg.text("kind"));
    if (kind == std::end(kindNames))
      return false;
    KernelArg out{static_cast<KernelArg::Kind>(kind - kindNames), arg.number("index")};
    if (out.kind == KernelArg::Kind::TensorMap || out.kind == KernelArg::Kind::PackedMap) {
      out.boxRows = arg.number("box_rows");
      out.boxCols = arg.number("box_cols");
    }
    spec.args.push_back(out);
    return arg.ok;
  });
  return r.ok;
}

DictionaryAttr LaunchPlan::toAttr(MLIRContext *context) const {
  Writer w{Builder(context), {}};
  auto specs = [&](ArrayRef<LaunchSpec> list) {
    return w.b.getArrayAttr(llvm::map_to_vector(
        list, [&](const LaunchSpec &spec) -> Attribute { return writeSpec(context, spec); }));
  };
  w.put("variants", specs(variants));
  w.put("pack", specs(pack));
  w.put("packed", w.b.getArrayAttr(llvm::map_to_vector(packed, [&](const PackedBuffer &buffer) {
          Writer p{Builder(context), {}};
          p.put("type", TypeAttr::get(buffer.element));
          p.put("rows", buffer.rows);
          p.put("cols", buffer.cols);
          return static_cast<Attribute>(p.done());
        })));
  if (!segments.empty())
    w.put("segments", static_cast<Attribute>(w.b.getDenseI32ArrayAttr(segments)));
  return w.done();
}

FailureOr<LaunchPlan> LaunchPlan::fromAttr(DictionaryAttr attr) {
  LaunchPlan plan;
  Reader r{attr};
  auto specs = [&](StringRef name, SmallVectorImpl<LaunchSpec> &list) {
    r.forEach(name, [&](Reader inner) { return readSpec(inner, list.emplace_back()); });
  };
  specs("variants", plan.variants);
  specs("pack", plan.pack);
  r.forEach("packed", [&](Reader p) {
    auto type = p.dict.getAs<TypeAttr>("type");
    if (!type)
      return false;
    plan.packed.push_back({type.getValue(), p.number("rows"), p.number("cols")});
    return p.ok;
  });
  if (Attribute segments = attr.get("segments")) {
    auto sizes = dyn_cast<DenseI32ArrayAttr>(segments);
    r.ok &= sizes && sizes.size() == 9;
    if (sizes)
      llvm::append_range(plan.segments, sizes.asArrayRef());
  }
  if (!r.ok)
    return failure();
  return plan;
}
