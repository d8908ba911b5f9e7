//===- CommandsTest.cpp - Command line, bench and info --------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include <algorithm>
#include <nlohmann/json.hpp>

using namespace amprt::test;
using nlohmann::json;

namespace {

using CommandLine = ProgramTest;

TEST_F(CommandLine, HelpAndVersion) {
  for (const char *arguments : {"--help", "run --help", "train --help",
                                "bench --help", "info --help"}) {
    Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 0) << arguments;
    EXPECT_NE(outcome.output.find("--version"), std::string::npos);
  }
  for (const char *arguments :
       {"--version", "run --version", "bench --version", "info --version"}) {
    Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 0) << arguments;
    EXPECT_EQ(outcome.output.find("scale: compiled by ampc for test; runtime "
                                  "ABI "),
              0u);
  }
}

TEST_F(CommandLine, Errors) {
  for (const char *arguments :
       {"", "walk", "run --nothing", "run --workers 0", "run --workers x",
        "run --workers 99999", "run --policy best", "run --limit -1",
        "run --max-in-flight 0", "run --max-batch 0", "run --step-limit 0",
        "run --memory-limit 3q", "run --seed -1", "run extra",
        "bench --repeats 0", "bench --output x"}) {
    Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_EQ(outcome.errors.find("scale: "), 0u) << outcome.errors;
    EXPECT_NE(outcome.errors.find("scale: --help lists"), std::string::npos);
    EXPECT_EQ(outcome.output, "");
  }
  EXPECT_NE(run("run --policy best").errors.find("agenda"), std::string::npos);
}

TEST_F(CommandLine, MemoryLimit) {
  std::string line = R"({"mode":0,"x":[[1,2]]})";
  EXPECT_EQ(run("run --memory-limit 64M -w " + weights(), line).status, 0);
  Outcome outcome = run("run --memory-limit 64k -w " + weights(),
                        R"({"mode":2,"x":[[1,2]]})");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.output.find("error"), std::string::npos);
}

using BenchCommand = ProgramTest;

TEST_F(BenchCommand, Json) {
  std::string input = file("x.jsonl", twoLines);
  Outcome outcome = run("bench --json --latency --repeats 2 --workers 2 "
                        "--max-in-flight 8 --input " +
                        input + " --limit 100 --weights " + weights());
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  ASSERT_EQ(outcome.output.find('\n'), outcome.output.size() - 1);
  json report = json::parse(outcome.output);
  EXPECT_GT(report["instances_per_s"], 0);
  EXPECT_EQ(report["instances"], 2);
  EXPECT_EQ(report["repeats"], 2);
  EXPECT_EQ(report["workers"], 2);
  EXPECT_EQ(report["max_in_flight"], 8);
  EXPECT_EQ(report["policy"], "agenda");
  EXPECT_EQ(report["cell_activations"], 2);
  EXPECT_GE(report["batches"], 1);
  EXPECT_LE(report["seconds"]["min"], report["seconds"]["max"]);
  EXPECT_TRUE(report.contains("outside_ns_per_activation"));
  EXPECT_EQ(report["cells"][0]["name"], "scale");
  EXPECT_LE(report["latency_us"]["p50"], report["latency_us"]["max"]);
  EXPECT_LE(report["latency_us"]["mean"], report["latency_us"]["max"]);
}

TEST_F(BenchCommand, Text) {
  Outcome outcome = run("bench --weights " + weights(), twoLines);
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_NE(outcome.output.find("instances/s"), std::string::npos);
  EXPECT_NE(outcome.output.find("scale"), std::string::npos);
}

TEST_F(BenchCommand, Errors) {
  Outcome outcome = run("bench -q");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.errors, "scale: standard input has no instances\n");
  outcome = run("bench -q", std::string(twoLines) + "{}");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.errors,
            "scale: line 3: field 'x' is missing\n"
            "scale: 1 of 3 instances of standard input cannot be used; "
            "nothing was done\n");
  outcome = run("bench -q", R"({"mode":1,"x":[]})");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.errors.find("scale: line 1: "), 0u);
}

// Five instances of one activation: two at a time need three batches.
TEST_F(BenchCommand, LowerBound) {
  std::string lines;
  for (int i = 0; i < 5; ++i)
    lines += "{\"mode\":0,\"x\":[[1,2]]}\n";
  Outcome outcome = run("bench --json --lower-bound --max-in-flight 2 -w " +
                            weights() + " --record-graph " + path("g.jsonl"),
                        lines);
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  json report = json::parse(outcome.output);
  EXPECT_EQ(report["batches_lower_bound"], 3);
  EXPECT_EQ(report["cells"][0]["batches_lower_bound"], 3);
  EXPECT_GE(report["batches_over_lower_bound"], 1);
  EXPECT_NE(outcome.errors.find("recorded in"), std::string::npos);
  std::string graph = readText(path("g.jsonl"));
  EXPECT_EQ(
      graph.find(R"({"format":"amprt-graph","version":1,"model":"scale")"), 0u);
  EXPECT_EQ(std::count(graph.begin(), graph.end(), '\n'), 6);
  outcome = run("bench --lower-bound --policy none -w " + weights(), lines);
  EXPECT_NE(outcome.output.find("5 batches, 5.00 times the lower bound of 1"),
            std::string::npos)
      << outcome.output;
}

TEST_F(CommandLine, RunCountsTheLowerBound) {
  std::string stats = path("s.json");
  // The second instance fails, and counts nothing.
  Outcome outcome = run("run --lower-bound --policy greedy --stats " + stats +
                            " -w " + weights(),
                        "{\"mode\":0,\"x\":[[1,2]]}\n{\"mode\":1,\"x\":[]}\n");
  EXPECT_EQ(outcome.status, 1) << outcome.errors;
  EXPECT_NE(outcome.errors.find("times the lower bound of 1"),
            std::string::npos);
  EXPECT_EQ(json::parse(readText(stats))["batches_lower_bound"], 1);
}

TEST_F(CommandLine, PolicyFiles) {
  Outcome outcome = run("run --policy learned -w " + weights(), twoLines);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.errors.find("learned:FILE"), std::string::npos);
  std::string missing = path("none.json");
  outcome =
      run("run --policy learned:" + missing + " -w " + weights(), twoLines);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.errors.find(missing), std::string::npos);
  std::string policy =
      file("p.json",
           R"({"format":"amprt-policy","version":1,"model":"scale",)"
           R"("cells":["scale"],"encoding":"set","patience":8,"states":[]})");
  outcome =
      run("run -q --policy learned:" + policy + " -w " + weights(), twoLines);
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(outcome.output, twoResults);
  outcome = run("run -q --policy learned:" + policy + " -o " + policy + " -w " +
                    weights(),
                twoLines);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.errors.find("--output and --policy are the same file"),
            std::string::npos)
      << outcome.errors;
}

using InfoCommand = ProgramTest;

TEST_F(InfoCommand, Text) {
  Outcome outcome = run("info");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.output.find("x     tensor<?x2xf32>"), std::string::npos)
      << outcome.output;
  EXPECT_NE(outcome.output.find("scale.mlir:5:3"), std::string::npos);
}

TEST_F(InfoCommand, Json) {
  json info = json::parse(run("info --json").output);
  EXPECT_EQ(info["name"], "scale");
  EXPECT_EQ(info["fields"][1]["type"], "i32");
  EXPECT_EQ(info["results"][0]["type"], "tensor<?x2xf32>");
  EXPECT_EQ(info["parameters"][0]["bytes"], 8);
  EXPECT_EQ(info["cells"][0]["summary"], "mulf, addf");
}

} // namespace
