/*===- FlashFusion-c/MLIR.h - With MLIR's C API --------------------*- C -*-===*\
|*                                                                            *|
|* Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.   *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* For programs that hold modules in MLIR's C API: the dialect and the passes *|
|* in their contexts and pass managers, or a module compiled apart. The       *|
|* objects of MLIR that are passed in stay the caller's.                      *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
#ifndef FLASHFUSION_C_MLIR_H
#define FLASHFUSION_C_MLIR_H

#include "FlashFusion-c/FlashFusion.h"
#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Adds the ff dialect, and its interface models, to `registry`. */
FLASHFUSION_EXPORT void flashFusionRegisterDialects(MlirDialectRegistry registry);

/** Registers every pass and pipeline for mlirParsePassPipeline and
    mlirOpPassManagerAddPipeline; repeated calls do nothing. Remarks of passes that
    run in the caller's pass manager go to the remark engine of its context, if it has one. */
FLASHFUSION_EXPORT void flashFusionRegisterPasses(void);

/** Appends the pipeline ff-to-ptx, with `options` as --ff-to-ptx takes them (NULL for none), to a
    pass manager on builtin.module. On failure nothing is appended and `onError`, which may be
    NULL, gets the reason. */
FLASHFUSION_EXPORT MlirLogicalResult flashFusionAddToPTXPipeline(MlirOpPassManager passManager,
                                                                 const char *options,
                                                                 MlirStringCallback onError,
                                                                 void *userData);

/** As flashFusionCompile, for a module of the caller's context, which is neither changed nor used
   by passes: a copy of the module is compiled in a context apart, so that remarks and diagnostics
   of the call reach this request's callback and result only, not the handlers and the remark engine
   of the caller's context. The caller's own dialects are unknown there: see
   `allowUnregisteredDialects` of FlashFusionRequest. `sourceName` and
    `allowUnregisteredDialects` of the request are not used. */
FLASHFUSION_EXPORT FlashFusionResult *flashFusionCompileModule(MlirModule module,
                                                               const FlashFusionRequest *request);

#ifdef __cplusplus
}
#endif

#endif /* FLASHFUSION_C_MLIR_H */
