"""Writes a safetensors file of a bf16 vector `pb` = 0.5, -1, 3 and an f16 matrix `ph` = (0.25 2)."""

import json
import struct
import sys

pb = b"".join(struct.pack("<f", x)[2:] for x in (0.5, -1.0, 3.0))  # the upper half of an f32
ph = struct.pack("<2e", 0.25, 2.0)
header = json.dumps({"pb": {"dtype": "BF16", "shape": [3], "data_offsets": [0, 6]},
                     "ph": {"dtype": "F16", "shape": [1, 2], "data_offsets": [6, 10]}}).encode()
sys.stdout.buffer.write(struct.pack("<Q", len(header)) + header + pb + ph)
