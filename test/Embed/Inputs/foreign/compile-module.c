/* MLIR's C API with our passes in its pass manager. usage: compile-module FILE OPTIONS */
#include "FlashFusion-c/MLIR.h"
#include "mlir-c/RegisterEverything.h"

#include <stdio.h>

static void print(MlirStringRef text, void *file) {
  fwrite(text.data, 1, text.length, (FILE *)file);
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  flashFusionRegisterDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/true);
  flashFusionRegisterPasses();
  flashFusionRegisterPasses();

  int status = 1;
  static char source[1 << 20];
  FILE *file = fopen(argv[1], "rb");
  if (!file)
    return 2;
  fread(source, 1, sizeof(source) - 1, file);
  fclose(file);
  MlirModule module = mlirModuleCreateParse(context, mlirStringRefCreateFromCString(source));
  MlirPassManager pm =
      mlirPassManagerCreateOnOperation(context, mlirStringRefCreateFromCString("builtin.module"));
  if (!mlirModuleIsNull(module) &&
      mlirLogicalResultIsSuccess(flashFusionAddToPTXPipeline(mlirPassManagerGetAsOpPassManager(pm),
                                                             argv[2], print, stdout)) &&
      mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(pm, mlirModuleGetOperation(module)))) {
    mlirOperationPrint(mlirModuleGetOperation(module), print, stdout);
    status = 0;
  }
  mlirPassManagerDestroy(pm);
  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  return status;
}
