//===- Timing.cpp - How long a call takes -------------------------------------===//
//
// Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A graph of many calls hides the cost of launching from the host. The calls
// rotate through copies of the arguments that together exceed L2, as the layers
// of a model do: otherwise weights would be read from L2.
//
//===----------------------------------------------------------------------===//
#include "Buffers.h"

#include "llvm/ADT/ScopeExit.h"

using namespace mlir::flashfusion::runtime;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;

/// Larger than the L2 of any GPU so far.
static constexpr int64_t bytesBeyondL2 = 256 << 20;
static constexpr int64_t callsPerGraph = 48;

Expected<cuda::GraphExec> Program::capture(const Function &function,
                                           ArrayRef<std::unique_ptr<Buffers>> sets, bool dependent,
                                           cuda::Stream stream) {
  const Driver &api = device.driver();
  constexpr int threadLocal = 1;
  if (Error error = api.check(api.beginCapture(stream, threadLocal), "capturing a graph"))
    return std::move(error);
  Error failed = Error::success();
  for (int64_t i = 0; i < callsPerGraph && !failed; ++i) {
    const Buffers &set = *sets[i % sets.size()];
    failed = launch(function, set.arguments, set.shapes, set.results, stream, dependent);
  }
  cuda::Graph graph = nullptr;
  Error ended = api.check(api.endCapture(stream, &graph), "capturing a graph");
  llvm::scope_exit cleanup([&] {
    if (graph)
      api.destroyGraph(graph);
  });
  if (failed || ended)
    return llvm::joinErrors(std::move(failed), std::move(ended));
  cuda::GraphExec exec = nullptr;
  if (Error error = api.check(api.instantiate(&exec, graph, 0), "preparing a graph"))
    return std::move(error);
  return exec;
}

Expected<double> Program::time(const Function &function, ArrayRef<HostValue> arguments,
                               bool dependent, int rounds) {
  const Driver &api = device.driver();
  int64_t bytes = 1;
  for (const HostValue &value : arguments)
    bytes += value.bytes.size();
  int64_t copies = std::clamp<int64_t>(bytesBeyondL2 / bytes + 1, 1, callsPerGraph);
  std::vector<std::unique_ptr<Buffers>> sets;
  for (int64_t i = 0; i < copies; ++i) {
    sets.push_back(std::make_unique<Buffers>(device));
    Buffers &set = *sets.back();
    if (Error error = prepare(function, arguments, 0, set))
      return std::move(error);
    // Packs weights and allocates, neither of which a capture may do.
    if (Error error = launch(function, set.arguments, set.shapes, set.results))
      return std::move(error);
  }
  if (Error error = device.synchronize())
    return std::move(error);

  cuda::Stream stream = nullptr;
  cuda::Event start = nullptr, stop = nullptr;
  cuda::GraphExec graph = nullptr;
  llvm::scope_exit cleanup([&] {
    if (graph)
      api.destroyGraphExec(graph);
    if (start)
      api.destroyEvent(start);
    if (stop)
      api.destroyEvent(stop);
    if (stream)
      api.destroyStream(stream);
    dropPacked(); // the copies go, and others may get their addresses
  });
  constexpr unsigned nonBlocking = 1;
  if (Error error = api.check(api.createStream(&stream, nonBlocking), "creating a stream"))
    return std::move(error);
  if (Error error = api.check(api.createEvent(&start, 0), "creating an event"))
    return std::move(error);
  if (Error error = api.check(api.createEvent(&stop, 0), "creating an event"))
    return std::move(error);
  Expected<cuda::GraphExec> captured = capture(function, sets, dependent, stream);
  if (!captured)
    return captured.takeError();
  graph = *captured;

  std::vector<double> times;
  for (int round = -2; round < std::max(rounds, 1); ++round) {
    float milliseconds = 0;
    int result = api.launchGraph(graph, stream); // reach the steady state first
    if (!result)
      result = api.recordEvent(start, stream);
    if (!result)
      result = api.launchGraph(graph, stream);
    if (!result)
      result = api.recordEvent(stop, stream);
    if (!result)
      result = api.waitForEvent(stop);
    if (!result)
      result = api.elapsed(&milliseconds, start, stop);
    if (Error error = api.check(result, "timing " + function.name))
      return std::move(error);
    if (round >= 0)
      times.push_back(milliseconds * 1e3 / callsPerGraph);
  }
  llvm::sort(times);
  return times[times.size() / 2];
}
