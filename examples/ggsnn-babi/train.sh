#!/bin/bash
# Prepares the data, compiles the model, trains it on 50 questions and says how many others are answered right. See README.md.
#
#     train.sh WORK DATA
#
# DATA is the folder with bAbI's qa15_basic-deduction_{train,test}.txt. The environment may have AMPC, the compiler. What
# was interrupted goes on where it was.
set -euo pipefail
work=$(realpath -m "${1:?usage: train.sh WORK DATA}")
data=$(realpath "${2:?usage: train.sh WORK DATA}")
cd "$(dirname "$0")"
mkdir -p "$work"

python3 prepare.py --text "$data/qa15_basic-deduction_train.txt" --limit 50 --output "$work/train.jsonl"
python3 prepare.py --text "$data/qa15_basic-deduction_train.txt" --skip 800 --output "$work/dev.jsonl"
python3 prepare.py --text "$data/qa15_basic-deduction_test.txt" --output "$work/test.jsonl"
python3 prepare.py --text "$data/qa15_basic-deduction_test.txt" --early --output "$work/early.jsonl"
"${AMPC:-ampc}" --train ggsnn-babi.mlir -o "$work/ggsnn-babi"
"$work/ggsnn-babi" train --data "$work/train.jsonl" --dev "$work/dev.jsonl" \
  --epochs 150 --patience 30 --batch 50 --lr 0.01 \
  --metrics "$work/metrics.jsonl" --log-every 1 --checkpoint "$work/checkpoints" --checkpoint-every 50 --resume
for part in test early; do
  "$work/ggsnn-babi" run --quiet --input "$work/$part.jsonl" --weights "$work/checkpoints/best.safetensors" --output "$work/y.jsonl"
  python3 show.py --input "$work/$part.jsonl" --output "$work/y.jsonl" --limit 0
done
