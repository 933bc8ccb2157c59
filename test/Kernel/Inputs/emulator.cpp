//===- emulator.cpp - Runs a kernel's LLVM IR on the host ------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every thread of a block is a coroutine that runs until it synchronises. Warps
// take turns in random order, so that a missing barrier shows as a wrong
// result; shared memory starts as NaN; copies that are waited for happen either
// at once or as late as they may (bulk copies: when their mbarrier is waited for). emulate.py gives the NVVM intrinsics bodies
// that end here.
//
//===----------------------------------------------------------------------===//
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <random>
#include <ucontext.h>
#include <vector>

extern "C" {
alignas(1024) char ff_smem[1 << 18];
}

namespace {
enum class Wait { None, Barrier, Warp, Memory, Done };
/// What the lanes of a warp do together.
enum Collective { Sync, ShuffleXor, ShuffleFrom, LoadMatrix, StoreMatrix, Mma16, MmaBF16, MmaTF32 };

struct Copy {
  void *dst;
  const void *src;
  int size, bytes;
};

/// An mbarrier, known by its address; its phase ends when all have arrived and
/// all bytes that they announced are there.
struct MemoryBarrier {
  int count = 0, missing = 0, bytes = 0;
  unsigned phase = 0;
  std::vector<Copy> copies;
};

struct Thread {
  ucontext_t context;
  Wait wait;
  int barrier, barrierCount; ///< Wait::Barrier
  void *memoryBarrier;       ///< Wait::Memory
  unsigned parity;
  int op;                    ///< Wait::Warp
  void *payload;
  std::vector<Copy> open;
  std::deque<std::vector<Copy>> groups;
};

using Kernel = void (*)(void **);
std::vector<Thread> threads;
std::map<void *, MemoryBarrier> memoryBarriers;
std::vector<char> stacks;
ucontext_t scheduler;
unsigned current, block, blocks;
bool eagerCopies;
Kernel kernel;
void **arguments;

void stop(Wait wait) {
  unsigned me = current;
  threads[me].wait = wait;
  swapcontext(&threads[me].context, &scheduler);
}

void together(int op, void *payload) {
  threads[current].op = op;
  threads[current].payload = payload;
  stop(Wait::Warp);
}

void start() {
  kernel(arguments);
  stop(Wait::Done);
}

void perform(const Copy &copy) {
  std::memset(copy.dst, 0, copy.size);
  std::memcpy(copy.dst, copy.src, copy.bytes);
}

float fromBF16(uint16_t bits) {
  uint32_t wide = uint32_t(bits) << 16;
  float f;
  std::memcpy(&f, &wide, 4);
  return f;
}
float fromF16(uint16_t h) {
  int exponent = h >> 10 & 31, mantissa = h & 1023;
  float f = exponent == 31  ? (mantissa ? NAN : INFINITY)
            : exponent == 0 ? std::ldexp(float(mantissa), -24)
                            : std::ldexp(float(mantissa | 1024), exponent - 25);
  return h >> 15 ? -f : f;
}
float half(int op, uint32_t word, int i) {
  uint16_t bits = word >> 16 * i;
  return op == Mma16 ? fromF16(bits) : fromBF16(bits);
}
float fromTF32(uint32_t word) {
  word &= 0xffffe000;
  float f;
  std::memcpy(&f, &word, 4);
  return f;
}

struct Matrix {
  char *row;
  int count, transpose;
  uint32_t regs[4];
};
struct Mma {
  uint32_t a[4], b[2];
  float c[4];
};

void moveMatrix(int op, Matrix *lanes[32]) {
  int count = lanes[0]->count;
  for (int m = 0; m < count; ++m)
    for (int lane = 0; lane < 32; ++lane)
      for (int i = 0; i < 2; ++i) {
        int r = lane / 4, c = lane % 4 * 2 + i;
        if (lanes[0]->transpose)
          std::swap(r, c);
        char *memory = lanes[8 * m + r]->row + 2 * c;
        char *reg = reinterpret_cast<char *>(&lanes[lane]->regs[m]) + 2 * i;
        std::memcpy(op == LoadMatrix ? reg : memory, op == LoadMatrix ? memory : reg, 2);
      }
}

void multiply(int op, Mma *lanes[32]) {
  const int k = op == MmaTF32 ? 8 : 16;
  float a[16][16], b[16][8];
  for (int lane = 0; lane < 32; ++lane) {
    int g = lane / 4, t = lane % 4;
    for (int r = 0; r < 4; ++r) {
      if (op == MmaTF32)
        a[g + r % 2 * 8][t + r / 2 * 4] = fromTF32(lanes[lane]->a[r]);
      else
        for (int i = 0; i < 2; ++i)
          a[g + r % 2 * 8][2 * t + i + r / 2 * 8] = half(op, lanes[lane]->a[r], i);
    }
    for (int r = 0; r < 2; ++r) {
      if (op == MmaTF32)
        b[t + r * 4][g] = fromTF32(lanes[lane]->b[r]);
      else
        for (int i = 0; i < 2; ++i)
          b[2 * t + i + r * 8][g] = half(op, lanes[lane]->b[r], i);
    }
  }
  for (int lane = 0; lane < 32; ++lane)
    for (int r = 0; r < 4; ++r) {
      int row = lane / 4 + r / 2 * 8, col = lane % 4 * 2 + r % 2;
      double sum = lanes[lane]->c[r];
      for (int i = 0; i < k; ++i)
        sum += double(a[row][i]) * b[i][col];
      lanes[lane]->c[r] = float(sum);
    }
}

struct Shuffle {
  uint32_t value;
  int lane;
};

void perform(int op, unsigned warp) {
  void *lanes[32];
  for (int i = 0; i < 32; ++i)
    lanes[i] = threads[32 * warp + i].payload;
  if (op == ShuffleXor || op == ShuffleFrom) {
    uint32_t values[32];
    for (int i = 0; i < 32; ++i)
      values[i] = static_cast<Shuffle *>(lanes[i])->value;
    for (int i = 0; i < 32; ++i) {
      auto *s = static_cast<Shuffle *>(lanes[i]);
      s->value = values[(op == ShuffleXor ? i ^ s->lane : s->lane) & 31];
    }
  } else if (op == LoadMatrix || op == StoreMatrix) {
    moveMatrix(op, reinterpret_cast<Matrix **>(lanes));
  } else if (op != Sync) {
    multiply(op, reinterpret_cast<Mma **>(lanes));
  }
}

void perform(MemoryBarrier &barrier) {
  for (const Copy &copy : barrier.copies) {
    perform(copy);
    barrier.bytes -= copy.bytes;
  }
  barrier.copies.clear();
}

/// Whether the phase that the warp waits for has ended; copies that were not
/// performed at once are performed now.
bool released(const Thread &thread) {
  auto found = memoryBarriers.find(thread.memoryBarrier);
  if (found == memoryBarriers.end())
    return false;
  MemoryBarrier &barrier = found->second;
  perform(barrier);
  if (barrier.missing == 0 && barrier.bytes == 0) {
    barrier.missing = barrier.count;
    ++barrier.phase;
  }
  return (barrier.phase & 1) != thread.parity;
}

/// Runs the warp's lanes to where they next wait. False if they wait for
/// different things.
bool runWarp(unsigned warp, bool backwards) {
  for (unsigned i = 0; i < 32; ++i) {
    current = 32 * warp + (backwards ? 31 - i : i);
    if (threads[current].wait == Wait::None)
      swapcontext(&scheduler, &threads[current].context);
  }
  Thread &first = threads[32 * warp];
  for (unsigned i = 1; i < 32; ++i) {
    Thread &t = threads[32 * warp + i];
    if (t.wait != first.wait || (t.wait == Wait::Warp && t.op != first.op) ||
        (t.wait == Wait::Memory && t.memoryBarrier != first.memoryBarrier)) {
      std::fprintf(stderr, "lanes of warp %u diverge at a synchronisation\n", warp);
      return false;
    }
  }
  if (first.wait == Wait::Warp) {
    perform(first.op, warp);
    for (unsigned i = 0; i < 32; ++i)
      threads[32 * warp + i].wait = Wait::None;
  }
  return true;
}

/// Releases one barrier that all its threads have reached.
bool releaseBarrier() {
  for (Thread &t : threads) {
    if (t.wait != Wait::Barrier)
      continue;
    int waiting = 0, id = t.barrier;
    for (Thread &o : threads)
      waiting += o.wait == Wait::Barrier && o.barrier == id;
    if (waiting != t.barrierCount)
      continue;
    for (Thread &o : threads)
      if (o.wait == Wait::Barrier && o.barrier == id)
        o.wait = Wait::None;
    return true;
  }
  return false;
}

bool runBlock(std::mt19937 &random) {
  const size_t stackBytes = 1 << 17;
  stacks.resize(stackBytes * threads.size());
  std::memset(ff_smem, 0xff, sizeof(ff_smem));
  memoryBarriers.clear();
  eagerCopies = random() & 1;
  for (size_t i = 0; i < threads.size(); ++i) {
    Thread &t = threads[i];
    t = Thread();
    getcontext(&t.context);
    t.context.uc_stack.ss_sp = &stacks[stackBytes * i];
    t.context.uc_stack.ss_size = stackBytes;
    makecontext(&t.context, start, 0);
  }
  while (true) {
    std::vector<unsigned> ready;
    bool done = true;
    for (size_t i = 0; i < threads.size(); i += 32) {
      if (threads[i].wait == Wait::Memory && released(threads[i]))
        for (size_t lane = 0; lane < 32; ++lane)
          threads[i + lane].wait = Wait::None;
      if (threads[i].wait == Wait::None)
        ready.push_back(i / 32);
      done &= threads[i].wait == Wait::Done;
    }
    if (done)
      return true;
    if (ready.empty()) {
      if (releaseBarrier())
        continue;
      std::fprintf(stderr, "threads wait for each other\n");
      return false;
    }
    if (!runWarp(ready[random() % ready.size()], random() & 1))
      return false;
  }
}
} // namespace

extern "C" {
uint32_t emu_tid() { return current; }
uint32_t emu_cta() { return block; }
uint32_t emu_ctas() { return blocks; }
void emu_barrier(int id, int count) {
  threads[current].barrier = id;
  threads[current].barrierCount = count ? count : threads.size();
  stop(Wait::Barrier);
}
void emu_together(int op, void *payload) { together(op, payload); }

void emu_copy(void *dst, const void *src, int size, int bytes) {
  Copy copy{dst, src, size, bytes};
  if (eagerCopies)
    perform(copy);
  else
    threads[current].open.push_back(copy);
}
void emu_commit() {
  Thread &t = threads[current];
  t.groups.push_back(std::move(t.open));
  t.open.clear();
}
void emu_wait(int pending) {
  Thread &t = threads[current];
  for (; t.groups.size() > size_t(pending); t.groups.pop_front())
    for (const Copy &copy : t.groups.front())
      perform(copy);
}

void emu_mbarrier_init(void *barrier, int count) {
  MemoryBarrier &b = memoryBarriers[barrier];
  b = MemoryBarrier();
  b.count = b.missing = count;
}
void emu_mbarrier_expect(void *barrier, int bytes) {
  MemoryBarrier &b = memoryBarriers.at(barrier);
  b.bytes += bytes;
  if (--b.missing < 0) {
    std::fprintf(stderr, "more arrivals at an mbarrier than it waits for\n");
    std::abort();
  }
}
void emu_mbarrier_wait(void *barrier, unsigned parity) {
  threads[current].memoryBarrier = barrier;
  threads[current].parity = parity;
  stop(Wait::Memory);
}
void emu_bulk(void *dst, void *barrier, const void *src, int bytes) {
  uintptr_t bits = reinterpret_cast<uintptr_t>(dst) | reinterpret_cast<uintptr_t>(src) | bytes;
  if (bits % 16 != 0) {
    std::fprintf(stderr, "a bulk copy is not a multiple of 16 bytes\n");
    std::abort();
  }
  MemoryBarrier &b = memoryBarriers.at(barrier);
  b.copies.push_back({dst, src, bytes, bytes});
  if (eagerCopies)
    perform(b);
}
float emu_sqrt(float x) { return std::sqrt(x); }
float emu_rsqrt(float x) { return 1.0f / std::sqrt(x); }

// Compiler support that is not in every libgcc. The result's 16 bits travel in
// the register of a float.
static float asRegister(uint16_t bits) {
  uint32_t wide = bits;
  float f;
  std::memcpy(&f, &wide, 4);
  return f;
}
float __truncsfbf2(float f) {
  uint32_t u;
  std::memcpy(&u, &f, 4);
  if (std::isnan(f))
    return asRegister(u >> 16 | 64);
  return asRegister((u + 0x7fff + (u >> 16 & 1)) >> 16);
}

/// Runs the grid; 0 if all went well.
int emu_run(Kernel function, void **args, unsigned grid, unsigned blockSize, unsigned smemBytes,
            unsigned seed) {
  kernel = function;
  arguments = args;
  blocks = grid;
  threads.resize(blockSize);
  std::mt19937 random(seed);
  for (block = 0; block < grid; ++block) {
    if (!runBlock(random))
      return 1;
    for (size_t i = smemBytes; i < sizeof(ff_smem); ++i)
      if (ff_smem[i] != char(0xff)) {
        std::fprintf(stderr, "writes byte %zu of %u bytes of shared memory\n", i, smemBytes);
        return 1;
      }
  }
  return 0;
}
}
