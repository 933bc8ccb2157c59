//===- Bundle.cpp - PTX and how to run it, as JSON --------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the format of docs/bundle.md. Change both together, and raise the
// version where an older runtime would go wrong.
//
//===----------------------------------------------------------------------===//
#include "BundleFunction.h"
#include "FlashFusion/Dialect/IR/FF.h"
#include "FlashFusion/Emit/Artifacts.h"
#include "FlashFusion/Kernel/KernelEmitter.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlir::flashfusion;
using llvm::json::OStream;

static constexpr int64_t bundleVersion = 1;

static std::string typeName(Type type) {
  std::string name;
  llvm::raw_string_ostream(name) << getElementTypeOrSelf(type);
  return name;
}

/// "type" and, for buffers, "shape" with null for unknown extents.
static void writeType(OStream &j, Type type) {
  j.attribute("type", typeName(type));
  if (auto shaped = dyn_cast<ShapedType>(type))
    j.attributeArray("shape", [&] {
      for (int64_t extent : shaped.getShape())
        j.value(ShapedType::isDynamic(extent) ? llvm::json::Value(nullptr)
                                              : llvm::json::Value(extent));
    });
}

static void writeArg(OStream &j, const KernelArg &arg) {
  static constexpr StringLiteral kinds[] = {"buffer",     "tensor_map", "packed",
                                            "packed_map", "scalar",     "rows"};
  j.object([&] {
    j.attribute("kind", kinds[static_cast<int>(arg.kind)]);
    if (arg.kind != KernelArg::Kind::Rows)
      j.attribute("index", arg.index);
    if (arg.kind == KernelArg::Kind::TensorMap || arg.kind == KernelArg::Kind::PackedMap)
      j.attributeArray("box", [&] {
        j.value(arg.boxRows);
        j.value(arg.boxCols);
      });
  });
}

static void writeSpec(OStream &j, const LaunchSpec &spec) {
  j.object([&] {
    j.attribute("kernel", spec.kernel);
    j.attributeObject("grid", [&] {
      j.attribute("fixed", spec.grid.fixed);
      j.attribute("tile_m", spec.grid.tileM);
      j.attribute("tiles_n", spec.grid.tilesN);
      j.attribute("cap", spec.grid.cap);
    });
    j.attribute("block", spec.block);
    j.attribute("cluster", spec.cluster);
    j.attribute("shared_bytes", spec.sharedBytes);
    j.attribute("min_rows", spec.minRows);
    j.attribute("max_rows", spec.maxRows);
    j.attribute("align", spec.align);
    j.attribute("packed", spec.packed);
    j.attribute("dependent_launch", spec.dependentLaunch);
    j.attributeArray("args", [&] {
      for (const KernelArg &arg : spec.args)
        writeArg(j, arg);
    });
  });
}

static void writeOperand(OStream &j, const BundleOperand &operand) {
  static constexpr StringLiteral sources[] = {"argument", "result", "constant", "intermediate",
                                              "number"};
  j.object([&] {
    j.attribute("role", operand.role);
    j.attribute("source", sources[static_cast<int>(operand.source.kind)]);
    if (operand.source.kind == BundleSource::Kind::Number)
      j.attribute("value", operand.source.number);
    else
      j.attribute("index", operand.source.index);
    writeType(j, operand.type);
  });
}

static void writeStep(OStream &j, const BundleStep &step) {
  j.object([&] {
    j.attribute("name", step.name);
    j.attributeArray("operands", [&] {
      for (const BundleOperand &operand : step.operands)
        writeOperand(j, operand);
    });
    j.attributeArray("variants", [&] {
      for (const LaunchSpec &spec : step.plan.variants)
        writeSpec(j, spec);
    });
    j.attributeArray("pack", [&] {
      for (const LaunchSpec &spec : step.plan.pack)
        writeSpec(j, spec);
    });
    j.attributeArray("packed", [&] {
      for (const PackedBuffer &buffer : step.plan.packed)
        j.object([&] {
          j.attribute("type", typeName(buffer.element));
          j.attributeArray("shape", [&] {
            j.value(buffer.rows);
            j.value(buffer.cols);
          });
        });
    });
  });
}

/// The bytes of a constant, row-major and little-endian.
static std::string constantBytes(ElementsAttr value) {
  ArrayRef<char> raw;
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      raw = blob->getData();
  } else {
    raw = cast<DenseElementsAttr>(value).getRawData();
  }
  std::string bytes(raw.begin(), raw.end());
  if (auto dense = dyn_cast<DenseElementsAttr>(value); dense && dense.isSplat()) {
    std::string element = bytes;
    bytes.clear();
    for (int64_t i = 0, e = value.getNumElements(); i < e; ++i)
      bytes += element;
  }
  return bytes;
}

static LogicalResult checkConstants(BundleFunction &f) {
  for (ElementsAttr value : f.constants) {
    Type element = value.getElementType();
    if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() % 8)
      return emitError(f.func.getLoc())
             << "uses a constant of type " << value.getType() << ", which a bundle cannot hold";
    int64_t expected = value.getNumElements() * element.getIntOrFloatBitWidth() / 8;
    if (static_cast<int64_t>(constantBytes(value).size()) != expected)
      return emitError(f.func.getLoc())
             << "uses a constant of type " << value.getType() << " whose contents are missing";
  }
  return success();
}

static void writeFunction(OStream &j, BundleFunction &f) {
  j.object([&] {
    j.attribute("name", f.func.getSymName());
    j.attributeArray("arguments", [&] {
      for (auto [i, type] : llvm::enumerate(f.arguments))
        j.object([&, i = i, type = type] {
          j.attribute("name", ("arg" + Twine(i)).str());
          writeType(j, type);
        });
    });
    j.attributeArray("results", [&] {
      for (auto [i, type] : llvm::enumerate(f.results))
        j.object([&, i = i, type = type] {
          j.attribute("name", ("result" + Twine(i)).str());
          writeType(j, type);
          j.attribute("written_by", f.resultWriter[i]);
        });
    });
    j.attributeArray("constants", [&] {
      for (ElementsAttr value : f.constants)
        j.object([&] {
          writeType(j, value.getShapedType());
          j.attribute("data", llvm::encodeBase64(constantBytes(value)));
        });
    });
    j.attributeArray("intermediates", [&] {
      for (auto [i, type] : llvm::enumerate(f.intermediates))
        j.object([&, i = i, type = type] {
          writeType(j, type);
          j.attribute("written_by", f.intermediateWriter[i]);
        });
    });
    j.attributeArray("steps", [&] {
      for (const BundleStep &step : f.steps)
        writeStep(j, step);
    });
  });
}

/// A line of the PTX that starts with `directive`, without it.
static StringRef directive(StringRef ptx, StringRef name) {
  size_t at = ptx.find(("\n" + name + " ").str());
  if (at == StringRef::npos)
    return {};
  return ptx.drop_front(at + name.size() + 2).take_until([](char c) { return c == '\n'; });
}

/// Every kernel that a step names must be there.
static LogicalResult checkKernels(BundleFunction &f, StringRef ptx) {
  for (const BundleStep &step : f.steps)
    for (const auto *list : {&step.plan.variants, &step.plan.pack})
      for (const LaunchSpec &spec : *list)
        if (!ptx.contains((".entry " + Twine(spec.kernel) + "(").str()))
          return emitError(f.func.getLoc()) << "'" << f.func.getSymName() << "' launches kernel '"
                                            << spec.kernel << "', which the PTX does not hold";
  return success();
}

LogicalResult flashfusion::printBundle(ModuleOp module, llvm::raw_ostream &os) {
  FailureOr<StringRef> ptx = getPTX(module);
  if (failed(ptx))
    return failure();
  std::vector<BundleFunction> functions;
  bool ok = true;
  for (auto func : module.getOps<func::FuncOp>()) {
    if (!usesFusedKernels(func))
      continue;
    FailureOr<BundleFunction> f = readBundleFunction(func);
    if (failed(f) || failed(checkConstants(*f)) || failed(checkKernels(*f, *ptx)))
      ok = false;
    else
      functions.push_back(std::move(*f));
  }
  if (!ok)
    return failure();
  if (functions.empty())
    return emitError(module.getLoc(), "the module has no public function that runs fused kernels");

  OStream j(os, /*IndentSize=*/1);
  j.object([&] {
    j.attribute("format", "flashfusion-bundle");
    j.attribute("version", bundleVersion);
    j.attributeObject("target", [&] {
      j.attribute("chip", directive(*ptx, ".target"));
      j.attribute("ptx_version", directive(*ptx, ".version"));
    });
    if (module->hasAttr("ff.batch_invariant"))
      j.attribute("batch_invariant", invariantRows);
    j.attributeArray("functions", [&] {
      for (BundleFunction &f : functions)
        writeFunction(j, f);
    });
    j.attribute("ptx", *ptx);
  });
  os << "\n";
  return success();
}
