//===- BundleReader.cpp - Bundles from JSON ---------------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads docs/bundle.md; llvm::json's mapper reports where a document deviates.
//
//===----------------------------------------------------------------------===//
#include "FlashFusion/Runtime/Bundle.h"

#include "FlashFusion/Support/JSONDepth.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/JSON.h"

using namespace mlir::flashfusion::runtime;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

namespace mlir::flashfusion::runtime {

static bool readShape(const json::Value &value, Shape &shape, json::Path path) {
  const json::Array *array = value.getAsArray();
  if (!array) {
    path.report("expected array");
    return false;
  }
  for (const json::Value &extent : *array) {
    std::optional<int64_t> number = extent.getAsInteger();
    if (extent.kind() != json::Value::Null && (!number || *number < 0)) {
      path.report("expected extents");
      return false;
    }
    shape.push_back(number.value_or(dynamic));
  }
  return true;
}

/// "shape" of `object`; where there is none it is a scalar.
static bool readType(const json::Value &value, std::string &type, bool &scalar, Shape &shape,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  if (!map || !map.map("type", type))
    return false;
  if (!itemSize(type)) {
    path.field("type").report("unknown type");
    return false;
  }
  const json::Value *extents = value.getAsObject()->get("shape");
  scalar = !extents;
  return scalar || readShape(*extents, shape, path.field("shape"));
}

static bool fromJSON(const json::Value &value, Buffer &buffer, json::Path path) {
  json::ObjectMapper map(value, path);
  std::string data;
  if (!map || !readType(value, buffer.type, buffer.scalar, buffer.shape, path) ||
      !map.mapOptional("name", buffer.name) || !map.mapOptional("written_by", buffer.writtenBy) ||
      !map.mapOptional("data", data))
    return false;
  std::vector<char> bytes;
  if (Error error = llvm::decodeBase64(data, bytes)) {
    llvm::consumeError(std::move(error));
    path.field("data").report("expected base64");
    return false;
  }
  buffer.data.assign(bytes.begin(), bytes.end());
  return true;
}

/// Position of the string `field` in `names`.
template <typename Enum>
static bool readEnum(json::ObjectMapper &map, llvm::StringLiteral field, ArrayRef<StringRef> names,
                     Enum &result, json::Path path) {
  std::string text;
  if (!map.map(field, text))
    return false;
  const StringRef *found = llvm::find(names, text);
  if (found == names.end()) {
    path.field(field).report("unknown value");
    return false;
  }
  result = static_cast<Enum>(found - names.begin());
  return true;
}

static bool fromJSON(const json::Value &value, Operand &operand, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("role", operand.role) &&
         readEnum(map, "source", {"argument", "result", "constant", "intermediate", "number"},
                  operand.source, path) &&
         map.mapOptional("index", operand.index) && map.mapOptional("value", operand.number) &&
         readType(value, operand.type, operand.scalar, operand.shape, path);
}

static bool fromJSON(const json::Value &value, KernelParameter &parameter, json::Path path) {
  using Kind = KernelParameter::Kind;
  json::ObjectMapper map(value, path);
  Shape box;
  if (!map ||
      !readEnum(map, "kind", {"buffer", "tensor_map", "packed", "packed_map", "scalar", "rows"},
                parameter.kind, path) ||
      !map.mapOptional("index", parameter.index))
    return false;
  if (parameter.kind != Kind::TensorMap && parameter.kind != Kind::PackedMap)
    return true;
  const json::Value *extents = value.getAsObject()->get("box");
  if (!extents || !readShape(*extents, box, path.field("box")) || box.size() != 2) {
    path.field("box").report("expected two extents");
    return false;
  }
  parameter.boxRows = box[0];
  parameter.boxCols = box[1];
  return true;
}

static bool fromJSON(const json::Value &value, Launch &launch, json::Path path) {
  json::ObjectMapper map(value, path);
  json::Value grid(nullptr);
  if (!map || !map.map("kernel", launch.kernel) || !map.map("block", launch.block) ||
      !map.map("cluster", launch.cluster) || !map.map("shared_bytes", launch.sharedBytes) ||
      !map.map("min_rows", launch.minRows) || !map.map("max_rows", launch.maxRows) ||
      !map.map("align", launch.align) || !map.map("packed", launch.packed) ||
      !map.map("dependent_launch", launch.dependentLaunch) || !map.map("args", launch.parameters))
    return false;
  const json::Value *gridValue = value.getAsObject()->get("grid");
  json::Path gridPath = path.field("grid");
  json::ObjectMapper inner(gridValue ? *gridValue : grid, gridPath);
  if (!inner || !inner.map("fixed", launch.fixed) || !inner.map("tile_m", launch.tileM) ||
      !inner.map("tiles_n", launch.tilesN) || !inner.map("cap", launch.cap))
    return false;
  bool sane = launch.block > 0 && launch.cluster > 0 && launch.align > 0 &&
              launch.sharedBytes >= 0 && launch.cap >= 0 &&
              (launch.fixed > 0 || (launch.tileM > 0 && launch.tilesN > 0));
  if (!sane)
    path.report("expected a grid, block and alignment above 0");
  return sane;
}

static bool fromJSON(const json::Value &value, Step &step, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("name", step.name) && map.map("operands", step.operands) &&
         map.map("variants", step.variants) && map.map("pack", step.pack) &&
         map.map("packed", step.packed);
}

static bool fromJSON(const json::Value &value, Function &function, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("name", function.name) && map.map("arguments", function.arguments) &&
         map.map("results", function.results) && map.map("constants", function.constants) &&
         map.map("intermediates", function.intermediates) && map.map("steps", function.steps);
}

} // namespace mlir::flashfusion::runtime

static Error malformed(const Twine &what) {
  return llvm::createStringError("malformed bundle: " + what);
}

static bool isStatic(const Shape &shape) { return !llvm::is_contained(shape, dynamic); }

static Error checkLaunch(const Step &step, const Launch &launch, StringRef ptx) {
  using Kind = KernelParameter::Kind;
  if (!ptx.contains((".entry " + Twine(launch.kernel) + "(").str()))
    return malformed("kernel " + launch.kernel + " is not in the PTX");
  for (const KernelParameter &p : launch.parameters) {
    bool packed = p.kind == Kind::Packed || p.kind == Kind::PackedMap;
    size_t count = packed ? step.packed.size() : step.operands.size();
    if (p.index < 0 || (p.kind != Kind::Rows && static_cast<size_t>(p.index) >= count))
      return malformed("a parameter of kernel " + launch.kernel);
    if (!packed && p.kind != Kind::Rows &&
        step.operands[p.index].scalar != (p.kind == Kind::Scalar))
      return malformed("a parameter of kernel " + launch.kernel);
  }
  return Error::success();
}

/// What the structure of the document alone does not guarantee.
static Error checkStep(const Function &f, int64_t number, StringRef ptx) {
  using Source = Operand::Source;
  const Step &step = f.steps[number];
  if (step.operands.empty() || step.operands[0].role != "x" || step.operands[0].scalar ||
      step.operands[0].shape.size() != 2 || step.k() <= 0)
    return malformed(step.name + " has no x");
  if (step.variants.empty())
    return malformed(step.name + " has no kernel");
  for (const Operand &operand : step.operands) {
    if (operand.source == Source::Number) {
      if (!operand.scalar)
        return malformed("a number of " + step.name);
      continue;
    }
    const std::vector<Buffer> *lists[] = {&f.arguments, &f.results, &f.constants, &f.intermediates};
    const std::vector<Buffer> &list = *lists[static_cast<int>(operand.source)];
    if (operand.index < 0 || static_cast<size_t>(operand.index) >= list.size())
      return malformed("an operand of " + step.name + " does not exist");
    const Buffer &buffer = list[operand.index];
    if (buffer.type != operand.type || buffer.scalar != operand.scalar)
      return malformed("an operand of " + step.name + " has another type than its buffer");
    if (operand.role == "out" && (operand.shape.size() != 2 || operand.shape[1] <= 0))
      return malformed("an output of " + step.name);
    if (operand.role == "tile" &&
        (operand.scalar || operand.shape.size() != 2 || operand.shape[1] <= 0))
      return malformed("a tile of " + step.name);
    if (operand.role == "x_scale" && (operand.scalar || operand.shape.size() != 1))
      return malformed("the scale of x of " + step.name);
    bool written = operand.source == Source::Result || operand.source == Source::Intermediate;
    if (operand.role == "out" ? !written || buffer.writtenBy != number
                              : written && buffer.writtenBy >= number)
      return malformed("the order of " + step.name);
  }
  for (const Buffer &buffer : step.packed)
    if (buffer.scalar || buffer.shape.size() != 2 || !isStatic(buffer.shape))
      return malformed("a packed buffer of " + step.name);
  for (const auto *launches : {&step.variants, &step.pack})
    for (const Launch &launch : *launches)
      if (Error error = checkLaunch(step, launch, ptx))
        return error;
  return Error::success();
}

static Error checkFunction(const Function &f, StringRef ptx) {
  for (const Buffer &constant : f.constants)
    if (constant.scalar || !isStatic(constant.shape) ||
        static_cast<int64_t>(constant.data.size()) !=
            product(constant.shape) * itemSize(constant.type))
      return malformed("a constant of " + f.name);
  for (const auto *list : {&f.results, &f.intermediates})
    for (const Buffer &buffer : *list)
      if (buffer.scalar || buffer.writtenBy < 0 ||
          buffer.writtenBy >= static_cast<int64_t>(f.steps.size()))
        return malformed("a result of " + f.name + " is never written");
  for (int64_t i = 0, e = f.steps.size(); i < e; ++i)
    if (Error error = checkStep(f, i, ptx))
      return error;
  return Error::success();
}

Expected<Bundle> Bundle::parse(StringRef text) {
  if (mlir::flashfusion::getJSONDepth(text) > mlir::flashfusion::maxJSONDepth)
    return llvm::createStringError("not a FlashFusion bundle: it nests too deeply");
  Expected<json::Value> root = json::parse(text);
  if (!root)
    return llvm::createStringError("not a FlashFusion bundle: " + llvm::toString(root.takeError()));
  const json::Object *object = root->getAsObject();
  if (!object || object->getString("format") != StringRef("flashfusion-bundle"))
    return llvm::createStringError("not a FlashFusion bundle");
  if (object->getInteger("version") != 1)
    return llvm::createStringError("the bundle's version is not known to this runtime, which "
                                   "reads version 1");
  Bundle bundle;
  json::Path::Root where("bundle");
  json::ObjectMapper map(*root, where);
  if (!map || !map.map("ptx", bundle.ptx) || !map.map("functions", bundle.functions))
    return malformed(llvm::toString(where.getError()));
  if (const json::Object *target = object->getObject("target"))
    bundle.chip = target->getString("chip").value_or("").str();
  if (bundle.functions.empty())
    return malformed("no functions");
  for (const Function &function : bundle.functions)
    if (Error error = checkFunction(function, bundle.ptx))
      return std::move(error);
  return bundle;
}
