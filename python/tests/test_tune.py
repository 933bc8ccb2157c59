# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What of tuning needs no GPU: tables and the choice among what was measured."""

import json
import os
import tempfile
import unittest
from unittest import mock

from flashfusion.tune import table

DECODE = {"family": "decode", "mma": "mma_sync", "max_rows": "16", "stages": "4", "warps": "8"}
PREFILL = {"family": "prefill", "mma": "wgmma", "min_rows": "17", "tile_n": "128", "stages": "3"}


class Tables(unittest.TestCase):
    def test_spelling(self):
        text = f"schedule = [{table.spell(DECODE)}, {table.spell(PREFILL)}]"
        self.assertEqual(table.schedules_in(text), [DECODE, PREFILL])
        self.assertEqual(table.spell(table.with_rows(PREFILL, 1, 64)),
                         "#ff.schedule<family = prefill, mma = wgmma, max_rows = 64, "
                         "tile_n = 128, stages = 3>")

    def test_candidates_serve_no_more_rows_than_they_can(self):
        found = table.candidates([DECODE, PREFILL])
        self.assertEqual(len({table.spell(s) for s in found}), len(found))
        self.assertTrue(all(s["max_rows"] == "16" for s in found if s["family"] == "decode"))
        self.assertFalse(any("min_rows" in s for s in found))
        self.assertIn("64", {s.get("tile_n") for s in found})
        self.assertIn("5", {s["stages"] for s in found if s["family"] == "decode"})
        self.assertEqual(len(table.candidates([DECODE, PREFILL], explore=False)), 2)

    def test_winners(self):
        tried = {"d": table.with_rows(DECODE, 1, 16), "p": table.with_rows(PREFILL, 1, 0),
                 "q": {**table.with_rows(PREFILL, 1, 0), "stages": "2"}}
        found = table.winners({1: {"d": 1.0, "p": 2.0}, 8: {"d": 2.0, "p": 1.99},
                               64: {"p": 3.0, "q": 2.0}, 128: {"p": 3.99, "q": 4.0}}, tried)
        # p is within a percent of d at 8 rows, and of q at 128.
        self.assertEqual([(s["family"], s.get("min_rows"), s.get("max_rows"), s["stages"])
                          for s in found],
                         [("decode", None, "8", "4"), ("prefill", "9", None, "2")])
        last = table.winners({1: {"d": 1.0}, 8: {"d": 1.0}}, tried)
        self.assertEqual(last[-1]["max_rows"], "8")

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "t.json")
            made = table.read(path)
            table.put(made, {"chip": "sm_90a", "op": "a", "schedule": ["x"]})
            table.put(made, {"chip": "sm_90a", "op": "a", "schedule": ["y"]})
            table.write(path, made)
            with mock.patch("os.replace", side_effect=KeyboardInterrupt):
                with self.assertRaises(KeyboardInterrupt):
                    table.write(path, table.read(os.path.join(folder, "none")))
            self.assertEqual(os.listdir(folder), ["t.json"])
            self.assertEqual(table.entry(table.read(path), "sm_90a", "a")["schedule"], ["y"])
            self.assertIsNone(table.entry(table.read(path), "sm_80", "a"))
            with open(path, "w") as file:
                json.dump([], file)
            with self.assertRaises(ValueError):
                table.read(path)


if __name__ == "__main__":
    unittest.main()
