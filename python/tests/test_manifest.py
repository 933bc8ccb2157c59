# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reading and checking bundles: no GPU, no compiler."""

import json
import os
import tempfile
import unittest
from dataclasses import replace

from flashfusion.runtime.arrays import scalar_bytes
from flashfusion.runtime.manifest import Bundle, BundleError
from tests.sample import bundle


def parse(node):
    return Bundle.parse(json.dumps(node))


class Parsing(unittest.TestCase):
    def test_sample(self):
        parsed = parse(bundle())
        f = parsed.functions["f"]
        self.assertEqual(parsed.chip, "sm_90a")
        self.assertEqual([a.type for a in f.arguments], ["bf16", "bf16", "f32", "bf16"])
        self.assertIsNone(f.arguments[2].shape)
        self.assertEqual(len(f.constants[0].data), 256)
        self.assertEqual([s.name for s in f.steps], ["f_online_0", "f_online_1"])

    def test_compiler_output(self):
        """The bundle that ff-opt wrote, where lit runs this."""
        path = os.environ.get("FF_BUNDLE")
        if not path:
            self.skipTest("no bundle given in FF_BUNDLE")
        f = Bundle.read(path).functions["f"]
        self.assertEqual(f.buffer_shape(f.results[0], [(3, 8, 64), (64, 64), ()]), (3, 8, 64))

    def test_not_a_bundle(self):
        for text in ("", "[1", "[]", "{}", '{"format": "other"}', '"x"'):
            with self.assertRaisesRegex(BundleError, "not a FlashFusion bundle"):
                Bundle.parse(text)
        with tempfile.NamedTemporaryFile(suffix=".ffb") as file:
            file.write(b"\xff\xfe\x00")
            file.flush()
            with self.assertRaisesRegex(BundleError, "not a FlashFusion bundle"):
                Bundle.read(file.name)
        with self.assertRaises(OSError):
            Bundle.read("/nonexistent.ffb")

    def test_version(self):
        with self.assertRaisesRegex(BundleError, "version 2 is not known"):
            parse({**bundle(), "version": 2})

    def test_malformed(self):
        def broken(change):
            node = bundle()
            change(node["functions"][0], node)
            with self.assertRaisesRegex(BundleError, "malformed bundle"):
                parse(node)

        broken(lambda f, n: n.pop("ptx"))
        broken(lambda f, n: n.update(functions=[]))
        broken(lambda f, n: n.update(functions=3))
        broken(lambda f, n: n.update(ptx=".entry slow("))
        broken(lambda f, n: f.pop("steps"))
        broken(lambda f, n: f["steps"][0].update(variants=[]))
        broken(lambda f, n: f["steps"][0]["variants"][0].pop("grid"))
        broken(lambda f, n: f["steps"][0]["variants"][0].update(block=0))
        broken(lambda f, n: f["steps"][0]["variants"][0].update(block=-1))
        broken(lambda f, n: f["steps"][0]["variants"][0].update(packed=1))
        broken(lambda f, n: f["steps"][0]["variants"][0]["args"][0].pop("box"))
        broken(lambda f, n: f["steps"][0]["variants"][0]["args"][0].update(index=9))
        broken(lambda f, n: f["steps"][0]["variants"][0]["args"][0].update(index=3))
        broken(lambda f, n: f["steps"][0]["operands"].pop(0))
        broken(lambda f, n: f["steps"][0]["operands"][0].update(index=7))
        broken(lambda f, n: f["steps"][0]["operands"][0].update(type="f16"))
        broken(lambda f, n: f["steps"][0]["operands"][0].update(source="elsewhere"))
        broken(lambda f, n: f["steps"][0]["operands"][0].update(source="intermediate"))
        broken(lambda f, n: f["arguments"][0].update(type="f8"))
        broken(lambda f, n: f["constants"][0].update(data="AAAA"))
        broken(lambda f, n: f["constants"][0].update(data="?"))
        broken(lambda f, n: f["results"][0].update(written_by=5))


class Shapes(unittest.TestCase):
    def setUp(self):
        self.f = parse(bundle()).functions["f"]

    def test_rows_and_results(self):
        shapes = [(5, 8, 64), (64, 64), (), (32, 64)]
        self.assertEqual(self.f.rows(0, shapes), 40)
        self.assertEqual(self.f.rows(1, shapes), 40)
        self.assertEqual(self.f.buffer_shape(self.f.results[0], shapes), (5, 8, 32))
        self.assertEqual(self.f.buffer_shape(self.f.intermediates[0], shapes), (40, 64))

    def test_two_unknown_extents_come_from_x(self):
        node = bundle()
        node["functions"][0]["arguments"][0]["shape"] = [None, None, 64]
        node["functions"][0]["results"][0]["shape"] = [None, None, 32]
        f = parse(node).functions["f"]
        shapes = [(3, 7, 64), (64, 64), (), (32, 64)]
        self.assertEqual(f.buffer_shape(f.results[0], shapes), (3, 7, 32))
        node["functions"][0]["results"][0]["shape"] = [None, None, None, 32]
        f = parse(node).functions["f"]
        with self.assertRaisesRegex(BundleError, "pass it as out="):
            f.buffer_shape(f.results[0], shapes)

    def test_bind(self):
        good = [(5, 8, 64), (64, 64), None, (32, 64)]
        self.f.bind(good)
        for i, wrong, kind in ((0, (5, 8, 63), ValueError), (0, (5, 64), ValueError),
                               (1, (64, 32), ValueError), (2, (1,), TypeError),
                               (1, None, TypeError)):
            shapes = list(good)
            shapes[i] = wrong
            with self.assertRaises(kind):
                self.f.bind(shapes)
        with self.assertRaisesRegex(ValueError, "takes 4 arguments"):
            self.f.bind(good[:2])

    def test_tile(self):
        """A residual has the rows and columns of the result, in any shape."""
        node = bundle()
        f = node["functions"][0]
        f["arguments"].append({"name": "arg4", "type": "bf16", "shape": [None, None]})
        tile = {"role": "tile", "source": "argument", "index": 4, "type": "bf16",
                "shape": [None, 32]}
        f["steps"][1]["operands"].append(tile)
        shapes = [(5, 8, 64), (64, 64), None, (32, 64)]
        parse(node).functions["f"].bind(shapes + [(40, 32)])
        parse(node).functions["f"].bind(shapes + [(10, 128)])
        for wrong in (39, 41):
            with self.assertRaisesRegex(ValueError, "does not have 40 rows of 32"):
                parse(node).functions["f"].bind(shapes + [(wrong, 32)])
        tile["shape"] = [32]
        with self.assertRaisesRegex(BundleError, "a tile of f_online_1"):
            parse(node)

    def test_x_scale(self):
        """One number for all rows of x, or one for each."""
        node = bundle()
        f = node["functions"][0]
        f["arguments"].append({"name": "arg4", "type": "f32", "shape": [None]})
        scale = {"role": "x_scale", "source": "argument", "index": 4, "type": "f32", "shape": [None]}
        f["steps"][1]["operands"].append(scale)
        shapes = [(5, 8, 64), (64, 64), None, (32, 64)]
        parse(node).functions["f"].bind(shapes + [(40,)])
        with self.assertRaisesRegex(ValueError, "39 scales of x do not go with 40 rows"):
            parse(node).functions["f"].bind(shapes + [(39,)])
        f["arguments"][4]["shape"] = scale["shape"] = [1]
        parse(node).functions["f"].bind(shapes + [(1,)])
        scale["shape"] = [1, 1]
        with self.assertRaisesRegex(BundleError, "the scale of x of f_online_1"):
            parse(node)


class Choice(unittest.TestCase):
    def setUp(self):
        self.steps = parse(bundle()).functions["f"].steps

    def test_variants(self):
        step = self.steps[0]
        self.assertEqual(step.choose(16, 0x1000).kernel, "fast")
        self.assertEqual(step.choose(17, 0x1000).kernel, "slow")
        self.assertEqual(step.choose(16, 0x1002).kernel, "slow")
        self.assertEqual(step.choose(16, 0x1000, allow_packed=False).kernel, "slow")

    def test_behind_packed(self):
        first = self.steps[0].variants[0]
        packed = replace(first, kernel="packed", min_rows=1, max_rows=0, align=1, packed=True)
        few = replace(packed, kernel="few", max_rows=16, packed=False)
        spare = replace(packed, kernel="spare", packed=False)
        step = replace(self.steps[0], variants=(few, packed, spare))
        for allowed, expected in ((True, ("few", "packed")), ("last", ("few", "packed")),
                                  (False, ("few", "spare"))):
            found = tuple(step.choose(rows, 0, allow_packed=allowed).kernel for rows in (16, 17))
            self.assertEqual(found, expected)

    def test_blocks(self):
        fast, slow = self.steps[0].variants
        self.assertEqual(fast.blocks(5), 132)
        self.assertEqual([slow.blocks(m) for m in (1, 16, 17)], [2, 2, 4])
        last = self.steps[1].variants[0]
        self.assertEqual([last.blocks(m) for m in (1, 17, 1000)], [2, 3, 3])


class Scalars(unittest.TestCase):
    def test_bytes(self):
        self.assertEqual(scalar_bytes("f32", 1.0), b"\0\0\x80?")
        self.assertEqual(scalar_bytes("f16", 1.0), b"\0<")
        self.assertEqual(scalar_bytes("bf16", 1.0), b"\x80?")
        # Halfway between two bf16 goes to the even one, a little more goes up.
        self.assertEqual(scalar_bytes("bf16", 1.0 + 2.0**-8), b"\x80?")
        self.assertEqual(scalar_bytes("bf16", 1.0 + 2.0**-8 + 2.0**-16), b"\x81?")
        self.assertEqual(scalar_bytes("bf16", float("nan")), b"\xc0\x7f")
        self.assertEqual(scalar_bytes("i32", -1), b"\xff" * 4)
        with self.assertRaisesRegex(TypeError, "numbers of type f8E4M3FN"):
            scalar_bytes("f8E4M3FN", 1.0)


if __name__ == "__main__":
    unittest.main()
