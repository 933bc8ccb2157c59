/* Compiles a file with the C API and prints what comes of it: remarks, the artifact, diagnostics.
   usage: compile-text FILE OPTIONS [bundle] */
#include "FlashFusion-c/FlashFusion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void printRemark(const FlashFusionRemark *remark, void *count) {
  ++*(int *)count;
  printf("remark %s %s in %s at %s:", remark->category, remark->name, remark->function,
         remark->location);
  for (size_t i = 0; i < remark->numArguments; ++i)
    printf(" %s=%s", remark->keys[i], remark->values[i]);
  printf("\n");
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  FILE *file = fopen(argv[1], "rb");
  if (!file)
    return 2;
  size_t capacity = 1 << 20;
  char *source = malloc(capacity);
  size_t length = fread(source, 1, capacity, file);
  fclose(file);

  int count = 0;
  FlashFusionRequest request = {0};
  request.options = argv[2];
  request.sourceName = "model.mlir";
  request.artifact =
      argc > 3 && strcmp(argv[3], "bundle") == 0 ? FLASHFUSION_BUNDLE : FLASHFUSION_PTX;
  request.remarks = printRemark;
  request.remarksUserData = &count;
  FlashFusionResult *result = flashFusionCompile(source, length, &request);
  free(source);

  size_t size = 0;
  const char *artifact = flashFusionResultArtifact(result, &size);
  printf("FlashFusion %s: %s, %d remarks, artifact %s\n", flashFusionVersion(),
         flashFusionResultIsOk(result) ? "ok" : "failed", count,
         size == strlen(artifact) && size > 0 ? "there" : "empty");
  fputs(flashFusionResultDiagnostics(result), stdout);
  fputs(artifact, stdout);
  int status = flashFusionResultIsOk(result) ? 0 : 1;
  flashFusionResultDestroy(result);
  return status;
}
