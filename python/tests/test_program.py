# Part of FlashFusion, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is launched with what, on a driver that only takes notes: no GPU."""

import ctypes
import gc
import itertools
import json
import unittest
from unittest import mock

from flashfusion.runtime import driver
from flashfusion.runtime.manifest import Bundle, BundleError
from flashfusion.runtime.program import Program
from tests.sample import bundle


class FakeArray:
    addresses = itertools.count(0x10000000, 0x100000)

    def __init__(self, shape, typestr="<V2", offset=0, address=None, strides=None):
        self.__cuda_array_interface__ = {
            "shape": shape, "typestr": typestr, "strides": strides, "version": 3,
            "data": ((next(self.addresses) if address is None else address) + offset, False)}

    @property
    def address(self):
        return self.__cuda_array_interface__["data"][0]


class FakeDriver:
    """Stands in for flashfusion.runtime.driver."""

    CudaError = driver.CudaError

    def __init__(self):
        self.launches, self.uploads, self.freed, self.maps = [], [], [], []
        self.synchronized, self.capturing = 0, False
        self.modules = 0

    def Module(self, ptx):
        self.modules += 1
        module = mock.Mock()
        module.function.side_effect = lambda name, shared, cluster: name
        return module

    def current(self, device):
        return mock.MagicMock()

    def device_of(self, address):
        return 0

    def allocate(self, size):
        return next(FakeArray.addresses)

    def free(self, address):
        self.freed.append(address)

    def upload(self, address, data):
        self.uploads.append((address, data))

    def synchronize(self, stream):
        self.synchronized += 1

    def synchronize_all(self):
        self.synchronized += 1

    def is_capturing(self, stream):
        return self.capturing

    def tensor_map(self, address, type, shape, box):
        self.maps.append((address, type, shape, box))
        return (ctypes.c_char * 128)()

    def launch(self, function, what, blocks, threads, shared, cluster, dependent, stream, params):
        values = [p.value if not isinstance(p, ctypes.Array) else bytes(p) for p in params]
        self.launches.append((what, blocks, dependent, values))


class Calls(unittest.TestCase):
    def setUp(self):
        gc.collect()  # programs of other tests must not free their memory in this one
        self.driver = FakeDriver()
        empty = lambda like, type, shape, device: FakeArray(shape)
        for patch in (mock.patch("flashfusion.runtime.program.driver", self.driver),
                      mock.patch("flashfusion.runtime.arrays.driver", self.driver),
                      mock.patch("flashfusion.runtime.program.empty", empty)):
            patch.start()
            self.addCleanup(patch.stop)
        self.program = Program(Bundle.parse(json.dumps(bundle())))
        self.x = FakeArray((2, 8, 64))
        self.w = FakeArray((64, 64))
        self.v = FakeArray((32, 64))

    def names(self):
        return [launch[0] for launch in self.driver.launches]

    def call(self, x=None, **kwargs):
        return self.program(x or self.x, self.w, 1e-5, self.v, **kwargs)

    def test_two_steps(self):
        y = self.call()
        self.assertEqual(y.__cuda_array_interface__["shape"], (2, 8, 32))
        # The weights are packed first; the second kernel may overlap the first.
        self.assertEqual(self.names(), ["pack", "fast", "last"])
        self.assertEqual([launch[2] for launch in self.driver.launches], [False, False, True])
        self.assertEqual(self.driver.maps, [(self.x.address, "bf16", (16, 64), (16, 64))])
        self.assertEqual(self.driver.synchronized, 1)
        last = self.driver.launches[2]
        self.assertEqual(last[1], 2)
        self.assertEqual(last[3][1:], [self.v.address, y.address, 16])

    def test_trusted_calls_launch_what_calls_do(self):
        one = bundle()
        function = one["functions"][0]
        function["steps"] = function["steps"][:1]
        step = function["steps"][0]
        function["intermediates"] = []
        function["arguments"] = [a for a in function["arguments"] if a["name"] in ("arg0", "arg1")]
        function["results"] = [{"name": "result0", "type": "bf16", "shape": [None, 8, 64],
                                "written_by": 0}]
        step["operands"][3] = {"role": "scalar", "source": "number", "value": 0.5, "type": "f32"}
        step["operands"][4].update(source="result", index=0)
        for packed in (True, False):
            program = Program(Bundle.parse(json.dumps(one)), allow_packed=packed)
            f = program.only()
            out = FakeArray((2, 8, 64))
            addresses = ([self.x.address, self.w.address], [out.address], 16, 0, 0, True)
            self.assertFalse(f.run_trusted(*addresses))  # nothing is loaded yet
            program(self.x, self.w, out=out, dependent_launch=True)
            self.driver.launches.clear()
            program(self.x, self.w, out=out, dependent_launch=True)
            expected, self.driver.launches[:] = list(self.driver.launches), []
            # Packed weights need a call.
            for _ in range(2):
                self.assertEqual(f.run_trusted(*addresses), not packed)
            self.assertEqual(self.driver.launches, [] if packed else expected * 2)

    def test_packs_once_per_weights(self):
        self.call()
        self.call()
        self.assertEqual(self.names().count("pack"), 1)
        self.program.repack()
        self.call()
        self.assertEqual(self.names().count("pack"), 2)
        self.w = FakeArray((64, 64))
        self.call()
        self.assertEqual(self.names().count("pack"), 3)
        self.program.release_packed()
        self.assertEqual(len(self.driver.freed), 2)
        self.call()
        self.assertEqual(self.names().count("pack"), 4)

    def test_never_packs_on_demand(self):
        self.program.allow_packed = False
        self.call()
        self.assertEqual(self.names(), ["slow", "last"])

    def test_unaligned_and_many_rows_fall_back(self):
        self.call(FakeArray((2, 8, 64), offset=2))
        self.call(FakeArray((3, 8, 64)))
        self.assertEqual(self.names(), ["slow", "last"] * 2)
        self.assertEqual(self.driver.launches[0][3][1:], [b"\xac\xc5'7", 16])

    def test_dependent_launch(self):
        self.call(dependent_launch=True)
        self.assertEqual([(n, d) for n, _, d, _ in self.driver.launches],
                         [("pack", False), ("fast", True), ("last", True)])

    def test_capture(self):
        self.driver.capturing = True
        with self.assertRaisesRegex(RuntimeError, "compiled before a graph is captured"):
            self.call()
        self.driver.capturing = False
        self.program.prepare()
        self.driver.capturing = True
        with self.assertRaisesRegex(RuntimeError, "packed before a graph is captured"):
            self.call()
        self.driver.capturing = False
        self.call()
        self.driver.capturing = True
        self.call()
        self.program.release_packed()  # the graph's packed weights stay
        self.assertEqual(self.driver.freed, [])

    def test_close(self):
        self.call()
        held = [self.program._devices[0].constants["f"][0]]
        held += next(iter(self.program._devices[0].packed.values()))[
            (held[0], self.w.address)].buffers
        self.program.close()
        self.assertEqual(sorted(self.driver.freed), sorted(held))
        self.program.close()
        self.assertEqual(len(self.driver.freed), 2)
        self.call()  # loads again
        self.assertEqual(self.driver.modules, 2)

    def test_freed_with_the_program(self):
        self.call()
        self.program = None  # no cycles: no need for the garbage collector
        self.assertEqual(len(self.driver.freed), 2)

    def test_no_rows(self):
        y = self.call(FakeArray((0, 8, 64)))
        self.assertEqual(y.__cuda_array_interface__["shape"], (0, 8, 32))
        self.assertEqual(self.names(), [])

    def test_out(self):
        out = FakeArray((2, 8, 32))
        self.assertIs(self.call(out=out), out)
        self.assertIs(self.call(out=[out]), out)
        with self.assertRaisesRegex(ValueError, "must have shape"):
            self.call(out=FakeArray((2, 8, 33)))
        with self.assertRaisesRegex(ValueError, "overlaps"):
            self.call(out=FakeArray((2, 8, 32), address=self.x.address + 64))
        with self.assertRaisesRegex(TypeError, "type bf16, not f32"):
            self.call(out=FakeArray((2, 8, 32), "<f4"))
        with self.assertRaisesRegex(ValueError, "has 1 results"):
            self.call(out=[out, out])

    def test_tiles_decide_about_variants(self):
        node = bundle()
        function = node["functions"][0]
        function["arguments"].append({"name": "arg4", "type": "bf16", "shape": [None, 8, 64]})
        function["steps"][0]["operands"].append(
            {"role": "tile", "source": "argument", "index": 4, "type": "bf16", "shape": [None, 64]})
        program = Program(Bundle.parse(json.dumps(node)))
        for offset, kernel in ((0, "fast"), (2, "slow")):
            arguments = (self.x, self.w, 1e-5, self.v, FakeArray((2, 8, 64), offset=offset))
            self.assertEqual(program["f"].variant(*arguments), kernel)
            self.driver.launches.clear()
            program(*arguments)
            self.assertIn(kernel, self.names())

    def test_bad_arguments(self):
        for args, kind, text in (
                ((self.x,), ValueError, "takes 4 arguments"),
                ((self.x, self.w, self.w, self.v), TypeError, "is a number"),
                ((self.x, 1.0, 1.0, self.v), TypeError, "is an array"),
                ((FakeArray((2, 8, 64), "<f4"), self.w, 1.0, self.v), TypeError, "bf16, not f32"),
                ((FakeArray((2, 8, 64), "<c8"), self.w, 1.0, self.v), TypeError, "not supported"),
                ((FakeArray((2, 8, 65)), self.w, 1.0, self.v), ValueError, "must have shape"),
                ((FakeArray((2, 8, 64), strides=(2048, 128, 2)), self.w, 1.0, self.v), ValueError,
                 "contiguous"),
                ((object(), self.w, 1.0, self.v), TypeError, "expected a torch CUDA tensor")):
            with self.assertRaisesRegex(kind, text):
                self.program(*args)
        self.assertEqual(self.names(), [])

    def test_names(self):
        with self.assertRaisesRegex(KeyError, "no function 'g'"):
            self.program["g"]
        self.assertEqual(repr(self.program["f"]),
                         "f(arg0: bf16[?, 8, 64], arg1: bf16[64, 64], arg2: f32, "
                         "arg3: bf16[32, 64]) -> (result0: bf16[?, 8, 32])")
        self.assertEqual(self.program["f"].variant(self.x, self.w, 1e-5, self.v), "fast")
        self.assertEqual(self.program["f"].variant(FakeArray((2, 8, 64), offset=2), self.w, 1e-5,
                                                   self.v), "slow")
        node = bundle()
        node["functions"].append({**node["functions"][0], "name": "g"})
        with self.assertRaisesRegex(BundleError, "several functions: f, g"):
            Program(Bundle.parse(json.dumps(node)))(self.x)


class NoDriver(unittest.TestCase):
    def test_message(self):
        with mock.patch("ctypes.CDLL", side_effect=OSError("not found")):
            driver.library.cache_clear()
            with self.assertRaisesRegex(driver.CudaError, "no CUDA driver on this machine"):
                driver.library()
        driver.library.cache_clear()


if __name__ == "__main__":
    unittest.main()
