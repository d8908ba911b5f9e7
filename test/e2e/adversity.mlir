// A thousand instances of which one in ten fails: at an index outside a table, at the step limit, at a pop of an empty
// list, at sizes that do not fit, at an arg-max of nothing. The others' outputs are what they are without them, to the
// bit, whatever runs beside them. (Cancellation and memory: runtime/test/AdversityTest.cpp.)
// REQUIRES: runtime
// RUN: split-file %s %t
// RUN: ampc %t/model.mlir -o %t/model
// RUN: %python %t/instances.py %t
// RUN: %t/model run -q --step-limit 5000 --input %t/good.jsonl --output %t/good.out.jsonl
// RUN: %python %t/mixed.py %t
// RUN: ampc --interpret %t/model.mlir --input %t/good.jsonl --limit 100 --output %t/oracle.jsonl
// RUN: head -n 100 %t/good.jsonl > %t/first.jsonl
// RUN: %python %S/Inputs/agree.py %t/model %t/first.jsonl %t/oracle.jsonl

//--- model.mlir
amp.param @emb : tensor<20x4xf32> init(normal, 1.0)
amp.param @W : tensor<4x4xf32> init(glorot)

// Counts down from n without an end if n is negative.
func.func private @down(%n: i32, %h: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %done = arith.cmpi eq, %n, %zero : i32
  %y = scf.if %done -> tensor<4xf32> {
    scf.yield %h : tensor<4xf32>
  } else {
    %W = amp.get @W : tensor<4x4xf32>
    %a = amp.linear %h, %W : tensor<4xf32>, tensor<4x4xf32>
    %t = math.tanh %a : tensor<4xf32>
    %m = arith.subi %n, %one : i32
    %r = func.call @down(%m, %t) : (i32, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %r : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

func.func @adversity(%word: tensor<?xi32> {amp.name = "word"}, %n: i32 {amp.name = "n"}, %pops: index {amp.name = "pops"},
                     %a: tensor<?xf32> {amp.name = "a"}, %b: tensor<?xf32> {amp.name = "b"})
    -> (tensor<4xf32> {amp.name = "y"}, index {amp.name = "best"}, i32 {amp.name = "top"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %emb = amp.get @emb : tensor<20x4xf32>
  %rows = amp.gather %emb[%word] : tensor<20x4xf32>, tensor<?xi32>
  %p = amp.pool mean %rows : tensor<?x4xf32>
  %y = call @down(%n, %p) : (i32, tensor<4xf32>) -> tensor<4xf32>
  %s = arith.addf %a, %b : tensor<?xf32>
  %best = amp.argmax %s : tensor<?xf32>
  %count = tensor.dim %word, %c0 : tensor<?xi32>
  %none = amp.list : !amp.list<i32>
  %full = scf.for %i = %c0 to %count step %c1 iter_args(%l = %none) -> !amp.list<i32> {
    %w = tensor.extract %word[%i] : tensor<?xi32>
    %l2 = amp.push %w, %l : !amp.list<i32>
    scf.yield %l2 : !amp.list<i32>
  }
  %rest = scf.for %i = %c0 to %pops step %c1 iter_args(%l = %full) -> !amp.list<i32> {
    %l2, %w = amp.pop %l : !amp.list<i32>
    scf.yield %l2 : !amp.list<i32>
  }
  %l3, %top = amp.pop %rest : !amp.list<i32>
  return %y, %best, %top : tensor<4xf32>, index, i32
}

//--- instances.py
import json, random, sys
numbers = random.Random(7)
good, mixed = [], []
for i in range(1000):
    size = numbers.randint(2, 12)
    instance = {"word": [numbers.randrange(20) for _ in range(size)], "n": numbers.randint(0, 40), "pops": numbers.randrange(size),
                "a": [round(numbers.uniform(-1, 1), 3) for _ in range(size)], "b": [round(numbers.uniform(-1, 1), 3) for _ in range(size)]}
    if numbers.randrange(10) == 0:
        kind = numbers.randrange(5)
        if kind == 0:
            instance["word"][numbers.randrange(size)] = numbers.choice([-1, 20, 1 << 30])
        elif kind == 1:
            instance["n"] = -5
        elif kind == 2:
            instance["pops"] = size + numbers.randrange(3)
        elif kind == 3:
            instance["b"].pop()
        else:
            instance["a"] = instance["b"] = []
    else:
        good.append(instance)
    mixed.append(instance)
for name, instances in (("good", good), ("mixed", mixed)):
    with open(f"{sys.argv[1]}/{name}.jsonl", "w") as out:
        out.writelines(json.dumps(instance) + "\n" for instance in instances)

//--- mixed.py
import itertools, json, subprocess, sys
folder = sys.argv[1]
good = open(f"{folder}/good.out.jsonl").read()
for policy, workers, in_flight in itertools.product(("none", "depth", "agenda"), (1, 2, 4), (7, 64)):
    done = subprocess.run([f"{folder}/model", "run", "-q", "--step-limit", "5000", "--policy", policy, "--workers", str(workers),
                           "--max-in-flight", str(in_flight), "--input", f"{folder}/mixed.jsonl"], capture_output=True, text=True)
    lines = done.stdout.splitlines(keepends=True)
    failed = [json.loads(line)["error"] for line in lines if "error" in line]
    assert done.returncode == 1 and len(lines) == 1000, done.stderr
    assert 60 < len(failed) < 140, len(failed)
    for words in ("is outside [0, 20)", "limit", "pop of an empty list", "do not fit", "arg-max of an empty vector"):
        assert any(words in error for error in failed), words
    assert "".join(line for line in lines if "error" not in line) == good, (policy, workers, in_flight)
