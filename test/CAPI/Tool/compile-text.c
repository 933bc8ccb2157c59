/* Compiles a file with the C API and prints what comes of it: remarks, the artifact, diagnostics.
   usage: compile-text [FILE [OPTIONS [ptx | bundle | module | cpu [unregistered]]]]
   Without OPTIONS the request is NULL, without FILE the source as well. */
#include "FlashFusion-c/FlashFusion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void printRemark(const FlashFusionRemark *remark, void *count) {
  static const char *const kinds[] = {"passed", "missed", "failed", "analysis"};
  ++*(int *)count;
  printf("remark %s %s %s in %s at %s:", kinds[remark->kind], remark->category, remark->name,
         remark->function, remark->location);
  for (size_t i = 0; i < remark->numArguments; ++i)
    printf(" %s=%s", remark->keys[i], remark->values[i]);
  printf("\n");
}

/* A name that is not in the list gives a number that is no artifact. */
static FlashFusionArtifact artifactOf(const char *name) {
  static const char *const names[] = {"ptx", "bundle", "module", "cpu"};
  int i = 0;
  while (i < 4 && strcmp(name, names[i]) != 0)
    ++i;
  return (FlashFusionArtifact)i;
}

int main(int argc, char **argv) {
  char *source = NULL;
  size_t length = 0;
  if (argc > 1) {
    FILE *file = fopen(argv[1], "rb");
    if (!file)
      return 2;
    size_t capacity = 1 << 20;
    source = malloc(capacity);
    length = fread(source, 1, capacity, file);
    fclose(file);
  }

  int count = 0;
  FlashFusionRequest request = {0};
  request.options = argv[2];
  request.sourceName = "model.mlir";
  request.artifact = argc > 3 ? artifactOf(argv[3]) : FLASHFUSION_PTX;
  request.allowUnregisteredDialects = argc > 4;
  request.remarks = printRemark;
  request.remarksUserData = &count;
  FlashFusionResult *result = flashFusionCompile(source, length, argc > 2 ? &request : NULL);
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
  flashFusionResultDestroy(NULL);
  return status;
}
