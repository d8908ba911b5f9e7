#!/bin/bash
# The same for the Stanford Sentiment Treebank: a class from 0, very negative, to 4, very positive, at each node. See README.md.
#
#     train-sst.sh WORK DATA
#
# DATA is the folder with train.txt, dev.txt and test.txt, a tree a line. The rest is as in train.sh.
set -euo pipefail
work=$(realpath -m "${1:?usage: train-sst.sh WORK DATA}")
data=$(realpath "${2:?usage: train-sst.sh WORK DATA}")
python=${PYTHON:-python3}
cd "$(dirname "$0")"
mkdir -p "$work"

"$python" prepare.py --bracketed --input "$data/train.txt" --vocabulary "$work/vocab.json" --make-vocabulary --word-count 2 --output "$work/train.jsonl"
for part in dev test; do
  "$python" prepare.py --bracketed --input "$data/$part.txt" --vocabulary "$work/vocab.json" --output "$work/$part.jsonl"
done
words=$("$python" -c 'import json, sys; print(len(json.load(open(sys.argv[1]))["words"]))' "$work/vocab.json")
"$python" ../add_dropout.py --rate 0.5 treelstm.mlir 'x[node]' 'h[node]' > "$work/treelstm-dropout.mlir"
"$python" ../seed_weights.py --model treelstm.mlir --rows "emb=$words" --output "$work/start.safetensors"
"${AMPC:-ampc}" --train "$work/treelstm-dropout.mlir" -o "$work/treelstm"
"$work/treelstm" train --weights "$work/start.safetensors" --data "$work/train.jsonl" --dev "$work/dev.jsonl" \
  --epochs 8 --patience 3 --batch 25 --lr 1e-3 --clip-norm 5 \
  --metrics "$work/metrics.jsonl" --checkpoint "$work/checkpoints" --resume
for part in dev test; do
  "$work/treelstm" run --quiet --input "$work/$part.jsonl" --weights "$work/checkpoints/best.safetensors" --output "$work/y.jsonl"
  "$python" show.py --input "$work/$part.jsonl" --output "$work/y.jsonl" --vocabulary "$work/vocab.json" --limit 0
done
