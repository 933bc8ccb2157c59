# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times of calls on a GPU: CUDA graphs, rotated weights, shuffled order, medians."""

import random
import time
from typing import Any, Callable, Dict, List, Sequence, Tuple

#: More than any L2 holds.
ROTATED_BYTES = 256 << 20

Graph = Tuple[Any, int]


def sets_for(weight_bytes: int) -> int:
    """How many sets of weights to rotate through."""
    return max(2, min(48, ROTATED_BYTES // max(weight_bytes, 1) + 1))


def capture(calls: Sequence[Callable[[], Any]], least: int) -> Graph:
    """A graph that makes all calls, over and over up to at least `least`, and their number. What
    the calls refer to must outlive it."""
    import torch
    repeats = max(1, least // len(calls))
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for call in calls:
            call()
    torch.cuda.current_stream().wait_stream(stream)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(repeats):
            for call in calls:
                call()
    return graph, repeats * len(calls)


def medians(graphs: Dict[str, Graph], rounds: int, how: str = "rotated") -> Dict[str, float]:
    """Microseconds per call. how: "rotated" settles for one replay and times the next;
    "sustained" keeps the GPU busy for 0.2 s first; "burst" lets it rest first."""
    import torch
    times: Dict[str, List[float]] = {name: [] for name in graphs}
    for number in range(rounds + 1):  # the first round only warms up
        for name in random.sample(list(graphs), len(graphs)):
            graph, calls = graphs[name]
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            if how == "burst":
                torch.cuda.synchronize()
                time.sleep(0.02)
            elif how == "sustained" and number:
                until = time.perf_counter() + 0.2
                while time.perf_counter() < until:
                    graph.replay()
                    torch.cuda.synchronize()
            else:
                graph.replay()
            start.record()
            graph.replay()
            end.record()
            torch.cuda.synchronize()
            if number:
                times[name].append(start.elapsed_time(end) * 1e3 / calls)
    return {name: sorted(t)[len(t) // 2] for name, t in times.items()}
