"""Writes weights of half precision (F16) in single precision (F32), as a program reads them, or the other way round. See README.md."""

import argparse
import json
import struct
from pathlib import Path

LETTER = {"F16": "e", "F32": "f"}  # of the struct module


def main():
    """Reads the options and the one file, and writes the other."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("input", type=Path, help="safetensors of F16")
    options.add_argument("output", type=Path, help="safetensors of F32")
    options.add_argument("--pack", action="store_true", help="the other way round")
    chosen = options.parse_args()

    theirs, ours = ("F32", "F16") if chosen.pack else ("F16", "F32")
    packed = chosen.input.read_bytes()
    begin = 8 + struct.unpack_from("<Q", packed)[0]
    tensors = json.loads(packed[8:begin])
    tensors.pop("__metadata__", None)
    width, header, values = struct.calcsize(LETTER[ours]), {}, []
    for name, tensor in tensors.items():
        if tensor["dtype"] != theirs:
            raise SystemExit(f"{name} is {tensor['dtype']}, not {theirs}")
        first, last = tensor["data_offsets"]
        start = width * len(values)
        values += struct.unpack_from(f"<{(last - first) // struct.calcsize(LETTER[theirs])}{LETTER[theirs]}", packed, begin + first)
        header[name] = {"dtype": ours, "shape": tensor["shape"], "data_offsets": [start, width * len(values)]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    chosen.output.write_bytes(struct.pack("<Q", len(text)) + text + struct.pack(f"<{len(values)}{LETTER[ours]}", *values))


if __name__ == "__main__":
    main()
