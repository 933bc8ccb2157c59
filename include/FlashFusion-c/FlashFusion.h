/*===- FlashFusion-c/FlashFusion.h - Compile text to PTX -----------*- C -*-===*\
|*                                                                            *|
|* Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.   *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* A compiler as a function: MLIR in, PTX or a bundle out. Needs no header of *|
|* MLIR; FlashFusion-c/MLIR.h is for programs that use MLIR's own C API.      *|
|*                                                                            *|
|* Every call has a context of its own: calls may run at the same time in     *|
|* several threads, and nothing in the process (a command line, a remark      *|
|* engine, signal handlers) is changed.                                       *|
|*                                                                            *|
|* Sizes are in bytes. Strings are UTF-8; those passed in are only read       *|
|* during the call.                                                           *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
#ifndef FLASHFUSION_C_FLASHFUSION_H
#define FLASHFUSION_C_FLASHFUSION_H

#include <stdbool.h>
#include <stddef.h>

#if defined(_WIN32)
#define FLASHFUSION_EXPORT __declspec(dllexport)
#else
#define FLASHFUSION_EXPORT __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** "MAJOR.MINOR.PATCH"; docs/versioning.md says what may change when. */
FLASHFUSION_EXPORT const char *flashFusionVersion(void);

/** What to make of a module. */
typedef enum FlashFusionArtifact {
  /** The PTX of its kernels alone. */
  FLASHFUSION_PTX = 0,
  /** PTX and how to run it, as JSON, for a runtime without a compiler (docs/bundle.md). */
  FLASHFUSION_BUNDLE = 1,
  /** The module after ff-to-ptx: gpu.binary and the bufferized host side, as text. */
  FLASHFUSION_MODULE = 2,
  /** The module after ff-to-cpu: LLVM dialect for the host, as text. */
  FLASHFUSION_CPU_MODULE = 3
} FlashFusionArtifact;

typedef enum FlashFusionRemarkKind {
  FLASHFUSION_REMARK_PASSED = 0,
  FLASHFUSION_REMARK_MISSED = 1,
  FLASHFUSION_REMARK_FAILED = 2,
  FLASHFUSION_REMARK_ANALYSIS = 3
} FlashFusionRemarkKind;

/** A decision of the compiler. All pointers are valid during the callback only. */
typedef struct FlashFusionRemark {
  FlashFusionRemarkKind kind;
  /** The pass, "ff-raise"; the decision, "norm_linear". */
  const char *category;
  const char *name;
  /** The function that it is about; "" if there is none. */
  const char *function;
  /** "FILE:LINE:COLUMN", or "" if the operation carries no such location. */
  const char *location;
  /** Arguments: keys[i], values[i] for i < numArguments. docs/detection.md lists them. */
  size_t numArguments;
  const char *const *keys;
  const char *const *values;
} FlashFusionRemark;

/** Called in the thread of flashFusionCompile, in the order of the program. Must not unwind. */
typedef void (*FlashFusionRemarkCallback)(const FlashFusionRemark *remark, void *userData);

/** A request. Zero-initialised, it means PTX for the default chip without remarks. */
typedef struct FlashFusionRequest {
  FlashFusionArtifact artifact;
  /** Options of the pipeline as `ff-opt --ff-to-ptx=...` (or --ff-to-cpu) takes them, such as
      "chip=sm_90a tf32=true"; NULL for none. */
  const char *options;
  /** Name of the source in locations; NULL for "<source>". */
  const char *sourceName;
  /** Accept operations of dialects that the compiler does not know, and leave them alone where
      they touch no tensor, have no regions and stand in functions; others are an error. */
  bool allowUnregisteredDialects;
  /** NULL for none. */
  FlashFusionRemarkCallback remarks;
  void *remarksUserData;
} FlashFusionRequest;

/** What came of a request; owned by the caller, until flashFusionResultDestroy. */
typedef struct FlashFusionResult FlashFusionResult;

/** Compiles `source`, `length` bytes of MLIR, as text or bytecode. `request` may be NULL.
    Never returns NULL: a failure is a result that is not ok. */
FLASHFUSION_EXPORT FlashFusionResult *flashFusionCompile(const char *source, size_t length,
                                                         const FlashFusionRequest *request);

/** Whether there is an artifact. */
FLASHFUSION_EXPORT bool flashFusionResultIsOk(const FlashFusionResult *result);

/** The artifact, and its size where `length` is not NULL. Ends in a zero byte, which `length` does
   not count. Empty if the result is not ok. Lives as long as the result. */
FLASHFUSION_EXPORT const char *flashFusionResultArtifact(const FlashFusionResult *result,
                                                         size_t *length);

/** Errors, warnings and their notes, a line each: "FILE:LINE:COLUMN: error: TEXT". Empty if there
    was nothing to say. Lives as long as the result. */
FLASHFUSION_EXPORT const char *flashFusionResultDiagnostics(const FlashFusionResult *result);

/** Frees the result and its strings; NULL is allowed. */
FLASHFUSION_EXPORT void flashFusionResultDestroy(FlashFusionResult *result);

#ifdef __cplusplus
}
#endif

#endif /* FLASHFUSION_C_FLASHFUSION_H */
