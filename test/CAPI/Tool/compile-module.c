/* MLIR's C API with our passes. usage: compile-module FILE OPTIONS [MODE]
   (none):   ff-to-ptx with OPTIONS in this program's pass manager
   nested:   the same, in the pass manager of a func.func
   pipeline: OPTIONS is a pipeline as text
   apart:    flashFusionCompileModule, and this program's module behind what came of it */
#include "FlashFusion-c/MLIR.h"
#include "mlir-c/RegisterEverything.h"

#include <stdio.h>
#include <string.h>

static void print(MlirStringRef text, void *file) {
  fwrite(text.data, 1, text.length, (FILE *)file);
}

static bool addPasses(MlirPassManager pm, const char *options, const char *mode) {
  MlirOpPassManager passes = mlirPassManagerGetAsOpPassManager(pm);
  if (strcmp(mode, "pipeline") == 0)
    return mlirLogicalResultIsSuccess(mlirOpPassManagerAddPipeline(
        passes, mlirStringRefCreateFromCString(options), print, stdout));
  if (strcmp(mode, "nested") == 0)
    passes = mlirPassManagerGetNestedUnder(pm, mlirStringRefCreateFromCString("func.func"));
  return mlirLogicalResultIsSuccess(flashFusionAddToPTXPipeline(passes, options, print, stdout));
}

static bool runPasses(MlirModule module, const char *options, const char *mode) {
  if (mlirModuleIsNull(module))
    return false;
  MlirPassManager pm = mlirPassManagerCreateOnOperation(
      mlirModuleGetContext(module), mlirStringRefCreateFromCString("builtin.module"));
  bool ok = addPasses(pm, options, mode) &&
            mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(pm, mlirModuleGetOperation(module)));
  mlirPassManagerDestroy(pm);
  return ok;
}

static bool compileApart(MlirModule module, const char *options) {
  FlashFusionRequest request = {0};
  request.artifact = FLASHFUSION_MODULE;
  request.options = options;
  FlashFusionResult *result = flashFusionCompileModule(module, &request);
  bool ok = flashFusionResultIsOk(result);
  fputs(flashFusionResultDiagnostics(result), stdout);
  fputs(flashFusionResultArtifact(result, NULL), stdout);
  flashFusionResultDestroy(result);
  return ok;
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  const char *mode = argc > 3 ? argv[3] : "";
  static char source[1 << 20];
  FILE *file = fopen(argv[1], "rb");
  if (!file)
    return 2;
  fread(source, 1, sizeof(source) - 1, file);
  fclose(file);

  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  flashFusionRegisterDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/true);
  mlirContextSetAllowUnregisteredDialects(context, true);
  flashFusionRegisterPasses();
  flashFusionRegisterPasses();

  MlirModule module = mlirModuleCreateParse(context, mlirStringRefCreateFromCString(source));
  bool ok =
      strcmp(mode, "apart") == 0 ? compileApart(module, argv[2]) : runPasses(module, argv[2], mode);
  if (ok)
    mlirOperationPrint(mlirModuleGetOperation(module), print, stdout);
  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  return ok ? 0 : 1;
}
