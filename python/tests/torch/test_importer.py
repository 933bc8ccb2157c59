# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch-mlir as importer finds and computes what ours does. Needs torch and the compiler; torch-mlir
for the rest."""

import unittest
from unittest import mock

try:
    import torch
except ImportError:
    raise unittest.SkipTest("torch is not installed") from None

import flashfusion.torch
from flashfusion.torch import importer
from models import Decoder, Encoder, Head, randomized

OWN = {"flashfusion.cpu": True}
OTHER = {**OWN, "flashfusion.importer": "torch-mlir"}


class Choice(unittest.TestCase):
    def compiled(self, name):
        torch._dynamo.reset()
        options = {**OWN, "flashfusion.importer": name}
        return torch.compile(Head(), backend="flashfusion", options=options)(torch.randn(2, 3, 64))

    def test_names(self):
        with self.assertRaisesRegex(Exception, "must be 'own' or 'torch-mlir'"):
            self.compiled("other")
        with mock.patch.object(importer, "available", return_value=False), \
                self.assertRaisesRegex(Exception, "torch-mlir is not installed"):
            self.compiled("torch-mlir")


@unittest.skipUnless(importer.available(), "torch-mlir is not installed")
class Importer(unittest.TestCase):
    def test_the_same_is_found_and_computed(self):
        for make in (Decoder, Encoder, Head):
            for dtype, tolerance in ((torch.float32, 1e-5), (torch.bfloat16, 2e-2)):
                for shape in ((2, 3, 64), (2, 100, 64)):
                    with self.subTest(make=make.__name__, dtype=dtype, shape=shape):
                        torch.manual_seed(0)
                        model, x = randomized(make(), dtype), torch.randn(*shape).to(dtype)
                        own, other = (flashfusion.torch.explain(model, x, options=options)
                                      for options in (OWN, OTHER))
                        self.assertEqual(str(own), str(other))
                        for a, b in zip(own.fused, other.fused):
                            self.assertNotEqual(a.program, b.program)
                        torch._dynamo.reset()
                        with torch.no_grad():
                            y = torch.compile(model, backend="flashfusion", options=OTHER)(x)
                            exact = model.double()(x.double())
                        self.assertLess(((y - exact).norm() / exact.norm()).item(), tolerance)

    def test_what_it_cannot_write_ours_does(self):
        with mock.patch.object(importer, "import_region", side_effect=RuntimeError):
            found = flashfusion.torch.explain(Head(80), torch.randn(2, 3, 80), options=OTHER)
        self.assertTrue(found.fused, str(found))


if __name__ == "__main__":
    unittest.main()
