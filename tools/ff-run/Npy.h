//===- Npy.h - NumPy's array files --------------------------------*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FF_RUN_NPY_H
#define FF_RUN_NPY_H

#include "HostTensor.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace ffrun {

/// Reads a .npy file of little-endian elements in C order. NumPy has neither bf16 nor f8:
/// `expected` decides whether 2-byte (1-byte) unsigned or opaque elements are read as such.
llvm::Expected<HostTensor> readNpy(llvm::StringRef path, Element expected);

/// Writes a .npy file, bf16 as `<u2`, f8 as `|u1`.
llvm::Error writeNpy(llvm::StringRef path, const HostTensor &tensor);

} // namespace ffrun

#endif // FF_RUN_NPY_H
