#!/usr/bin/env python3
# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""flashfusion.compile on a GPU: one program on torch, cupy and numpy arrays. Needs torch, a GPU and
the compiler; cupy where it is."""

import os
import sys
import unittest

import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "compiler"))

import flashfusion
from test_compile import RMS_NORM


@unittest.skipUnless(torch.cuda.is_available(), "no CUDA GPU")
class CompileOnGPU(unittest.TestCase):
    def setUp(self):
        self.program = flashfusion.compile(RMS_NORM)
        torch.manual_seed(0)
        self.arrays = [torch.randn(s, device="cuda") for s in ((5, 64), (64,), (24, 64))]
        self.y = self.program(*self.arrays)

    def test_host_and_gpu_agree(self):
        host = self.program(*(a.cpu() for a in self.arrays))
        torch.testing.assert_close(self.y.cpu(), host, rtol=1e-5, atol=1e-5)

    def test_out_and_graphs(self):
        out = torch.full_like(self.y, float("nan"))
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self.assertIs(self.program(*self.arrays, out=out), out)
        graph.replay()
        self.assertTrue(torch.equal(out, self.y))

    def test_cupy(self):
        try:
            import cupy
        except ImportError:
            self.skipTest("no cupy")
        arrays = [cupy.asarray(a) for a in self.arrays]
        with cupy.cuda.Stream():
            y = self.program(*arrays)
        self.assertIsInstance(y, cupy.ndarray)
        cupy.cuda.Device().synchronize()
        self.assertTrue(torch.equal(torch.as_tensor(y, device="cuda"), self.y))

    def test_what_does_not_fit(self):
        x, gain, w = self.arrays
        for bad, error in (((x, gain), ValueError), ((x.half(), gain, w), TypeError),
                           ((x, gain.cpu(), w), TypeError), ((x[:, ::2], gain, w), ValueError)):
            with self.assertRaises(error):
                self.program(*bad)


if __name__ == "__main__":
    unittest.main()
