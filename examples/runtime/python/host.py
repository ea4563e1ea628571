"""A Python host that calls every entry point through ctypes, rightly and wrongly, and checks what it is told.

Usage: python3 host.py PATH_OF_THE_LIBRARY
"""

import ctypes
import os
import sys
from ctypes import byref, c_char_p, c_float, c_int32, c_int64, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p

PANIC, NULL, MISALIGNED, SIZE, UTF8, ENUM, HANDLE = -1, -2, -3, -4, -5, -6, -7
F16, F32 = 1, 3
UNTOUCHED = 0x5A5A5A5A5A5A5A5A
SIZE_MAX = 2**64 - 1

# Pointers are c_void_p where a wrong one is passed too.
SIGNATURES = {
    "runtime_device_count": [c_void_p],
    "runtime_device_synchronize": [],
    "runtime_stream_create": [c_void_p],
    "runtime_stream_destroy": [c_uint64],
    "runtime_stream_synchronize": [c_uint64],
    "runtime_stream_wait_event": [c_uint64, c_uint64],
    "runtime_event_record": [c_uint64, c_void_p],
    "runtime_tensor_alloc": [c_int32, c_void_p, c_size_t, c_char_p, c_void_p],
    "runtime_tensor_free": [c_uint64],
    "runtime_copy_h2d": [c_uint64, c_void_p, c_size_t, c_uint64],
    "runtime_copy_d2h": [c_uint64, c_void_p, c_size_t, c_uint64],
    "runtime_gpu_matmul": [c_uint64] * 3 + [c_int64] * 4 + [c_int32],
    "runtime_gpu_add": [c_uint64] * 4 + [c_int64],
    "runtime_gpu_softmax": [c_uint64] * 3 + [c_int64] * 2,
    "runtime_gpu_layernorm": [c_uint64] * 5 + [c_int64] * 2 + [c_float],
    "runtime_gpu_gelu": [c_uint64] * 3 + [c_int64],
    "runtime_gpu_transpose": [c_uint64] * 3 + [c_int64] * 3,
    "kina_last_error_code": [],
    "kina_last_error_layer": [],
    "kina_observ_shutdown": [c_uint32],
}

library = ctypes.CDLL(sys.argv[1])
for symbol, parameters in SIGNATURES.items():
    getattr(library, symbol).argtypes = parameters
    getattr(library, symbol).restype = c_int32
for symbol in ("message", "help", "type", "span_path"):
    getattr(library, f"kina_last_error_{symbol}").argtypes = []
    getattr(library, f"kina_last_error_{symbol}").restype = c_char_p

recording = os.environ.get("KINA_OBSERV_LEVEL", "off") != "off"
checks = 0
tried = {}


def expect(holds, what):
    global checks
    checks += 1
    if not holds:
        sys.exit(f"failed: {what}\n  last error: {last_error('message')} ({last_error('help')})")


def last_error(what):
    return getattr(library, f"kina_last_error_{what}")().decode()


def call(name, *arguments):
    code = getattr(library, f"runtime_{name}")(*arguments)
    tried.setdefault(name, set()).add(code == 0)
    return code


def ok(name, *arguments):
    code = call(name, *arguments)
    expect(code == 0, f"runtime_{name}{arguments} gave {code}")


def refused(code, word, name, *arguments):
    """The call gives the code; the message has the word, and the path is the entry point's span."""
    got = call(name, *arguments)
    what = f"runtime_{name}{arguments}, {code} for {word}"
    expect(got == code, f"{what}: gave {got}")
    expect(library.kina_last_error_code() == code, what)
    expect(word in last_error("message"), what)
    expect(last_error("help") != "" and last_error("type") != "", what)
    expect(library.kina_last_error_layer() == (1 if code < 0 else 2 if code > 200 else 3), what)
    span = f"runtime_{name}".replace("_", ".", 2)
    expect(not recording or last_error("span_path") == span, f"{what}: {last_error('span_path')}")


def made(name, *arguments):
    out = c_uint64(0)
    ok(name, *arguments, byref(out))
    expect(out.value != 0, f"runtime_{name} gave a handle")
    return out.value


def extents(*values):
    return (c_int64 * len(values))(*values)


def tensor(*shape, dtype=F32):
    return made("tensor_alloc", dtype, extents(*shape), len(shape), b"t")


def upload(to, *values):
    values = (c_float * len(values))(*values)
    ok("copy_h2d", to, values, ctypes.sizeof(values), 0)


def download(source, count):
    values = (c_float * count)()
    ok("copy_d2h", source, values, ctypes.sizeof(values), 0)
    return list(values)


def holds(source, *expected):
    got = download(source, len(expected))
    expect(all(abs(g - e) < 1e-5 for g, e in zip(got, expected)), f"{got} is {expected}")


def good_calls():
    devices = c_int32(0)
    ok("device_count", byref(devices))
    expect(devices.value == 1, "there is one device")
    a, b, small, out, gamma, beta = tensor(2, 3), tensor(3, 2), tensor(2, 2), tensor(2, 3), tensor(3), tensor(3)
    upload(a, 1, 2, 3, 4, 5, 6)
    upload(b, 1, 1, 1, 1, 1, 1)
    upload(gamma, 1, 1, 1)
    ok("gpu_matmul", small, a, b, 1, 2, 3, 2, F32)
    holds(small, 6, 6, 15, 15)
    ok("gpu_transpose", 0, out, a, 1, 2, 3)
    holds(out, 1, 4, 2, 5, 3, 6)
    ok("gpu_softmax", 0, out, b, 2, 3)
    holds(out, *[1 / 3] * 6)
    ok("gpu_layernorm", 0, out, a, gamma, beta, 2, 3, 0.0)
    holds(out, -1.2247449, 0, 1.2247449, -1.2247449, 0, 1.2247449)
    ok("gpu_gelu", 0, out, b, 6)
    holds(out, *[0.841192] * 6)
    stream = made("stream_create")
    ok("device_synchronize")
    ok("gpu_add", stream, out, a, b, 6)
    event = made("event_record", stream)
    ok("stream_wait_event", 0, event)
    holds(out, 2, 3, 4, 5, 6, 7)
    ok("stream_synchronize", stream)
    ok("stream_destroy", stream)
    refused(HANDLE, "`event`", "stream_wait_event", 0, event)
    for each in (a, b, small, out, gamma, beta):
        ok("tensor_free", each)


def bad_calls():
    a, b, c, half = tensor(2, 2), tensor(2, 2), tensor(2, 2), tensor(2, 2, dtype=F16)
    freed = tensor(2, 2)
    ok("tensor_free", freed)
    stream = made("stream_create")
    ok("stream_destroy", stream)

    # Aligned for any type, so that one byte further is aligned for none.
    room = (c_uint64 * 2)(UNTOUCHED, UNTOUCHED)
    out = ctypes.addressof(room)
    for name, first in (("device_count", ()), ("stream_create", ()), ("event_record", (0,))):
        refused(NULL, "`out`", name, *first, None)
        refused(MISALIGNED, "`out`", name, *first, out + 1)
    refused(HANDLE, "`stream`", "event_record", stream, out)

    shape = extents(2, 2)
    alloc = "tensor_alloc"
    refused(NULL, "`out`", alloc, F32, shape, 2, b"t", None)
    refused(NULL, "`shape`", alloc, F32, None, 2, b"t", out)
    refused(NULL, "`label`", alloc, F32, shape, 2, None, out)
    refused(MISALIGNED, "`shape`", alloc, F32, ctypes.addressof(shape) + 1, 1, b"t", out)
    refused(SIZE, "`shape`", alloc, F32, shape, SIZE_MAX, b"t", out)
    refused(SIZE, "`shape`", alloc, F32, extents(2, -3), 2, b"t", out)
    refused(UTF8, "`label`", alloc, F32, shape, 2, b"\xff\xfe", out)
    refused(ENUM, "`dtype`", alloc, 99, shape, 2, b"t", out)
    refused(112, "`shape`", alloc, F32, extents(2**63 - 1, 2**63 - 1), 2, b"t", out)
    refused(201, "out of memory", alloc, F32, extents(2**40), 1, b"t", out)
    expect(list(room) == [UNTOUCHED] * 2, "no refused call writes its out value")

    bytes = (c_uint8 * 16)(*[0x5A] * 16)
    for name, tensor_name in (("copy_h2d", "`dst`"), ("copy_d2h", "`src`")):
        refused(NULL, "`bytes`", name, a, None, 16, 0)
        refused(SIZE, "`bytes`", name, a, bytes, SIZE_MAX, 0)
        refused(111, tensor_name, name, a, bytes, 12, 0)
        refused(HANDLE, tensor_name, name, freed, bytes, 16, 0)
        refused(HANDLE, "`stream`", name, a, bytes, 16, stream)
    expect(set(bytes) == {0x5A}, "no refused call writes the buffer")

    refused(SIZE, "`m`", "gpu_matmul", c, a, b, 1, -2, 2, 2, F32)
    refused(ENUM, "`dtype_code`", "gpu_matmul", c, a, b, 1, 2, 2, 2, 99)
    refused(102, "`dtype_code`", "gpu_matmul", c, a, b, 1, 2, 2, 2, F16)
    refused(HANDLE, "`a`", "gpu_matmul", c, freed, b, 1, 2, 2, 2, F32)
    refused(101, "`out`", "gpu_matmul", c, a, b, 1, 3, 2, 2, F32)
    refused(SIZE, "`n`", "gpu_add", 0, c, a, b, -1)
    refused(102, "`b`", "gpu_add", 0, c, a, half, 4)
    refused(HANDLE, "`stream`", "gpu_softmax", stream, c, a, 2, 2)
    refused(101, "`out`", "gpu_softmax", 0, c, a, 2**63 - 1, 2**63 - 1)
    refused(101, "`gamma`", "gpu_layernorm", 0, c, a, a, b, 2, 2, 1e-5)
    refused(HANDLE, "`out`", "gpu_gelu", 0, 0, a, 4)
    refused(103, "`a`", "gpu_transpose", 0, a, a, 1, 2, 2)
    refused(HANDLE, "`tensor`", "tensor_free", freed)
    refused(HANDLE, "`stream`", "stream_destroy", 0)
    refused(HANDLE, "`stream`", "stream_destroy", stream)
    refused(HANDLE, "`stream`", "stream_synchronize", a)
    refused(HANDLE, "`event`", "stream_wait_event", 0, 0)
    for each in (a, b, c, half):
        ok("tensor_free", each)


good_calls()
bad_calls()
good_calls()
ok("device_synchronize")
expect(len(tried) == 17, "17 entry points were called")
for name, outcomes in tried.items():
    # Synchronising the device takes nothing that could be wrong.
    expect(outcomes == {True, False} or name == "device_synchronize", f"runtime_{name} was called well and badly")
# 1: nothing was running.
expect(library.kina_observ_shutdown(5000) == (0 if recording else 1), "the library shuts down")
print(f"ok {checks} checks")
