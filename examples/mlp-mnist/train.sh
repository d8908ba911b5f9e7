#!/bin/bash
# Prepares the data, compiles the model, trains it and says how many of the test digits are right. See README.md.
#
#     train.sh WORK DATA
#
# DATA is the folder with MNIST's files. The environment may have AMPC, the compiler. What was interrupted goes on where it was.
set -euo pipefail
work=$(realpath -m "${1:?usage: train.sh WORK DATA}")
data=$(realpath "${2:?usage: train.sh WORK DATA}")
cd "$(dirname "$0")"
mkdir -p "$work"

# Of the 10,000 training digits, the last 1,000 say when to stop.
training=(--images "$data/train10k-images-idx3-ubyte.gz" --labels "$data/train10k-labels-idx1-ubyte.gz")
python3 prepare.py "${training[@]}" --limit 9000 --output "$work/train.jsonl"
python3 prepare.py "${training[@]}" --skip 9000 --output "$work/dev.jsonl"
python3 prepare.py --images "$data/t10k-images-idx3-ubyte.gz" --labels "$data/t10k-labels-idx1-ubyte.gz" --output "$work/test.jsonl"
"${AMPC:-ampc}" --train mlp-mnist.mlir -o "$work/mlp-mnist"
"$work/mlp-mnist" train --data "$work/train.jsonl" --dev "$work/dev.jsonl" \
  --epochs 12 --patience 4 --batch 64 --lr 1e-3 --schedule cosine \
  --metrics "$work/metrics.jsonl" --checkpoint "$work/checkpoints" --resume
"$work/mlp-mnist" run --quiet --input "$work/test.jsonl" --weights "$work/checkpoints/best.safetensors" --output "$work/y.jsonl"
python3 show.py --input "$work/test.jsonl" --output "$work/y.jsonl" --limit 0
