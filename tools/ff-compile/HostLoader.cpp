//===- HostLoader.cpp - Objects for the host, loaded into this process -----===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Library.h"

#include "../ff-run/MemRefCopy.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include <csetjmp>
#include <cstring>

using namespace llvm;

// Assertions of a program print and abort. Here they leave the call instead: what has been
// allocated by then is lost, the process is not.
static thread_local std::jmp_buf *leave;
static thread_local std::string lastLine;

static int keepLine(const char *line) {
  lastLine = line;
  return 0;
}

[[noreturn]] static void leaveCall() {
  if (!leave)
    abort();
  std::longjmp(*leave, 1);
}

/// What a program's symbols mean that are not the process's.
static orc::SymbolMap ownSymbols(orc::LLJIT &jit) {
  orc::SymbolMap symbols;
  auto define = [&](StringRef name, auto *function) {
    symbols[jit.mangleAndIntern(name)] = {orc::ExecutorAddr::fromPtr(function),
                                          JITSymbolFlags::Exported | JITSymbolFlags::Callable};
  };
  define("abort", &leaveCall);
  define("puts", &keepLine);
  define("memrefCopy", &ffrun::copyMemRef);
  return symbols;
}

static void *fail(Error error, char **message) {
  *message = strdup(toString(std::move(error)).c_str());
  return nullptr;
}

static Expected<std::unique_ptr<orc::LLJIT>> load(StringRef object) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  auto jit = orc::LLJITBuilder().create();
  if (!jit)
    return jit.takeError();
  orc::JITDylib &library = (*jit)->getMainJITDylib();
  char prefix = (*jit)->getDataLayout().getGlobalPrefix();
  // The process has malloc and memcpy; mathematics and conversions of f16 may lie in libraries
  // that were not loaded for everyone.
  auto process = orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(prefix);
  if (!process)
    return process.takeError();
  library.addGenerator(std::move(*process));
  for (const char *name : {"libm.so.6", "libgcc_s.so.1"}) {
    auto generator = orc::DynamicLibrarySearchGenerator::Load(name, prefix);
    if (generator)
      library.addGenerator(std::move(*generator));
    else
      consumeError(generator.takeError());
  }
  if (Error error = library.define(orc::absoluteSymbols(ownSymbols(**jit))))
    return error;
  if (Error error = (*jit)->addObjectFile(MemoryBuffer::getMemBufferCopy(object, "host program")))
    return error;
  return jit;
}

void *ffHostLoad(const char *object, size_t size, char **message) {
  auto jit = load(StringRef(object, size));
  return jit ? jit->release() : fail(jit.takeError(), message);
}

void *ffHostLookup(void *program, const char *name, char **message) {
  auto address = static_cast<orc::LLJIT *>(program)->lookup(name);
  return address ? address->toPtr<void *>() : fail(address.takeError(), message);
}

int ffHostCall(void *function, void **values, char **message) {
  std::jmp_buf here;
  std::jmp_buf *outer = leave;
  lastLine.clear();
  leave = &here;
  int failed = setjmp(here);
  if (!failed)
    reinterpret_cast<void (*)(void **)>(function)(values);
  leave = outer;
  if (failed)
    *message = strdup(lastLine.c_str());
  return failed;
}

void ffHostRelease(void *program) { delete static_cast<orc::LLJIT *>(program); }
