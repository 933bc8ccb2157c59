//===- Library.h - The compiler as a library with a C interface ---*- C++ -*-===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All that libFlashFusionCompiler.so exports. MLIR and LLVM inside of it are
// its own and hidden: the process may hold others.
//
//===----------------------------------------------------------------------===//
#ifndef FF_COMPILE_LIBRARY_H
#define FF_COMPILE_LIBRARY_H

#include <cstddef>

extern "C" {

/// The command line of ff-compile. Not reentrant: once per process.
int ffMain(int argc, char **argv);

/// Loads an object that ff-compile wrote for this host. Null on failure, and then `*message` is a
/// text for the caller to free.
void *ffHostLoad(const char *object, size_t size, char **message);
/// The address of a function, or null as above.
void *ffHostLookup(void *program, const char *name, char **message);
/// Calls `function` with pointers to its values (HostObject.cpp: addCallers). Nonzero, with a
/// message, if an assertion of the program failed.
int ffHostCall(void *function, void **values, char **message);
/// Unloads it; none of its functions may be running.
void ffHostRelease(void *program);
}

#endif // FF_COMPILE_LIBRARY_H
