# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cache on disk: whole entries or none, made once, under kill too."""

import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

from flashfusion import cache

# argv: the cache's folder, a file to append a line to for every entry made, seconds to take.
MAKER = """
import os, sys, time
os.environ["FLASHFUSION_CACHE_DIR"] = sys.argv[1]
from flashfusion import cache
def make():
    with open(sys.argv[2], "a") as file:
        file.write("made\\n")
    time.sleep(float(sys.argv[3]))
    return {"a": b"whole", "b": b"also"}
print((cache.get(cache.key_of("k"), make) / "a").read_text())
"""


class Cache(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        patch = mock.patch.dict(os.environ, {"FLASHFUSION_CACHE_DIR": str(self.folder / "cache")})
        patch.start()
        self.addCleanup(patch.stop)

    def start(self, seconds):
        root = Path(cache.__file__).parents[1]
        return subprocess.Popen(
            [sys.executable, "-c", MAKER, str(self.folder / "cache"), str(self.folder / "made"),
             str(seconds)], stdout=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONPATH": str(root)})

    def made(self):
        path = self.folder / "made"
        return path.read_text().count("made") if path.exists() else 0

    def test_made_once_and_found(self):
        key = cache.key_of("x")
        self.assertIsNone(cache.find(key))
        path = cache.get(key, lambda: {"f": b"1"})
        self.assertEqual(cache.get(key, lambda: self.fail("made twice")), path)
        self.assertEqual((path / "f").read_bytes(), b"1")

    def test_keys_know_where_parts_end(self):
        self.assertNotEqual(cache.key_of("ab", "c"), cache.key_of("a", "bc"))
        self.assertEqual(cache.key_of("a", b"b"), cache.key_of(b"a", "b"))

    def test_a_failure_keeps_nothing(self):
        def fail():
            raise ValueError("no")

        with self.assertRaises(ValueError):
            cache.get(cache.key_of("x"), fail)
        self.assertIsNone(cache.find(cache.key_of("x")))
        self.assertEqual((cache.get(cache.key_of("x"), lambda: {"f": b"2"}) / "f").read_bytes(),
                         b"2")

    def test_two_processes_make_one_entry(self):
        processes = [self.start(0.5) for _ in range(3)]
        for process in processes:
            self.assertEqual(process.communicate(timeout=60)[0], "whole\n")
        self.assertEqual(self.made(), 1)

    def test_a_killed_process_leaves_a_usable_cache(self):
        victim = self.start(60)
        end = time.time() + 60
        while not self.made() and time.time() < end:
            time.sleep(0.02)
        waiting = self.start(0)
        victim.send_signal(signal.SIGKILL)
        victim.wait()
        victim.stdout.close()
        self.assertEqual(waiting.communicate(timeout=60)[0], "whole\n")
        self.assertEqual(self.made(), 2)

    def test_killed_while_writing(self):
        with mock.patch("os.rename", side_effect=KeyboardInterrupt):
            with self.assertRaises(KeyboardInterrupt):
                cache.get(cache.key_of("x"), lambda: {"f": b"1"})
        self.assertIsNone(cache.find(cache.key_of("x")))

    def test_clear(self):
        cache.get(cache.key_of("x"), lambda: {"f": b"1"})
        self.assertEqual(cache.clear(), 1)
        self.assertIsNone(cache.find(cache.key_of("x")))


if __name__ == "__main__":
    unittest.main()
