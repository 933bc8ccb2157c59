//===- Npy.cpp - NumPy's array files ---------------------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Npy.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace ffrun;
using llvm::StringRef;

static llvm::Error error(StringRef path, const llvm::Twine &what) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), "%s: %s", path.str().c_str(),
                                 what.str().c_str());
}

/// The text that follows 'key': in the header's dictionary; empty if the key is missing.
static StringRef valueOf(StringRef header, StringRef key) {
  size_t at = header.find(("'" + key + "':").str());
  return at == StringRef::npos ? StringRef() : header.drop_front(at + key.size() + 3).ltrim();
}

static std::optional<Element> elementOfDescr(StringRef descr, Element expected) {
  // NumPy writes bf16 arrays (ml_dtypes) as 2 opaque bytes; 2-byte unsigned is the other custom.
  if ((descr == "<u2" || descr == "|V2" || descr == "<V2") && expected == Element::BF16)
    return Element::BF16;
  // Of f8, both write one such byte.
  bool isByte = llvm::is_contained({"|u1", "|V1", "<V1", "<f1", "|f1"}, descr);
  if (isByte && expected == Element::F8E4M3FN)
    return Element::F8E4M3FN;
  std::pair<StringRef, Element> known[] = {
      {"<f2", Element::F16}, {"<f4", Element::F32}, {"<f8", Element::F64}, {"|b1", Element::I1},
      {"|i1", Element::I8},  {"<i2", Element::I16}, {"<i4", Element::I32}, {"<i8", Element::I64}};
  for (auto [name, element] : known)
    if (descr == name)
      return element;
  return std::nullopt;
}

llvm::Expected<HostTensor> ffrun::readNpy(StringRef path, Element expected) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return error(path, file.getError().message());
  StringRef bytes = (*file)->getBuffer();
  if (!bytes.starts_with("\x93NUMPY") || bytes.size() < 12)
    return error(path, "not a .npy file");
  bool isShort = bytes[6] == 1;
  size_t start = isShort ? 10 : 12;
  uint32_t length = uint8_t(bytes[8]) | uint8_t(bytes[9]) << 8;
  if (!isShort)
    length |= uint8_t(bytes[10]) << 16 | uint32_t(uint8_t(bytes[11])) << 24;
  if (bytes.size() - start < length)
    return error(path, "the header of the .npy file is cut off");
  StringRef header = bytes.substr(start, length);

  HostTensor tensor;
  StringRef descr = valueOf(header, "descr");
  if (!descr.consume_front("'"))
    return error(path, "has elements that are not plain numbers");
  descr = descr.take_until([](char c) { return c == '\''; });
  std::optional<Element> element = elementOfDescr(descr, expected);
  if (!element)
    return error(path, "has elements of dtype '" + descr + "', expected " + nameOf(expected));
  tensor.element = *element;
  if (!valueOf(header, "fortran_order").starts_with("False"))
    return error(path, "is in Fortran order, expected C order");
  StringRef shape = valueOf(header, "shape");
  if (!shape.consume_front("("))
    return error(path, "has no shape");
  llvm::SmallVector<StringRef> extents;
  shape.take_until([](char c) { return c == ')'; }).split(extents, ',', -1, /*KeepEmpty=*/false);
  for (StringRef extent : extents) {
    int64_t value;
    if (extent.trim().empty())
      continue;
    if (extent.trim().getAsInteger(10, value) || value < 0)
      return error(path, "has a shape that is not a tuple of integers");
    tensor.shape.push_back(value);
  }
  double elements = 1; // may not fit an integer
  for (int64_t d : tensor.shape)
    elements *= d;
  StringRef data = bytes.drop_front(start + length);
  if (elements > data.size() || data.size() < size_t(tensor.size()) * sizeOf(tensor.element))
    return error(path, "holds fewer elements than its shape says");
  tensor.data.assign(data.begin(), data.begin() + tensor.size() * sizeOf(tensor.element));
  return tensor;
}

llvm::Error ffrun::writeNpy(StringRef path, const HostTensor &tensor) {
  const char *descr = "<f4";
  switch (tensor.element) {
  case Element::F8E4M3FN:
    descr = "|u1";
    break;
  case Element::F16:
    descr = "<f2";
    break;
  case Element::BF16:
    descr = "<u2";
    break;
  case Element::F32:
    descr = "<f4";
    break;
  case Element::F64:
    descr = "<f8";
    break;
  case Element::I1:
    descr = "|b1";
    break;
  case Element::I8:
    descr = "|i1";
    break;
  case Element::I16:
    descr = "<i2";
    break;
  case Element::I32:
    descr = "<i4";
    break;
  case Element::I64:
    descr = "<i8";
    break;
  }
  std::string header = "{'descr': '" + std::string(descr) + "', 'fortran_order': False, 'shape': (";
  for (int64_t d : tensor.shape)
    header += std::to_string(d) + ",";
  header += "), }";
  // Data starts at a multiple of 64 bytes; the header ends with a newline.
  header.resize((10 + header.size() + 1 + 63) / 64 * 64 - 10 - 1, ' ');
  header += '\n';
  std::error_code failed;
  llvm::raw_fd_ostream out(path, failed);
  if (failed)
    return error(path, failed.message());
  out << StringRef("\x93NUMPY\x01\x00", 8) << char(header.size() & 0xff) << char(header.size() >> 8)
      << header;
  out.write(tensor.data.data(), tensor.data.size());
  out.close();
  if (out.has_error())
    return error(path, out.error().message());
  return llvm::Error::success();
}
