#!/bin/bash
# Prepares the trees of UD English EWT, compiles parser-train.mlir, trains it and says how many heads and labels are right. See README.md.
#
#     train.sh WORK DATA
#
# DATA is the folder with train.conllu.gz, dev.conllu and test.conllu. The environment may have AMPC, the compiler, and
# PYTHON, a Python with numpy and safetensors. What was interrupted goes on where it was.
set -euo pipefail
work=$(realpath -m "${1:?usage: train.sh WORK DATA}")
data=$(realpath "${2:?usage: train.sh WORK DATA}")
python=${PYTHON:-python3}
cd "$(dirname "$0")"
mkdir -p "$work"

prepare=("$python" prepare.py --vocabulary "$work/vocab.json")
"${prepare[@]}" --input "$data/train.conllu.gz" --make-vocabulary --word-count 9 --projective --output "$work/train.jsonl"
"${prepare[@]}" --input "$data/dev.conllu" --projective --output "$work/dev-projective.jsonl"
for part in dev test; do
  "${prepare[@]}" --input "$data/$part.conllu" --output "$work/$part.jsonl"
done
words=$("$python" -c 'import json, sys; print(len(json.load(open(sys.argv[1]))["words"]))' "$work/vocab.json")
"$python" ../add_dropout.py --rate 0.25 parser-train.mlir x m x0 x1 > "$work/parser-dropout.mlir"
"$python" ../seed_weights.py --model parser-train.mlir --rows "emb=$words" --output "$work/start.safetensors"
"${AMPC:-ampc}" --train "$work/parser-dropout.mlir" -o "$work/parser-train"
"${AMPC:-ampc}" parser.mlir -o "$work/parser"
"$work/parser-train" train --weights "$work/start.safetensors" --data "$work/train.jsonl" --dev "$work/dev-projective.jsonl" \
  --epochs 8 --batch 48 --lr 3e-3 --beta2 0.98 --schedule cosine --clip-norm 5 \
  --metrics "$work/metrics.jsonl" --checkpoint "$work/checkpoints" --resume
"$python" unpack.py --pack "$work/checkpoints/best.safetensors" "$work/parser.f16.safetensors"
"$python" unpack.py "$work/parser.f16.safetensors" "$work/parser.safetensors"
for part in dev test; do
  "$work/parser" run --quiet --input "$work/$part.jsonl" --weights "$work/parser.safetensors" --output "$work/y.jsonl"
  "$python" show.py --input "$work/$part.jsonl" --output "$work/y.jsonl" --vocabulary "$work/vocab.json" --limit 0
done
