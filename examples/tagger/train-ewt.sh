#!/bin/bash
# The same for the universal parts of speech of UD English EWT: tagger-ewt.mlir has 17 tags. See README.md.
#
#     train-ewt.sh WORK DATA
#
# DATA is the folder with train.conllu.gz, dev.conllu and test.conllu. The rest is as in train.sh.
set -euo pipefail
work=$(realpath -m "${1:?usage: train-ewt.sh WORK DATA}")
data=$(realpath "${2:?usage: train-ewt.sh WORK DATA}")
python=${PYTHON:-python3}
cd "$(dirname "$0")"
mkdir -p "$work"

# Words that occur twice or more; now and then one of them is rare, so that the model learns what to do with those.
prepare=("$python" ../tagger-char/prepare.py --words-only --vocabulary "$work/vocab.json")
"${prepare[@]}" --input "$data/train.conllu.gz" --make-vocabulary --rare 1 --spell 0.05 --output "$work/train.jsonl"
for part in dev test; do
  "${prepare[@]}" --input "$data/$part.conllu" --output "$work/$part.jsonl"
done
words=$("$python" -c 'import json, sys; print(len(json.load(open(sys.argv[1]))["words"]))' "$work/vocab.json")
"$python" ../add_dropout.py --rate 0.3 tagger-ewt.mlir 'row[t]' 'hfb[t]' > "$work/tagger-ewt-dropout.mlir"
"$python" ../seed_weights.py --model tagger-ewt.mlir --rows "emb=$words" --output "$work/start.safetensors"
"${AMPC:-ampc}" --train "$work/tagger-ewt-dropout.mlir" -o "$work/tagger-ewt"
"$work/tagger-ewt" train --weights "$work/start.safetensors" --data "$work/train.jsonl" --dev "$work/dev.jsonl" \
  --epochs 5 --patience 2 --batch 32 --lr 2e-3 --schedule cosine --clip-norm 5 \
  --metrics "$work/metrics.jsonl" --checkpoint "$work/checkpoints" --resume
for part in dev test; do
  "$work/tagger-ewt" run --quiet --input "$work/$part.jsonl" --weights "$work/checkpoints/best.safetensors" --output "$work/y.jsonl"
  "$python" ../tagger-char/show.py --input "$work/$part.jsonl" --output "$work/y.jsonl" --vocabulary "$work/vocab.json" --limit 0
done
