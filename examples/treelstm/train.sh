#!/bin/bash
# Prepares the trees of UD English EWT, compiles the model, trains it and says how many labels are right. See README.md.
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

"$python" prepare.py --input "$data/train.conllu.gz" --vocabulary "$work/vocab.json" --make-vocabulary --output "$work/train.jsonl"
for part in dev test; do
  "$python" prepare.py --input "$data/$part.conllu" --vocabulary "$work/vocab.json" --output "$work/$part.jsonl"
done
words=$("$python" -c 'import json, sys; print(len(json.load(open(sys.argv[1]))["words"]))' "$work/vocab.json")
"$python" ../add_dropout.py --rate 0.5 treelstm.mlir 'x[node]' 'h[node]' > "$work/treelstm-dropout.mlir"
"$python" ../seed_weights.py --model treelstm.mlir --rows "emb=$words" --output "$work/start.safetensors"
"${AMPC:-ampc}" --train "$work/treelstm-dropout.mlir" -o "$work/treelstm"
# The loss of held-out trees rises in the end, as the model gets too sure, but the share of right labels does as well: so all
# epochs, and the weights after the last one.
"$work/treelstm" train --weights "$work/start.safetensors" --data "$work/train.jsonl" --dev "$work/dev.jsonl" \
  --epochs 15 --batch 32 --lr 2e-3 --schedule cosine --clip-norm 5 \
  --metrics "$work/metrics.jsonl" --checkpoint "$work/checkpoints" --resume --save-weights "$work/treelstm.safetensors"
for part in dev test; do
  "$work/treelstm" run --quiet --input "$work/$part.jsonl" --weights "$work/treelstm.safetensors" --output "$work/y.jsonl"
  "$python" show.py --input "$work/$part.jsonl" --output "$work/y.jsonl" --vocabulary "$work/vocab.json" --limit 0
done
