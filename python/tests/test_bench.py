# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What of the bench needs no GPU: cases, results files, tables, pictures."""

import contextlib
import io
import tempfile
import unittest
import xml.dom.minidom
from pathlib import Path

from flashfusion.bench import __main__ as bench
from flashfusion.bench import models, report, shapes


def line(case, m, how="rotated", date="2026-01-01T00:00:00", **us):
    return {"bench": "decode", "device": "GPU", "date": date, "case": case, "M": m, "K": 64,
            "N": 32, "floor": 1.0, "how": how, "us": us}


class Bench(unittest.TestCase):
    def test_selection(self):
        self.assertEqual(len(shapes.select("decode", "gate")), 9)
        self.assertEqual(len(shapes.select("prefill", "gate")), 7)
        self.assertFalse(any(c.name.endswith("head") for c in shapes.select("prefill", "all")))
        self.assertEqual([c.name for c in shapes.select("decode", "Qwen3-0.6B head, 8192^3")],
                         ["Qwen3-0.6B head", "8192^3"])
        self.assertEqual(shapes.select("decode", "nothing"), [])

    def test_floor_is_memory_or_arithmetic(self):
        case = shapes.select("decode", "Llama-3-8B qkv")[0]
        options = bench.parse(["decode"])
        self.assertAlmostEqual(bench.floor_of(case, 1, options), 12.0, delta=0.3)
        self.assertAlmostEqual(bench.floor_of(case, 8192, options),
                               2 * 8192 * 4096 * 6144 / 790e6, delta=1)

    def test_chain_is_one_case_of_dependent_layers(self):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            self.assertEqual(bench.main(["decode", "--chain", "--list"]), 0)
        self.assertEqual(len(out.getvalue().splitlines()), 1)
        self.assertIn("4096", out.getvalue())
        options = bench.parse(["decode", "--chain"])
        self.assertAlmostEqual(bench.floor_of(shapes.CHAIN, 1, options), 8.2, delta=0.05)
        with self.assertRaises(SystemExit), contextlib.redirect_stderr(out):
            bench.parse(["prefill", "--chain"])

    def test_results_survive_a_kill_and_merge(self):
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder) / "r.jsonl")
            report.append(path, line("a", 1, ours=1.2, gemm=2.0))
            with open(path, "a") as file:
                file.write('{"half": ')
            self.assertEqual(len(report.read(path)), 1)
        merged = report.merge([line("a", 1, date="2026-01-02", ours=1.0),
                               line("a", 1, date="2026-01-01", ours=9.0, gemm=2.0),
                               line("a", 8, ours=3.0)])
        self.assertEqual([l["us"] for l in merged], [{"ours": 1.0, "gemm": 2.0}, {"ours": 3.0}])

    def test_table_and_plot(self):
        lines = [line("a", 1, ours=1.0, gemm=2.0), line("b", 8, ours=2.0)]
        text = report.table(lines)
        self.assertIn("ours against gemm: 2.00x (geomean of 1, 2.00 to 2.00)", text)
        self.assertEqual(report.table([]), "nothing was measured")
        picture = xml.dom.minidom.parseString(report.plot(lines, "t"))
        self.assertEqual(len(picture.getElementsByTagName("title")), 3)

    def test_picture_of_models(self):
        line = {"bench": "models", "model": "M", "batch": 1, "tokens": 1, "context": 8,
                "us": {"ours": 1000.0, "eager": 2000.0}}
        picture = xml.dom.minidom.parseString(models.picture([line, {"bench": "start"}]))
        self.assertEqual(len(picture.getElementsByTagName("rect")), 3)
        self.assertEqual(models.Shape.parse("8x1@1024"), (8, 1, 1024))
        self.assertEqual(models.Shape.parse("1x5"), (1, 5, 0))

    def test_list(self):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            self.assertEqual(bench.main(["decode", "--cases", "GPT-2-124M", "--list"]), 0)
        self.assertIn("gelu_tanh", out.getvalue())


if __name__ == "__main__":
    unittest.main()
