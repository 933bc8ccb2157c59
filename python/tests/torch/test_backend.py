# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.compile(backend="flashfusion") on the host: what is found, and that it is right.
Needs torch and the compiler (FLASHFUSION_COMPILER)."""

import unittest

try:
    import torch
    from torch import library
except ImportError:
    raise unittest.SkipTest("torch is not installed") from None

import flashfusion.torch
from models import Decoder, Encoder, Head, Quantised, randomized

HOST = {"flashfusion.cpu": True, "flashfusion.plain": False}


def fused(records):
    return sorted((r.kind, tuple(m.split(".")[-1] for m in r.modules))
                  for r in records if r.fused)


class Backend(unittest.TestCase):
    def check(self, model, x, expected, tolerance, options=HOST):
        torch._dynamo.reset()
        explanation = flashfusion.torch.explain(model, x, options=options)
        self.assertEqual(fused(explanation.records), sorted(expected), str(explanation))
        with torch.no_grad():
            result = torch.compile(model, backend="flashfusion", options=options)(x)
            reference = model.double()(x.double())
        error = (result.double() - reference).norm() / reference.norm()
        self.assertLess(error.item(), tolerance)
        return explanation

    DECODER = [("rms_norm", ("q_proj", "k_proj", "v_proj")),
               ("rms_norm", ("gate_proj", "up_proj"))]

    def test_llama(self):
        for dtype, tolerance in ((torch.float32, 1e-5), (torch.bfloat16, 2e-2)):
            x = torch.randn(2, 5, 64, dtype=dtype)
            found = self.check(randomized(Decoder(), dtype), x, self.DECODER, tolerance)
            reasons = {r.modules[0].split(".")[-1]: r.reason for r in found.records if not r.fused}
            self.assertEqual(reasons, {"o_proj": "no-norm", "down_proj": "no-norm"})
            self.assertIn("2 norms fused with 5 Linears", str(found))

    def test_linears_without_a_norm_and_what_follows(self):
        options = {"flashfusion.cpu": True}
        found = self.check(randomized(Decoder(), torch.bfloat16), torch.randn(2, 3, 64).bfloat16(),
                           self.DECODER + [("linear", ("o_proj",)), ("linear", ("down_proj",))],
                           2e-2, options)
        # The gated pair and the residual sums are computed with their Linears.
        self.assertEqual({r.modules[0].split(".")[-1] for r in found.records if r.tail},
                         {"o_proj", "gate_proj", "down_proj"})
        found = self.check(randomized(Encoder()), torch.randn(1, 3, 64),
                           [("layer_norm", ("c_attn",)), ("layer_norm", ("c_fc",)),
                            ("linear", ("c_proj",)), ("linear", ("mlp_proj",))], 1e-5, options)
        self.assertEqual({r.modules[0].split(".")[-1] for r in found.records if r.tail},
                         {"c_proj", "c_fc", "mlp_proj"})

    def test_numerics_of_every_kernel(self):
        for model in (Decoder(), Encoder()):
            model, x = randomized(model, torch.bfloat16), torch.randn(2, 3, 64).bfloat16()
            found = flashfusion.torch.explain(model, x, options={"flashfusion.cpu": True},
                                              numerics=True)
            self.assertEqual(len(found.errors), len(found.fused))
            for ours, written in found.errors.values():
                self.assertTrue(0 < ours < 1.1 * written < 2e-2, str(found))
            self.assertIn("as written", str(found))

    def test_a_stack(self):
        model = torch.nn.Sequential(Decoder(), Decoder(), Head())
        options = {"flashfusion.cpu": True}
        found = self.check(randomized(model, torch.bfloat16), torch.randn(1, 1, 64).bfloat16(),
                           2 * self.DECODER + [("rms_norm", ("lm_head",))]
                           + 2 * [("linear", ("o_proj",)), ("linear", ("down_proj",))], 3e-2, options)
        self.assertEqual(sum(r.tail for r in found.records), 6)

    def test_one_row(self):
        self.check(randomized(Decoder(), torch.bfloat16), torch.randn(1, 1, 64).bfloat16(),
                   self.DECODER, 2e-2)

    def test_gemma_and_qwen(self):
        self.check(randomized(Decoder(offset=1.0), torch.bfloat16),
                   torch.randn(1, 7, 64).bfloat16(), self.DECODER, 2e-2)
        # The norms of the heads feed no Linear.
        found = self.check(randomized(Decoder(head_norm=True, bias=True)), torch.randn(1, 7, 64),
                           self.DECODER, 1e-5)
        self.assertEqual([r.modules for r in found.records if r.reason == "no-linear"],
                         [["head_norm"], ["head_norm"]])

    def test_gains_that_are_computed_follow_their_weights(self):
        model, x = randomized(Decoder(offset=1.0)), torch.randn(1, 7, 64)
        torch._dynamo.reset()
        compiled = torch.compile(model, backend="flashfusion",
                                 options={**HOST, "flashfusion.packed": True})
        with torch.no_grad():
            torch.testing.assert_close(compiled(x), model(x), rtol=1e-4, atol=1e-4)
            model.input_norm.weight.mul_(2)
            torch.testing.assert_close(compiled(x), model(x), rtol=1e-4, atol=1e-4)
            model.input_norm.weight.data.add_(1)  # torch does not count it
            flashfusion.torch.repack()
            torch.testing.assert_close(compiled(x), model(x), rtol=1e-4, atol=1e-4)

    def test_weights_of_8_bits_are_read_as_they_are(self):
        model, x = randomized(Quantised()).bfloat16(), torch.randn(3, 64).bfloat16()
        model.weight = torch.randn(96, 64).to(torch.float8_e4m3fn)
        found = flashfusion.torch.explain(model, x, options=HOST, numerics=True)
        self.assertEqual([r.kind for r in found.records], ["rms_norm"], str(found))
        self.assertIn("tensor<96x64xf8E4M3FN>", found.records[0].program)
        with torch.no_grad():
            result = torch.compile(model, backend="flashfusion", options=HOST)(x)
            torch.testing.assert_close(result, model(x), rtol=2e-2, atol=0.5)

    def test_layer_norm_with_biases(self):
        expected = [("layer_norm", ("c_attn",)), ("layer_norm", ("c_fc",))]
        for dtype, tolerance in ((torch.float32, 1e-5), (torch.bfloat16, 2e-2)):
            self.check(randomized(Encoder(), dtype), torch.randn(2, 9, 64, dtype=dtype), expected,
                       tolerance)

    def test_head_of_the_last_position(self):
        self.check(randomized(Head()), torch.randn(3, 4, 64), [("rms_norm", ("lm_head",))], 1e-5)

    def test_dynamic_rows_compile_once(self):
        model = randomized(Decoder())
        torch._dynamo.reset()
        records, graphs, once = [], [], 0

        def counting(gm, inputs):
            graphs.append(gm)
            return flashfusion.torch.flashfusion(
                gm, inputs, options={**HOST, "force_disable_caches": True}, records=records)

        compiled = torch.compile(model, backend=counting, dynamic=True)
        with torch.no_grad():
            for rows in (3, 5, 17):
                x = torch.randn(2, rows, 64)
                torch._dynamo.mark_dynamic(x, 1)
                torch.testing.assert_close(compiled(x), model(x), rtol=1e-4, atol=1e-4)
                # Dynamo may start over at the first call, and compile its graph again then.
                once = len(graphs) if rows == 3 else once
                self.assertEqual(len(graphs), once)
        self.assertEqual(set(fused(records)), set(self.DECODER))

    def test_disabled_and_on_the_host(self):
        model, x = randomized(Decoder()), torch.randn(1, 3, 64)
        found = flashfusion.torch.explain(
            model, x, options={**HOST, "flashfusion.disable": ["*gate_proj"]})
        self.assertEqual(fused(found.records), [self.DECODER[0]])
        self.assertIn("disabled", {r.reason for r in found.records})
        found = flashfusion.torch.explain(model, x)
        self.assertEqual(fused(found.records), [])
        self.assertIn("cpu", {r.reason for r in found.records})
        with self.assertRaisesRegex(Exception, "no option flashfusion.nonsense"):
            torch.compile(model, backend="flashfusion",
                          options={"flashfusion.nonsense": 1})(x)

    def test_a_norm_that_is_used_elsewhere(self):
        class Both(Head):
            def forward(self, x):
                h = self.norm(x)
                return self.lm_head(h), h

        found = flashfusion.torch.explain(randomized(Both()), torch.randn(2, 64), options=HOST)
        self.assertEqual([r.reason for r in found.records], ["escapes"])

    def test_training_is_left_alone(self):
        model, x = Decoder(), torch.randn(1, 3, 64)
        torch._dynamo.reset()
        result = torch.compile(model, backend="flashfusion", options=HOST)(x)
        result.sum().backward()
        self.assertIsNotNone(model.q_proj.weight.grad)

    def test_inference_mode(self):
        model, x = randomized(Decoder()), torch.randn(1, 3, 64)
        torch._dynamo.reset()
        with torch.inference_mode():
            result = torch.compile(model, backend="flashfusion", options=HOST)(x)
            torch.testing.assert_close(result, model(x), rtol=1e-4, atol=1e-4)

    def test_operator(self):
        from flashfusion.torch import op
        text = ("func.func @main(%x: tensor<?x8xf32>, %w: tensor<4x8xf32>) -> tensor<?x4xf32> {\n"
                "  %y = ff.norm_linear l2_norm(%x) weights(%w) {layouts = [#ff.layout<nk>], "
                "eps = 1.0e-12 : f64} : (tensor<?x8xf32>, tensor<4x8xf32>) -> tensor<?x4xf32>\n"
                "  return %y : tensor<?x4xf32>\n}\n")
        arguments = (torch.randn(3, 8), [torch.randn(4, 8)], text, [4], torch.float32, False, False)
        library.opcheck(op.fused, arguments)


if __name__ == "__main__":
    unittest.main()
