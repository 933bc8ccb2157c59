//===- Child.cpp - Inputs in a process of their own -------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Child.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace fffuzz;

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FF_FUZZ_ASAN 1
#endif
#endif

static Progress *shared;
static constexpr int seconds = 20;

static const char *nameOf(int signal) {
  switch (signal) {
  case SIGVTALRM:
    return "more than 20 s";
  case SIGABRT:
    return "abort";
  case SIGSEGV:
    return "segmentation fault";
  default:
    return "signal";
  }
}

/// Names the innermost frames. Nothing here is safe in a signal handler; the process is lost
/// anyhow, and its parent needs nothing of it.
static void onSignal(int signal) {
  // With a spoiled heap what follows may come here again, without end.
  for (int other : {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS})
    ::signal(other, SIG_DFL);
  snprintf(shared->where, sizeof shared->where, "%s, and again while it was handled",
           nameOf(signal));
  void *frames[64];
  int n = backtrace(frames, 64);
  std::string where = nameOf(signal);
  for (int i = 0, shown = 0; i < n && shown < 4; ++i) {
    Dl_info info;
    if (!dladdr(frames[i], &info))
      continue;
    int status = -1;
    char *plain =
        info.dli_sname ? abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, &status) : nullptr;
    std::string name = status == 0 ? plain : info.dli_sname ? info.dli_sname : "?";
    free(plain);
    std::string file = info.dli_fname;
    file = file.substr(file.rfind('/') + 1);
    if (file.rfind("libc.so", 0) == 0 || name.find("llvm::sys::") == 0 || name.find("std::") == 0 ||
        name == "?")
      continue;
    where += (shown ? " < " : " in ") + name.substr(0, name.find('(')) + " (" + file + ")";
    ++shown;
  }
  snprintf(shared->where, sizeof shared->where, "%s", where.c_str());
  ::signal(signal, SIG_DFL);
  raise(signal == SIGVTALRM ? SIGKILL : signal);
}

static void setUp(const std::string &log) {
  int file = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  dup2(file, STDERR_FILENO);
  close(file);
  // Handlers need a stack where the stack is what ran out.
  static char stack[1 << 18];
  stack_t alternative = {};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof stack;
  sigaltstack(&alternative, nullptr);
  struct sigaction action = {};
  action.sa_handler = onSignal;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGVTALRM, &action, nullptr);
#ifndef FF_FUZZ_ASAN
  // The sanitizer reports these better, and maps memory that it never uses.
  for (int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS})
    sigaction(signal, &action, nullptr);
  rlimit memory = {rlim_t(6) << 30, rlim_t(6) << 30};
  setrlimit(RLIMIT_AS, &memory);
#endif
}

/// More CPU time than any pass needs is a hang. A process that waits forever uses none: the
/// handler may do so for a lock of malloc's.
void fffuzz::startClock() {
  alarm(10 * seconds);
  itimerval timer = {};
  timer.it_value.tv_sec = seconds;
  setitimer(ITIMER_VIRTUAL, &timer, nullptr);
}

std::optional<Fault> fffuzz::runChild(uint64_t begin, uint64_t end,
                                      const std::function<std::string(uint64_t)> &input,
                                      const std::string &log, Counts &counts) {
  if (!shared) {
    shared = static_cast<Progress *>(
        mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    if (shared == MAP_FAILED)
      exit(2);
  }
  memset(shared, 0, sizeof *shared);
  shared->index = begin;
  fflush(nullptr);
  pid_t child = fork();
  if (child == 0) {
    setUp(log);
    bool ok = true;
    {
      Checker checker(*shared);
      for (uint64_t i = begin; i < end && ok; ++i) {
        shared->index = i;
        startClock();
        ok = checker.check(input(i), i);
      }
      if (ok)
        snprintf(shared->stage, sizeof shared->stage, "at the end");
    }
    exit(ok ? 0 : 3); // leaks are reported here
  }
  int status = 0;
  waitpid(child, &status, 0);
  counts.valid += shared->counts.valid;
  counts.raised += shared->counts.raised;
  counts.runs += shared->counts.runs;
  counts.emitted += shared->counts.emitted;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return std::nullopt;
  std::string what = std::string(shared->stage) + ": ";
  if (*shared->where)
    what += shared->where;
  else if (WIFSIGNALED(status))
    what += "signal " + std::to_string(WTERMSIG(status));
  else
    what += "exit status " + std::to_string(WEXITSTATUS(status)) + ", see the log";
  return Fault{shared->index, what};
}
