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

    def test_layers_of_a_chain_depend_on_each_other(self):
        case = shapes.CHAIN._replace(k=64, n=(64,))
        sets = [contenders.make_weights(case, 3, seed, "cpu") for seed in range(4)]
        chain = contenders.Chain(case, 3, sets)
        (call,) = chain.calls("eager")
        x = sets[0].x
        for w in sets:
            x = contenders.reference(case, x, w)
        self.assertTrue(torch.equal(call(), x))
        self.assertEqual(len(chain.run(chain.step("eager"))), 5)
        chain._ours_pdl = chain._eager  # the error is that of each layer alone
        self.assertLess(chain.error(), 5e-3)
        chain._ours_pdl = lambda: lambda i, w: contenders.reference(case, sets[0].x, w)
        self.assertGreater(chain.error(), 0.1)


if __name__ == "__main__":
    unittest.main()
