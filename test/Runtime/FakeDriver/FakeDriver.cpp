//===- FakeDriver.cpp - A CUDA driver that takes notes ----------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Built as libcuda.so.1 for tests of the runtimes on machines without a GPU.
// "Device memory" is host memory; a launch prints the kernel, its grid and its
// parameters, whose types it reads off the PTX. Addresses are printed as the
// number of the allocation and the offset into it.
//
//===----------------------------------------------------------------------===//
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

using Address = uint64_t;

static constexpr int invalidValue = 1, invalidPtx = 218, notFound = 500;

namespace {
struct Allocation {
  int number;
  size_t size;
};
struct FakeKernel {
  std::string name;
  std::vector<std::string> parameters;
};
struct FakeModule {
  std::map<std::string, FakeKernel> kernels;
};
struct Attribute {
  int id, padding;
  unsigned value[16];
};
struct Config {
  unsigned grid[3], block[3], shared;
  void *stream;
  Attribute *attributes;
  unsigned count;
};
} // namespace

static std::map<Address, Allocation> allocations;
static int allocated = 0;
static bool capturing = false;
static int contextStorage;
static void *currentContext = nullptr;

static std::string describe(Address address) {
  auto next = allocations.upper_bound(address);
  if (next == allocations.begin())
    return "nowhere";
  auto &[start, allocation] = *--next;
  if (address >= start + allocation.size + 1)
    return "nowhere";
  std::string text = "#" + std::to_string(allocation.number);
  return address == start ? text : text + "+" + std::to_string(address - start);
}

/// ".param .align 64 .b8 k_param_0[128]" to "b8", ".param .u32 k_param_2" to "u32"; a 16-bit float
/// is an array of bytes, too.
static std::string parameterType(const std::string &line) {
  if (line.find(".b8 ") != std::string::npos && line.find("[2]") != std::string::npos)
    return "b16";
  for (const char *type : {".b8", ".u64", ".b64", ".u32", ".b32", ".f32", ".u16", ".b16", ".f64"})
    if (line.find(std::string(type) + " ") != std::string::npos)
      return type + 1;
  return "?";
}

extern "C" {

int cuInit(unsigned) { return 0; }
int cuGetErrorName(int error, const char **name) {
  *name = error == invalidPtx ? "CUDA_ERROR_INVALID_PTX" : "CUDA_ERROR_FAKE";
  return 0;
}
int cuGetErrorString(int, const char **text) {
  *text = "said the fake driver";
  return 0;
}
int cuDeviceGetCount(int *count) { return *count = 1, 0; }
int cuDeviceGet(int *device, int ordinal) { return *device = ordinal, 0; }
int cuDeviceGetAttribute(int *value, int attribute, int) {
  return *value = attribute == 75 ? 9 : 0, 0;
}
int cuDeviceGetName(char *name, int size, int) { return snprintf(name, size, "Fake GPU"), 0; }
int cuDevicePrimaryCtxRetain(void **context, int) { return *context = &contextStorage, 0; }
int cuDevicePrimaryCtxRelease_v2(int) { return 0; }
int cuCtxSetCurrent(void *context) { return currentContext = context, 0; }
int cuCtxGetCurrent(void **context) { return *context = currentContext, 0; }
int cuCtxSynchronize() { return capturing ? invalidValue : 0; }
int cuDriverGetVersion(int *version) { return *version = 13000, 0; }
int cuPointerGetAttribute(int *value, int, Address) { return *value = 0, 0; }

int cuMemAlloc_v2(Address *address, size_t size) {
  if (capturing || !currentContext)
    return invalidValue;
  void *memory = aligned_alloc(256, (size + 255) / 256 * 256);
  *address = reinterpret_cast<Address>(memory);
  allocations[*address] = {allocated++, size};
  return 0;
}
int cuMemFree_v2(Address address) {
  if (!allocations.erase(address))
    return invalidValue;
  free(reinterpret_cast<void *>(address));
  return 0;
}
int cuMemcpyHtoD_v2(Address to, const void *from, size_t size) {
  return memcpy(reinterpret_cast<void *>(to), from, size), 0;
}
int cuMemcpyDtoH_v2(void *to, Address from, size_t size) {
  return memcpy(to, reinterpret_cast<void *>(from), size), 0;
}
int cuMemsetD8_v2(Address to, unsigned char value, size_t size) {
  return memset(reinterpret_cast<void *>(to), value, size), 0;
}

int cuModuleLoadDataEx(FakeModule **module, const char *ptx, unsigned count, int *options,
                       void **values) {
  std::string text = ptx;
  if (text.find("bad ptx") != std::string::npos) {
    for (unsigned i = 0; i < count; ++i)
      if (options[i] == 5)
        strcpy(static_cast<char *>(values[i]), "ptxas: line 1: bad");
    return invalidPtx;
  }
  *module = new FakeModule;
  for (size_t at = text.find(".entry "); at != std::string::npos; at = text.find(".entry ", at)) {
    at += 7;
    size_t open = text.find('(', at), close = text.find(')', open);
    FakeKernel kernel{text.substr(at, open - at), {}};
    std::string list = text.substr(open, close - open);
    for (size_t p = list.find(".param"); p != std::string::npos; p = list.find(".param", p + 1))
      kernel.parameters.push_back(parameterType(list.substr(p, list.find('\n', p) - p)));
    (*module)->kernels[kernel.name] = kernel;
  }
  return 0;
}
int cuModuleUnload(FakeModule *module) { return delete module, 0; }
int cuModuleGetFunction(FakeKernel **kernel, FakeModule *module, const char *name) {
  auto found = module->kernels.find(name);
  if (found == module->kernels.end())
    return notFound;
  return *kernel = &found->second, 0;
}
int cuFuncSetAttribute(FakeKernel *kernel, int attribute, int value) {
  printf("attribute %d of %s = %d\n", attribute, kernel->name.c_str(), value);
  return 0;
}

int cuTensorMapEncodeTiled(uint64_t *map, int type, uint32_t rank, void *address,
                           const uint64_t *extents, const uint64_t *strides, const uint32_t *box,
                           const uint32_t *steps, int interleave, int swizzle, int promotion,
                           int fill) {
  if (reinterpret_cast<uint64_t>(map) % 64 || rank != 2 || strides[0] % 16 || steps[0] != 1 ||
      steps[1] != 1 || interleave != 0 || swizzle != 3 || promotion != 2 || fill != 0)
    return invalidValue;
  uint64_t fields[] = {reinterpret_cast<uint64_t>(address), extents[1], extents[0], box[1], box[0],
                       static_cast<uint64_t>(type)};
  memset(map, 0, 128);
  memcpy(map, fields, sizeof(fields));
  return 0;
}

int cuLaunchKernelEx(const Config *config, FakeKernel *kernel, void **parameters, void **) {
  printf("%s %s<<<%u, %u, %u>>>", capturing ? "capture" : "launch", kernel->name.c_str(),
         config->grid[0], config->block[0], config->shared);
  for (unsigned i = 0; i < config->count; ++i) {
    const Attribute &attribute = config->attributes[i];
    if (attribute.id == 4)
      printf(" cluster %u", attribute.value[0]);
    if (attribute.id == 6 && attribute.value[0])
      printf(" dependent");
  }
  for (size_t i = 0; i < kernel->parameters.size(); ++i) {
    const std::string &type = kernel->parameters[i];
    if (type == "b8") {
      uint64_t map[16];
      memcpy(map, parameters[i], sizeof(map));
      printf(" map(%s, %ux%u, box %ux%u, type %u)", describe(map[0]).c_str(), unsigned(map[1]),
             unsigned(map[2]), unsigned(map[3]), unsigned(map[4]), unsigned(map[5]));
    } else if (type == "u64" || type == "b64") {
      printf(" %s", describe(*static_cast<uint64_t *>(parameters[i])).c_str());
    } else if (type == "b16") {
      printf(" 0x%04x", *static_cast<uint16_t *>(parameters[i]));
    } else if (type == "f32") {
      printf(" %g", *static_cast<float *>(parameters[i]));
    } else {
      printf(" %u", *static_cast<uint32_t *>(parameters[i]));
    }
  }
  printf("\n");
  fflush(stdout);
  return 0;
}

int cuStreamCreate(void **stream, unsigned) { return *stream = &contextStorage, 0; }
int cuStreamDestroy_v2(void *) { return 0; }
int cuStreamSynchronize(void *) { return capturing ? invalidValue : 0; }
int cuStreamIsCapturing(void *, int *status) { return *status = capturing, 0; }
int cuStreamBeginCapture_v2(void *, int) { return capturing = true, 0; }
int cuStreamEndCapture(void *, void **graph) {
  capturing = false;
  return *graph = &contextStorage, 0;
}
int cuGraphInstantiateWithFlags(void **exec, void *, unsigned long long) {
  return *exec = &contextStorage, 0;
}
int cuGraphLaunch(void *, void *) { return 0; }
int cuGraphDestroy(void *) { return 0; }
int cuGraphExecDestroy(void *) { return 0; }
int cuEventCreate(void **event, unsigned) { return *event = &contextStorage, 0; }
int cuEventDestroy_v2(void *) { return 0; }
int cuEventRecord(void *, void *) { return 0; }
int cuEventSynchronize(void *) { return 0; }
int cuEventElapsedTime(float *time, void *, void *) { return *time = 0.048f, 0; }
}
