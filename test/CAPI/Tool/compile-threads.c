/* Compiles a file in several threads at the same time, and says whether each got what a call alone
   gets. usage: compile-threads FILE THREADS (apart | shared)
   apart:  flashFusionCompile, a context per call: artifacts, remarks and diagnostics
   shared: modules and pass managers of one context of MLIR's, whose own threads are on
   The calls alone come last, so that nothing has run before the threads start. */
#include "FlashFusion-c/MLIR.h"
#include "mlir-c/RegisterEverything.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { mostThreads = 64, kinds = 5 };
static char source[1 << 20];

/* Text that grows. */
typedef struct Text {
  char *data;
  size_t size, capacity;
} Text;

static void append(MlirStringRef piece, void *user) {
  Text *text = user;
  if (text->size + piece.length + 1 > text->capacity) {
    text->capacity = 2 * (text->size + piece.length + 1);
    text->data = realloc(text->data, text->capacity);
  }
  memcpy(text->data + text->size, piece.data, piece.length);
  text->size += piece.length;
  text->data[text->size] = 0;
}

static void appendString(Text *text, const char *piece) {
  append(mlirStringRefCreateFromCString(piece), text);
}

static void appendRemark(const FlashFusionRemark *remark, void *user) {
  appendString(user, remark->name);
  for (size_t i = 0; i < remark->numArguments; ++i)
    appendString(user, remark->values[i]);
  appendString(user, remark->location);
  appendString(user, "\n");
}

typedef struct Job {
  int kind;
  MlirContext context; /* null: flashFusionCompile */
  Text text;
} Job;

/* The last kind of request fails: diagnostics, too, come from their own call only. */
static void compileText(Job *job) {
  static const char *const options[kinds] = {"chip=sm_80", "chip=sm_90a", "chip=sm_89", "",
                                             "chip=sm_1"};
  FlashFusionRequest request = {0};
  request.artifact = (FlashFusionArtifact)(job->kind % 4);
  request.options = options[job->kind];
  request.remarks = appendRemark;
  request.remarksUserData = &job->text;
  FlashFusionResult *result = flashFusionCompile(source, strlen(source), &request);
  appendString(&job->text, flashFusionResultDiagnostics(result));
  appendString(&job->text, flashFusionResultArtifact(result, NULL));
  flashFusionResultDestroy(result);
}

static void runPasses(Job *job) {
  static const char *const pipelines[kinds] = {
      "ff-to-ptx{chip=sm_80}", "ff-to-ptx{chip=sm_90a}", "ff-raise,func.func(ff-decompose)",
      "ff-to-cpu", "ff-raise{rounding=strict},func.func(ff-decompose),ff-lower-to-loops"};
  MlirModule module = mlirModuleCreateParse(job->context, mlirStringRefCreateFromCString(source));
  if (mlirModuleIsNull(module))
    return;
  MlirPassManager pm = mlirPassManagerCreateOnOperation(
      job->context, mlirStringRefCreateFromCString("builtin.module"));
  if (mlirLogicalResultIsSuccess(mlirOpPassManagerAddPipeline(
          mlirPassManagerGetAsOpPassManager(pm),
          mlirStringRefCreateFromCString(pipelines[job->kind]), append, &job->text)) &&
      mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(pm, mlirModuleGetOperation(module))))
    mlirOperationPrint(mlirModuleGetOperation(module), append, &job->text);
  mlirPassManagerDestroy(pm);
  mlirModuleDestroy(module);
}

static void *run(void *user) {
  Job *job = user;
  appendString(&job->text, "");
  if (mlirContextIsNull(job->context))
    compileText(job);
  else
    runPasses(job);
  return NULL;
}

int main(int argc, char **argv) {
  int threads = argc == 4 ? atoi(argv[2]) : 0;
  FILE *file = threads > 0 && threads <= mostThreads ? fopen(argv[1], "rb") : NULL;
  if (!file)
    return 2;
  fread(source, 1, sizeof(source) - 1, file);
  fclose(file);

  MlirContext context = {NULL};
  if (strcmp(argv[3], "shared") == 0) {
    MlirDialectRegistry registry = mlirDialectRegistryCreate();
    mlirRegisterAllDialects(registry);
    flashFusionRegisterDialects(registry);
    context = mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/true);
    mlirRegisterAllLLVMTranslations(context);
    /* Parsers and pass managers load what they need without a lock. */
    mlirContextLoadAllAvailableDialects(context);
    mlirDialectRegistryDestroy(registry);
    flashFusionRegisterPasses();
  }

  static Job jobs[mostThreads], alone[kinds];
  pthread_t ids[mostThreads];
  for (int i = 0; i < threads; ++i) {
    jobs[i].kind = i % kinds;
    jobs[i].context = context;
    if (pthread_create(&ids[i], NULL, run, &jobs[i]) != 0)
      return 2;
  }
  for (int i = 0; i < threads; ++i)
    pthread_join(ids[i], NULL);

  int same = 0;
  for (int i = 0; i < kinds; ++i) {
    alone[i].kind = i;
    alone[i].context = context;
    run(&alone[i]);
    printf("kind %d: %s\n", i, alone[i].text.size > 100 ? "much text" : alone[i].text.data);
  }
  for (int i = 0; i < threads; ++i) {
    same += strcmp(jobs[i].text.data, alone[jobs[i].kind].text.data) == 0;
    free(jobs[i].text.data);
  }
  for (int i = 0; i < kinds; ++i)
    free(alone[i].text.data);
  if (!mlirContextIsNull(context))
    mlirContextDestroy(context);
  printf("%d of %d as alone\n", same, threads);
  return same == threads ? 0 : 1;
}
