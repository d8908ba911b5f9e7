"""Writes a safetensors file with one float32 table: make-embedding.py <name> <rows> <columns> > file."""

import json
import struct
import sys

name, rows, columns = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
values = [((i * 37) % 101 - 50) / 50 for i in range(rows * columns)]
header = json.dumps({name: {"dtype": "F32", "shape": [rows, columns], "data_offsets": [0, 4 * len(values)]}}).encode()
sys.stdout.buffer.write(struct.pack("<Q", len(header)) + header + struct.pack(f"<{len(values)}f", *values))
