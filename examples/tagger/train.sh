#!/bin/bash
# Prepares Wikigold, compiles the model, trains it and says how it does on the sentences held out. See README.md.
#
#     train.sh WORK DATA
#
# DATA is the folder with wikigold.txt. The environment may have AMPC, the compiler, and PYTHON, a Python with numpy and
# safetensors. What was interrupted goes on where it was.
set -euo pipefail
work=$(realpath -m "${1:?usage: train.sh WORK DATA}")
data=$(realpath "${2:?usage: train.sh WORK DATA}")
python=${PYTHON:-python3}
cd "$(dirname "$0")"
mkdir -p "$work"

prepare=("$python" ../tagger-char/prepare.py --words-only --input "$data/wikigold.txt" --vocabulary "$work/vocab.json")
"${prepare[@]}" --limit 1500 --make-vocabulary --copies 20 --exchange 0.4 --spell 0.2 --output "$work/train.jsonl"
"${prepare[@]}" --skip 1500 --output "$work/dev.jsonl"
words=$("$python" -c 'import json, sys; print(len(json.load(open(sys.argv[1]))["words"]))' "$work/vocab.json")
"$python" ../add_dropout.py --rate 0.5 tagger.mlir 'row[t]' 'hfb[t]' > "$work/tagger-dropout.mlir"
"$python" ../seed_weights.py --model tagger.mlir --rows "emb=$words" --output "$work/start.safetensors"
"${AMPC:-ampc}" --train "$work/tagger-dropout.mlir" -o "$work/tagger"
"$work/tagger" train --weights "$work/start.safetensors" --data "$work/train.jsonl" --dev "$work/dev.jsonl" \
  --epochs 2 --batch 16 --lr 3e-3 --schedule cosine --clip-norm 5 \
  --metrics "$work/metrics.jsonl" --checkpoint "$work/checkpoints" --checkpoint-every 250 --resume --save-weights "$work/tagger.safetensors"
"$work/tagger" run --quiet --input "$work/dev.jsonl" --weights "$work/tagger.safetensors" --output "$work/y.jsonl"
"$python" ../tagger-char/show.py --input "$work/dev.jsonl" --output "$work/y.jsonl" --vocabulary "$work/vocab.json" --limit 0
