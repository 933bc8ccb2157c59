# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the operator calls a program on a GPU, with everything of the GPU pretended."""

import json
import unittest
from unittest import mock

try:
    import torch
except ImportError:
    raise unittest.SkipTest("torch is not installed") from None

from flashfusion.runtime.manifest import Bundle
from flashfusion.torch import fuse, op
from flashfusion.torch.region import NotFused
from tests.sample import bundle


class FakeTensor:
    is_cuda, device, ndim = True, mock.Mock(index=0), 2

    def __init__(self, *shape, contiguous=True):
        self.shape, self.contiguous_ = shape, contiguous

    def is_contiguous(self):
        return self.contiguous_

    def contiguous(self):
        return FakeTensor(*self.shape)

    def data_ptr(self):
        return id(self)

    def new_empty(self, shape, dtype):
        return FakeTensor(*shape)


class Operator(unittest.TestCase):
    def setUp(self):
        self.program, self.function = mock.Mock(), mock.Mock()
        self.program.bundle.return_value.only.return_value = self.function
        self.program.return_value = (FakeTensor(3, 8), FakeTensor(3, 4))
        stream = mock.Mock(cuda_stream=77)
        for patch in (mock.patch.object(op, "program_of", return_value=self.program),
                      mock.patch.object(op, "_functions", {}),
                      mock.patch.object(op.driver, "current", return_value=mock.MagicMock()),
                      mock.patch.object(op.driver, "chip_of", return_value="sm_90a"),
                      mock.patch.object(torch.cuda, "current_stream", return_value=stream)):
            patch.start()
            self.addCleanup(patch.stop)

    def call(self, x, w, early=True):
        return op._fused(x, [w], "text", [8, 4], torch.bfloat16, False, early)

    def test_the_first_call_is_checked_and_later_ones_are_quick(self):
        x, w = FakeTensor(3, 16), FakeTensor(12, 16)
        self.assertEqual(self.call(x, w), list(self.program.return_value))
        self.program.assert_called_once_with(x, w, dependent_launch=True)
        self.function.run_trusted.assert_not_called()

        self.function.run_trusted.return_value = True
        results = self.call(x, w)
        self.assertEqual([r.shape for r in results], [(3, 8), (3, 4)])
        self.function.run_trusted.assert_called_once_with(
            [x.data_ptr(), w.data_ptr()], [r.data_ptr() for r in results], 3, 0, 77, True)
        self.program.assert_called_once()
        self.function.assert_not_called()

    def test_what_is_not_quick_is_called(self):
        x, w = FakeTensor(3, 16), FakeTensor(12, 16)
        self.call(x, w)
        self.function.run_trusted.return_value = False
        results = self.call(x, w, early=False)
        self.function.assert_called_once_with(x, w, out=results, dependent_launch=False)

    def test_arrays_become_contiguous(self):
        w = FakeTensor(12, 16)
        self.call(FakeTensor(3, 16), w)
        self.function.run_trusted.return_value = True
        strided = FakeTensor(3, 16, contiguous=False)
        self.call(strided, w)
        self.assertNotEqual(self.function.run_trusted.call_args[0][0][0], strided.data_ptr())


class Budget(unittest.TestCase):
    def test_packed_weights_stay_within_it(self):
        step = Bundle.parse(json.dumps(bundle())).functions["f"].steps[0]  # packs 8 KiB
        graph = torch.fx.Graph()
        for mebibytes, steps in ((0.01, 1), (0.02, 2), (True, 50)):
            one = fuse.FusePass(fuse.Options(packed=mebibytes))
            one(graph)  # a budget is for each graph
            for _ in range(steps):
                one.pay(step)
            if mebibytes is not True:
                with self.assertRaises(NotFused) as caught:
                    one.pay(step)
                self.assertEqual(caught.exception.reason, "packed-budget")


if __name__ == "__main__":
    unittest.main()
