"""Writes weights of half precision (F16) in single precision (F32), as a program reads them. See README.md."""

import argparse
import json
import struct
from pathlib import Path


def main():
    """Reads the options and the one file, and writes the other."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("input", type=Path, help="safetensors of F16")
    options.add_argument("output", type=Path, help="safetensors of F32")
    chosen = options.parse_args()

    packed = chosen.input.read_bytes()
    begin = 8 + struct.unpack_from("<Q", packed)[0]
    tensors = json.loads(packed[8:begin])
    tensors.pop("__metadata__", None)
    header, values = {}, []
    for name, tensor in tensors.items():
        if tensor["dtype"] != "F16":
            raise SystemExit(f"{name} is {tensor['dtype']}, not F16")
        first, last = tensor["data_offsets"]
        start = 4 * len(values)
        values += struct.unpack_from(f"<{(last - first) // 2}e", packed, begin + first)
        header[name] = {"dtype": "F32", "shape": tensor["shape"], "data_offsets": [start, 4 * len(values)]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    chosen.output.write_bytes(struct.pack("<Q", len(text)) + text + struct.pack(f"<{len(values)}f", *values))


if __name__ == "__main__":
    main()
