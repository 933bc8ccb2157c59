# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention of one token: heads that share keys and values become rows of products. Needs torch
only."""

import unittest

try:
    import torch
except ImportError:
    raise unittest.SkipTest("torch is not installed") from None

from torch import library
from torch._inductor.compile_fx import compile_fx as inductor
from torch.nn.functional import scaled_dot_product_attention

from flashfusion.torch import attention, explain


def repeat(x, groups, inner=True):
    """As transformers does it; not `inner`: head i of the result is head i % h."""
    b, h, s, d = x.shape
    x = x[:, :, None] if inner else x[:, None]
    x = x.expand(b, h, groups, s, d) if inner else x.expand(b, groups, h, s, d)
    return x.reshape(b, h * groups, s, d)


def step(q, new, keys, values, position, mask, repeat=repeat, **how):
    """A decode step: the cache is changed in place."""
    keys.index_copy_(2, position, new)
    values.index_copy_(2, position, -new)
    groups = q.shape[1] // keys.shape[1]
    y = scaled_dot_product_attention(q, repeat(keys, groups), repeat(values, groups),
                                     attn_mask=mask, scale=0.3, **how)
    return y.transpose(1, 2).contiguous()


class Attention(unittest.TestCase):
    def run_step(self, batch=2, tokens=1, heads=6, groups=3, mask="shared", dynamic=False, **how):
        """How many calls were changed."""
        torch._dynamo.reset()
        found = []

        def backend(gm, _):
            changed = attention.group_queries(gm, host=True)
            gm.graph.lint()
            calls = [n for n in gm.graph.nodes if n.target is scaled_dot_product_attention]
            self.assertEqual(len(calls), 1 - changed)
            for node in gm.graph.nodes:  # what is said of the results is so
                if node.target is torch.bmm:
                    self.assertEqual(node.meta["example_value"].shape[-2:], (groups, 8))
            found.append(changed)
            return gm

        torch.manual_seed(0)
        shared = heads // groups
        q, new = torch.randn(batch, heads, tokens, 8), torch.randn(batch, shared, tokens, 8)
        caches = [torch.randn(batch, shared, 16, 8) for _ in range(2)]
        position = torch.arange(5, 5 + tokens)
        seen = (torch.arange(16) <= position[:, None])[None, None]
        given = {"shared": seen.expand(batch, 1, tokens, 16), "none": None,
                 "bias": torch.randn(batch, 1, 1, 16),
                 "heads": torch.randn(batch, heads, tokens, 16),
                 "nothing": torch.zeros(batch, 1, 1, 16, dtype=torch.bool)}[mask]
        ours, theirs = ([c.clone() for c in caches] for _ in range(2))
        compiled = torch.compile(step, backend=backend, dynamic=dynamic)
        y = compiled(q, new, *ours, position, given, **how)
        expected = step(q, new, *theirs, position, given, **how)
        torch.testing.assert_close(y, expected)
        self.assertEqual(y.shape, expected.shape)
        for a, b in zip(ours, theirs):
            self.assertTrue(torch.equal(a, b))
        self.assertEqual(len(found), 1)
        return found[0]

    def test_one_token(self):
        for mask in ("shared", "bias", "none", "nothing"):
            for batch in (1, 2):
                with self.subTest(mask=mask, batch=batch):
                    self.assertEqual(self.run_step(batch, mask=mask), 1)

    def test_what_is_left_alone(self):
        for name, how in (("two tokens", {"tokens": 2}),
                          ("a mask for each head", {"mask": "heads"}),
                          ("causal", {"mask": "none", "is_causal": True}),
                          ("dropout", {"dropout_p": 1e-9})):
            with self.subTest(name):
                self.assertEqual(self.run_step(**how), 0)
        self.assertEqual(self.run_step(repeat=lambda x, g: repeat(x, g, inner=False)), 0)
        self.assertEqual(self.run_step(groups=1), 0)

    def test_explain(self):
        class Step(torch.nn.Module):
            def forward(self, q, keys, values):
                return scaled_dot_product_attention(q, repeat(keys, 3), repeat(values, 3))
        q, keys = torch.randn(2, 6, 1, 8), torch.randn(2, 2, 16, 8)
        for wanted in (True, False):
            found = explain(Step(), q, keys, keys, options={"flashfusion.cpu": True,
                                                            "flashfusion.attention": wanted})
            self.assertEqual(found.attentions, int(wanted))
            self.assertEqual("1 attentions of one token" in str(found), wanted)

    def test_any_batch(self):
        changed = self.run_step(batch=3, dynamic=True)
        self.assertLessEqual(changed, 1)  # what is not known to be equal is left alone

    def test_operator(self):
        for dtype in (torch.float32, torch.bfloat16):
            given = [torch.randn(4, n, 8, dtype=dtype, requires_grad=True) for n in (3, 20)]
            library.opcheck(torch.ops.flashfusion.scores.default, tuple(given))

    def test_narrow_types_and_gradients(self):
        def attend(q, k, v):
            return scaled_dot_product_attention(q, repeat(k, 3), repeat(v, 3))

        def backend(gm, inputs):
            self.assertEqual(attention.group_queries(gm), 0)  # on the host: by request
            self.assertEqual(attention.group_queries(gm, host=True), 1)
            return inductor(gm, inputs)

        for dtype, tolerance in ((torch.bfloat16, 8e-3), (torch.float16, 1e-3), (torch.float32, 1e-6)):
            torch._dynamo.reset()
            given = [torch.randn(2, 6, 1, 16), torch.randn(2, 2, 40, 16), torch.randn(2, 2, 40, 16)]
            exact = [t.to(dtype).double().requires_grad_() for t in given]
            ours = [t.to(dtype).requires_grad_() for t in given]
            expected, y = attend(*exact), torch.compile(attend, backend=backend)(*ours)
            y.double().sum().backward()
            expected.sum().backward()
            for a, b in [(y, expected), *((a.grad, b.grad) for a, b in zip(ours, exact))]:
                self.assertLess(((a.double() - b).norm() / b.norm().clamp_min(1)).item(), tolerance)


if __name__ == "__main__":
    unittest.main()
