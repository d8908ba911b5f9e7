#!/bin/bash
# Generates the data, compiles the model, trains it and says how many are right. See README.md.
#
#     train.sh WORK
#
# The environment may have AMPC, the compiler. What was interrupted goes on where it was.
set -euo pipefail
work=$(realpath -m "${1:?usage: train.sh WORK}")
cd "$(dirname "$0")"
mkdir -p "$work"

python3 prepare.py --count 100000 --seed 1 --output "$work/train.jsonl"
python3 prepare.py --count 10000 --seed 2 --output "$work/dev.jsonl"
python3 prepare.py --count 10000 --seed 5 --output "$work/test.jsonl"
"${AMPC:-ampc}" --train list-reduction.mlir -o "$work/list-reduction"
"$work/list-reduction" train --data "$work/train.jsonl" --dev "$work/dev.jsonl" \
  --epochs 50 --patience 15 --batch 100 --optimizer adamw --weight-decay 0.02 --lr 5e-3 --schedule cosine --clip-norm 1 \
  --metrics "$work/metrics.jsonl" --checkpoint "$work/checkpoints" --resume
"$work/list-reduction" run --quiet --input "$work/test.jsonl" --weights "$work/checkpoints/best.safetensors" --output "$work/y.jsonl"
python3 show.py --input "$work/test.jsonl" --output "$work/y.jsonl" --limit 0
