# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The bench compares like with like: its programs, run on the host, against its references."""

import unittest

try:
    import torch
except ImportError:
    raise unittest.SkipTest("torch is not installed") from None

import flashfusion
from flashfusion.bench import contenders, shapes


class Programs(unittest.TestCase):
    def test_programs_compute_the_references(self):
        for name in ("Llama-3-8B qkv", "Llama-3-8B gate+up", "Gemma-2-9B gate+up",
                     "Gemma-2-9B qkv", "GPT-2-124M fc1", "ViT-L fc1", "ViT-L qkv"):
            case = shapes.select("decode", name)[0]._replace(k=64)
            case = case._replace(n=tuple(24 for _ in case.n))
            w = contenders.make_weights(case, 5, 0, "cpu")
            results = flashfusion.compile(case.mlir())(*contenders.our_arguments(case, w))
            ours = torch.cat(results if isinstance(results, tuple) else (results,), 1).double()
            wide = contenders.Weights(*(None if t is None else t.double() for t in w))
            expected = contenders.reference(case, wide.x, wide)
            error = ((ours - expected).norm() / expected.norm()).item()
            with self.subTest(case=name):
                self.assertEqual(ours.shape, expected.shape)
                self.assertLess(error, 5e-3)


if __name__ == "__main__":
    unittest.main()
