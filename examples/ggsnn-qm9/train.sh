#!/bin/bash
# Prepares molecules of QM9, compiles the model, trains it on their dipole moments and says how far off it is. See README.md.
#
#     train.sh WORK DATA
#
# DATA is the folder with {train,valid,test}.graphs.jsonl. The environment may have AMPC, the compiler. What was interrupted
# goes on where it was.
set -euo pipefail
work=$(realpath -m "${1:?usage: train.sh WORK DATA}")
data=$(realpath "${2:?usage: train.sh WORK DATA}")
cd "$(dirname "$0")"
mkdir -p "$work"

python3 prepare.py --graphs "$data/train.graphs.jsonl" --shuffle --output "$work/train.jsonl"
for part in valid test; do
  python3 prepare.py --graphs "$data/$part.graphs.jsonl" --standard "$data/train.graphs.jsonl" --output "$work/$part.jsonl"
done
"${AMPC:-ampc}" --train ggsnn-qm9.mlir -o "$work/ggsnn-qm9"
# In the order of the file, so that another program can make the same updates.
"$work/ggsnn-qm9" train --data "$work/train.jsonl" --dev "$work/valid.jsonl" \
  --epochs 20 --no-shuffle --batch 20 --reduction sum --lr 1e-3 --schedule cosine \
  --metrics "$work/metrics.jsonl" --checkpoint "$work/checkpoints" --resume --save-weights "$work/ggsnn-qm9.safetensors"
for part in valid test; do
  "$work/ggsnn-qm9" run --quiet --input "$work/$part.jsonl" --weights "$work/ggsnn-qm9.safetensors" --output "$work/y.jsonl"
  python3 show.py --input "$work/$part.jsonl" --output "$work/y.jsonl" --limit 0
done
