# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""flashfusion.compile and verify on the host, with the compiler of the package; numpy only.
The compiler is found as flashfusion finds it (FLASHFUSION_COMPILER)."""

import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy as np

import flashfusion
from flashfusion import _compiler
from flashfusion.bench import shapes
from flashfusion.tune import table
from flashfusion.tune.__main__ import look_up

RMS_NORM = """
func.func @f(%x: tensor<?x64xf32>, %gain: tensor<64xf32>, %w: tensor<24x64xf32>)
    -> tensor<?x24xf32> {
  %y = ff.norm_linear rms_norm(%x) gain(%gain) weights(%w) {layouts = [#ff.layout<nk>],
    eps = 1.0e-5 : f64} : (tensor<?x64xf32>, tensor<64xf32>, tensor<24x64xf32>)
    -> tensor<?x24xf32>
  return %y : tensor<?x24xf32>
}
"""

SUM = """
func.func @sum(%a: tensor<?x4xELEMENT>, %b: tensor<?x4xELEMENT>) -> tensor<?x4xELEMENT> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?x4xELEMENT>
  %n = tensor.dim %b, %c0 : tensor<?x4xELEMENT>
  %same = arith.cmpi eq, %m, %n : index
  cf.assert %same, "rows differ"
  %e = tensor.empty(%m) : tensor<?x4xELEMENT>
  %s = linalg.add ins(%a, %b : tensor<?x4xELEMENT>, tensor<?x4xELEMENT>)
    outs(%e : tensor<?x4xELEMENT>) -> tensor<?x4xELEMENT>
  return %s : tensor<?x4xELEMENT>
}
"""

WIDEN = """
func.func @widen(%q: tensor<4xf8E4M3FN>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%q : tensor<4xf8E4M3FN>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f8E4M3FN, %o: f32):
    %w = arith.extf %a : f8E4M3FN to f32
    linalg.yield %w : f32
  } -> tensor<4xf32>
  return %f : tensor<4xf32>
}
"""

SCALARS = """
func.func @scale(%s: f32, %a: tensor<3xf32>, %n: i64) -> (tensor<3xf32>, f32, i64) {
  %e = tensor.empty() : tensor<3xf32>
  %f = linalg.fill ins(%s : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %p = linalg.mul ins(%a, %f : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>)
    -> tensor<3xf32>
  return %p, %s, %n : tensor<3xf32>, f32, i64
}
func.func @double(%s: f16) -> f16 {
  %t = arith.addf %s, %s : f16
  return %t : f16
}
func.func @same(%a: tensor<2xf32>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
}
func.func @constant() -> tensor<2xi32> {
  %c = arith.constant dense<[3, 4]> : tensor<2xi32>
  return %c : tensor<2xi32>
}
"""


class Compile(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        patch = mock.patch.dict(os.environ, {"FLASHFUSION_CACHE_DIR": folder.name})
        patch.start()
        self.addCleanup(patch.stop)
        self.random = np.random.default_rng(0)

    def array(self, *shape):
        return self.random.standard_normal(shape).astype(np.float32)

    def test_norm_linear(self):
        program = flashfusion.compile(RMS_NORM)
        gain, w = self.array(64), self.array(24, 64)
        for rows in (1, 5, 0):
            x = self.array(rows, 64)
            wide = x.astype(np.float64)
            expected = (wide / np.sqrt((wide ** 2).mean(1, keepdims=True) + 1e-5) * gain) @ w.T
            y = program(x, gain, w)
            self.assertEqual((y.shape, y.dtype), ((rows, 24), np.float32))
            np.testing.assert_allclose(y, expected, rtol=1e-4, atol=1e-4)
            out = np.full_like(y, np.nan)
            self.assertIs(program(x, gain, w, out=out), out)
            np.testing.assert_array_equal(out, y)
        self.assertIn("f(f32[?, 64], f32[64], f32[24, 64]) -> (f32[?, 24])", repr(program))

    def test_arguments_that_do_not_fit(self):
        program = flashfusion.compile(RMS_NORM, target="cpu")
        x, gain, w = self.array(2, 64), self.array(64), self.array(24, 64)
        for args, error, text in (
                ((x, gain), ValueError, "takes 3 arguments"),
                ((x, gain, w.astype(np.float64)), TypeError, "argument 2 must be of type f32"),
                ((x, gain, w[:5]), ValueError, r"argument 2 must be f32\[24, 64\]"),
                ((x[:, ::-1], gain, w), ValueError, "argument 0 must be contiguous"),
                ((x, 1.0, w), TypeError, "argument 1: expected a numpy array")):
            with self.assertRaisesRegex(error, text):
                program(*args)
        with self.assertRaisesRegex(ValueError, "result 0 must be"):
            program(x, gain, w, out=self.array(3, 24))
        with self.assertRaisesRegex(TypeError, "stream"):
            program(x, gain, w, stream=0)

    def test_a_failed_assertion_is_an_exception(self):
        program = flashfusion.compile(SUM.replace("ELEMENT", "f32"))
        for _ in range(3):
            with self.assertRaisesRegex(RuntimeError, "rows differ"):
                program(self.array(3, 4), self.array(2, 4))
            a, b = self.array(3, 4), self.array(3, 4)
            np.testing.assert_array_equal(program(a, b), a + b)

    def test_sixteen_bits(self):
        half = flashfusion.compile(SUM.replace("ELEMENT", "f16"))
        a, b = self.array(3, 4).astype(np.float16), self.array(3, 4).astype(np.float16)
        np.testing.assert_array_equal(half(a, b), a + b)
        brain = flashfusion.compile(SUM.replace("ELEMENT", "bf16"))
        bits = np.full((1, 4), 0x3F80, np.uint16)  # 1.0
        two = brain(bits, bits)
        np.testing.assert_array_equal(np.asarray(two).view(np.uint16), bits + 0x80)

    def test_eight_bits(self):
        program = flashfusion.compile(WIDEN)
        bits = np.array([0x38, 0xB8, 0x7E, 0x01], np.uint8)
        np.testing.assert_array_equal(program(bits), np.array([1, -1, 448, 2.0**-9], np.float32))
        with self.assertRaisesRegex(TypeError, "must be of type f8E4M3FN, not int16"):
            program(bits.astype(np.int16))

    def test_scalars_constants_and_several_results(self):
        program = flashfusion.compile(SCALARS, target="cpu")
        a = self.array(3)
        product, s, n = program["scale"](2.0, a, -7)
        np.testing.assert_array_equal(product, a * 2)
        self.assertEqual((s, n), (2.0, -7))
        self.assertEqual(program["double"](1.5), 3.0)
        b = self.array(2)
        same = program["same"](b)
        np.testing.assert_array_equal(same, b)
        self.assertFalse(np.shares_memory(same, b))
        np.testing.assert_array_equal(program["constant"](), [3, 4])
        with self.assertRaisesRegex(ValueError, "several functions: scale, double"):
            program(2.0, a, 1)
        with self.assertRaisesRegex(KeyError, "no function 'g'"):
            program["g"](a)

    def test_errors_carry_diagnostics(self):
        with self.assertRaisesRegex(flashfusion.CompileError, "2:.*error"):
            flashfusion.compile("func.func @f() {\n  %a = nonsense\n}\n", target="cpu")
        with self.assertRaisesRegex(flashfusion.CompileError, "unknown chip 'sm_1'"):
            flashfusion.compile(RMS_NORM, target="cuda", chip="sm_1")
        with self.assertRaisesRegex(TypeError, "no option 'speed'; there are"):
            flashfusion.compile(RMS_NORM, speed="high")
        with self.assertRaises(FileNotFoundError):
            flashfusion.compile(str(self.folder / "missing.mlir"))

    def test_what_a_bundle_refuses_says_what_was_not_fused(self):
        with self.assertRaises(flashfusion.CompileError) as caught:
            flashfusion.compile(SUM.replace("ELEMENT", "f32"), target="cuda", chip="sm_90a")
        self.assertIn("error", str(caught.exception))

    def test_bundles_need_no_gpu_to_be_compiled(self):
        program = flashfusion.compile(RMS_NORM, target="cuda", chip="sm_90a")
        self.assertEqual(program.bundle("sm_90a").bundle.chip, "sm_90a")
        self.assertIn(("Passed", "kernel"), [(r["outcome"], r["name"]) for r in program.remarks()])

    def test_the_cache(self):
        flashfusion.compile(RMS_NORM, target="cpu")
        with mock.patch.object(_compiler, "compile", side_effect=AssertionError("compiled")):
            again = flashfusion.compile(RMS_NORM, target="cpu")
            self.assertIsInstance(again.remarks(), list)
            for change in ({"rounding": "strict"}, {"use_cache": False}):
                with self.assertRaisesRegex(AssertionError, "compiled"):
                    flashfusion.compile(RMS_NORM, target="cpu", **change)
            with self.assertRaisesRegex(AssertionError, "compiled"):
                flashfusion.compile(RMS_NORM + "\n", target="cpu")

    def test_programs_of_the_bench(self):
        for name in ("GPT-2-124M fc1", "Llama-3.2-1B qkv", "Gemma-2-9B gate+up", "ViT-L fc1"):
            case = shapes.select("decode", name)[0]._replace(k=64)
            case = case._replace(n=tuple(32 for _ in case.n))
            with self.subTest(case=name):
                found = flashfusion.verify(case.mlir(), shapes={0: (5, 64)})
                self.assertTrue(found.ok and "fused=1" in found.report, found.report)

    def test_a_tuning_table_is_obeyed(self):
        source = RMS_NORM.replace("f32", "bf16").encode()
        op, proposed = look_up(source, "sm_90a")
        self.assertEqual(op, "mean_square bf16 K=64 N=24nk gain outs=1")
        prefill = next(s for s in proposed if s["family"] == "prefill")
        path = self.folder / "table.json"
        table.write(str(path), {"format": "flashfusion-tuning", "version": 1, "entries": [
            {"chip": "sm_90a", "op": op,
             "schedule": [table.spell(table.with_rows(prefill, 1, 5))]}]})

        def kernels(**options):
            program = flashfusion.compile(source, target="cuda", chip="sm_90a", **options)
            step = program.bundle("sm_90a").only().info.steps[0]
            return [step.choose(rows, 0).kernel.split("_")[-2] for rows in (1, 5, 6)]

        self.assertEqual(kernels(), ["decode"] * 3)
        self.assertEqual(kernels(tuning=str(path)), ["prefill", "prefill", "decode"])

    def test_verify(self):
        found = flashfusion.verify(RMS_NORM, shapes={0: (3, 64)}, rows="hard")
        self.assertTrue(found.ok, found.report)
        self.assertIn("result 0: ", found.report)
        self.assertFalse(flashfusion.verify("func.func @f() {\n").ok)


if __name__ == "__main__":
    unittest.main()
