//===- TraceTest.cpp - The traces that run and bench write ----------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include <map>
#include <nlohmann/json.hpp>
#include <set>

using namespace amprt::test;
using nlohmann::json;

namespace {

using TraceFile = ProgramTest;

/// What a trace says, checked for its form.
struct Trace {
  int64_t batches = 0, activations = 0, rows = 0;
  std::map<int64_t, double> opened, ended; ///< Times by instance.
  std::set<int64_t> threads;               ///< Of batches.
  std::map<std::string, int> statuses;     ///< Of instances.

  explicit Trace(const std::string &text) {
    json trace = json::parse(text, nullptr, /*allow_exceptions=*/false);
    EXPECT_TRUE(trace.is_object()) << text;
    std::set<int64_t> named;
    for (const json &event : trace["traceEvents"]) {
      std::string phase = event["ph"];
      EXPECT_EQ(event["pid"], 1);
      if (phase == "M") {
        if (event["name"] == "thread_name")
          named.insert(event["tid"].get<int64_t>());
        continue;
      }
      const json &arguments = event["args"];
      double time = event["ts"];
      EXPECT_GE(time, 0);
      if (phase == "X") {
        ++batches;
        EXPECT_EQ(event["name"], "scale");
        EXPECT_GE(event["dur"].get<double>(), 0);
        activations += arguments["activations"].get<int64_t>();
        rows += arguments["rows"].get<int64_t>();
        EXPECT_GE(arguments["depth_min"], 1);
        EXPECT_GE(arguments["depth_max"], arguments["depth_min"]);
        EXPECT_TRUE(named.count(event["tid"].get<int64_t>()));
        threads.insert(event["tid"].get<int64_t>());
        continue;
      }
      EXPECT_EQ(event["cat"], "instance");
      EXPECT_TRUE(phase == "b" || phase == "e") << phase;
      int64_t number = event["id"];
      EXPECT_TRUE((phase == "b" ? opened : ended).insert({number, time}).second)
          << number;
      if (phase == "b")
        EXPECT_GE(arguments["waited_us"], 0);
      else
        ++statuses[arguments["status"].get<std::string>()];
    }
    EXPECT_EQ(opened.size(), ended.size());
    for (auto [number, time] : opened)
      EXPECT_LE(time, ended[number]);
  }
};

TEST_F(TraceFile, HasAllBatchesAndInstances) {
  std::string input;
  for (int i = 0; i < 2000; ++i) // More text than workers keep in memory.
    input += "{\"mode\":" + std::to_string(i % 100 == 7) + ",\"x\":[[1,2]]}\n";
  for (const char *more : {"--workers 1", "--workers 3 --policy none"}) {
    Outcome plain = run("run -q -w " + weights() + " " + more, input);
    Outcome outcome = run("run -q --trace " + path("t.json") + " --stats " +
                              path("s.json") + " -w " + weights() + " " + more,
                          input);
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.output, plain.output);
    Trace trace(readText(path("t.json")));
    json stats = json::parse(readText(path("s.json")));
    EXPECT_EQ(trace.batches, stats["batches"]);
    EXPECT_EQ(trace.activations, stats["cell_activations"]);
    EXPECT_EQ(trace.activations, 1980);
    EXPECT_EQ(trace.rows, 1980);
    EXPECT_EQ(trace.opened.size(), 2000u);
    EXPECT_EQ(trace.opened.begin()->first, 0);
    EXPECT_EQ(trace.opened.rbegin()->first, 1999);
    EXPECT_EQ(trace.statuses["ok"], 1980);
    EXPECT_EQ(trace.statuses["failed"], 20);
  }
}

TEST_F(TraceFile, CannotBeWritten) {
  Outcome outcome = run("run --trace /dev/full -w " + weights(), twoLines);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.output, twoResults); // The run itself goes well.
  EXPECT_EQ(outcome.errors,
            "scale: cannot write '/dev/full': No space left on device\n");
  outcome = run("run -q --trace /nowhere/t", twoLines);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.output, "");
  EXPECT_EQ(outcome.errors,
            "scale: cannot write '/nowhere/t': No such file or directory\n");
  std::string both = path("both.json");
  outcome = run("run -q --trace " + both + " --stats " + both, twoLines);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.errors,
            "scale: --trace and --stats are the same file, '" + both + "'\n");
}

TEST_F(TraceFile, OfBench) {
  Outcome outcome = run("bench --json --warmup 2 --repeats 5 --trace " +
                            path("t.json") + " -w " + weights(),
                        twoLines);
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  Trace trace(readText(path("t.json")));
  EXPECT_EQ(trace.activations, 2); // Of one run only.
  EXPECT_EQ(trace.opened.size(), 2u);
  outcome = run("bench --trace /nowhere/t -w " + weights(), twoLines);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.output, "");
}

} // namespace
