//===- RunTest.cpp - The command run of a compiled program ----------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "SafetensorsBytes.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

using namespace amprt::test;
using nlohmann::json;

namespace {

using RunCommand = ProgramTest;

TEST_F(RunCommand, StreamsFromInputToOutput) {
  Outcome outcome = run("run --weights " + weights(), twoLines);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, twoResults);
  EXPECT_EQ(outcome.errors, "");
}

TEST_F(RunCommand, FilesAndAllPolicies) {
  std::string input =
      file("x.jsonl", std::string("\xEF\xBB\xBF\r\n") + twoLines + "  \n");
  for (const char *more :
       {"--policy none", "--policy depth", "--policy agenda --workers 2",
        "--max-in-flight 1 --max-batch 1"}) {
    Outcome outcome = run("run -i " + input + " -o " + path("y.jsonl") +
                          " -w " + weights() + " " + more);
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_EQ(readText(path("y.jsonl")), twoResults);
    EXPECT_EQ(outcome.output + outcome.errors, "");
  }
}

TEST_F(RunCommand, KeepsTheOrderWithManyWorkers) {
  std::string input, expected;
  for (int i = 0; i < 3000; ++i) {
    input += "{\"mode\":0,\"x\":[[" + std::to_string(i) + ",0]]}\n";
    expected +=
        "{\"y\":[[" + std::to_string(2 * i + 10) + ".0,20.0]],\"n\":1}\n";
  }
  Outcome outcome =
      run("run --workers 4 --max-in-flight 8 --weights " + weights(), input);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, expected);
}

TEST_F(RunCommand, SkipAndLimit) {
  std::string input;
  for (int i = 0; i < 9; ++i)
    input += "{\"mode\":0,\"x\":[[" + std::to_string(i) + ",0]]}\n\n";
  Outcome outcome = run("run --skip 3 --limit 2 --weights " + weights(), input);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "{\"y\":[[16.0,20.0]],\"n\":1}\n"
                            "{\"y\":[[18.0,20.0]],\"n\":1}\n");
}

TEST_F(RunCommand, InitialisesAndSaysSo) {
  const char *line = R"({"x":[[1,1]],"mode":0})";
  Outcome first = run("run", line), same = run("run --quiet --seed 1", line),
          other = run("run --seed 2", line);
  EXPECT_EQ(first.status, 0);
  EXPECT_EQ(first.errors, "scale: initialised from seed 1: W, B\n");
  EXPECT_EQ(same.errors, "");
  EXPECT_EQ(first.output, same.output);
  EXPECT_NE(first.output, other.output);
}

TEST_F(RunCommand, NamesWhatIsUnused) {
  std::string file1 = file("w1.safetensors", [] {
    auto bytes = safetensorsBytes(
        R"({"W":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
        R"("V":{"dtype":"F32","shape":[],"data_offsets":[8,12]}})",
        12);
    return std::string(bytes.begin(), bytes.end());
  }());
  std::string line = R"({"x":[],"mode":0,"label":3})";
  Outcome outcome = run("run -w " + file1, line + "\n" + line + "\n");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.errors,
            "scale: initialised from seed 1: B\n"
            "scale: tensors of '" +
                file1 +
                "' that the model does not use: V\n"
                "scale: fields that the model does not know are skipped: "
                "label\n");

  outcome = run("run --strict -w " + file1, line);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.errors,
            "scale: '" + file1 + "' lacks parameters of the model: B\n");
  outcome = run("run --strict -w " + weights(), line);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.output, "{\"error\":\"the model has no field 'label'\"}\n");
}

TEST_F(RunCommand, BadInstancesKeepTheirLines) {
  std::string good = R"({"x":[[1,2]],"mode":0})";
  std::string input = good + "\n\n" + // The second line is none.
                      R"({"x":[[1,2,3]],"mode":0})" + "\n" +
                      R"({"x":[[1,2]],"mode":1})" + "\n" +
                      R"({"x":[[1,2]],"mode":2})" + "\n" + "{\n" + good;
  Outcome outcome = run("run --step-limit 1000 --weights " + weights(), input);
  EXPECT_EQ(outcome.status, 1);
  std::istringstream lines(outcome.output);
  std::vector<json> results;
  for (std::string line; std::getline(lines, line);)
    results.push_back(json::parse(line));
  ASSERT_EQ(results.size(), 6u);
  EXPECT_EQ(results[0]["y"], json::parse("[[12,26]]"));
  EXPECT_EQ(results[1]["error"],
            "field 'x': expected 2 elements (tensor<?x2xf32>), but got 3 at "
            "[0]");
  EXPECT_NE(results[2]["error"].dump().find("mode 1 always fails"),
            std::string::npos);
  EXPECT_NE(results[3]["error"].dump().find("1000"), std::string::npos);
  EXPECT_NE(results[4]["error"].dump().find("not valid JSON at byte"),
            std::string::npos);
  EXPECT_EQ(results[5], results[0]);
  EXPECT_NE(outcome.errors.find("scale: line 3: field 'x': expected 2"),
            std::string::npos);
  EXPECT_NE(outcome.errors.find("scale: line 4: "), std::string::npos);
  EXPECT_NE(outcome.errors.find("scale: line 5: "), std::string::npos);
  EXPECT_NE(outcome.errors.find("scale: line 6: not valid JSON"),
            std::string::npos);
  EXPECT_NE(outcome.errors.find("scale: 4 of 6 instances failed\n"),
            std::string::npos);
}

TEST_F(RunCommand, ManyErrorsAreCounted) {
  std::string input;
  for (int i = 0; i < 100; ++i)
    input += "{}\n";
  Outcome outcome = run("run", input);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 23);
  EXPECT_NE(outcome.errors.find("more instances failed"), std::string::npos);
  EXPECT_NE(outcome.errors.find("100 of 100 instances failed"),
            std::string::npos);
}

TEST_F(RunCommand, NotFiniteIsNullAndNoted) {
  Outcome outcome =
      run("run --weights " + weights(), R"({"x":[[1,2]],"mode":3})");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "{\"y\":[[null,null]],\"n\":1}\n");
  EXPECT_EQ(outcome.errors,
            "scale: 1 of 1 instances have results that are not finite, first "
            "'y' of line 1; they are null in the output\n");
}

TEST_F(RunCommand, Stats) {
  Outcome outcome =
      run("run --stats " + path("s.json") + " -w " + weights(), twoLines);
  EXPECT_EQ(outcome.status, 0);
  json stats = json::parse(readText(path("s.json")));
  EXPECT_EQ(stats["instances"], 2);
  EXPECT_EQ(stats["failed"], 0);
  EXPECT_EQ(stats["cell_activations"], 2);
  EXPECT_EQ(stats["policy"], "agenda");
  EXPECT_EQ(stats["cells"][0]["name"], "scale");
}

TEST_F(RunCommand, UnusableFiles) {
  auto expectError = [&](const std::string &arguments,
                         const std::string &message) {
    Outcome outcome = run("run --quiet " + arguments, twoLines);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_EQ(outcome.errors, "scale: " + message + "\n");
    EXPECT_EQ(outcome.output, "");
  };
  expectError("-w /nowhere/w",
              "cannot open '/nowhere/w': No such file or directory");
  std::string junk = file("junk", "hello, this is no such file");
  Outcome outcome = run("run -w " + junk, twoLines);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.errors.find("not a safetensors file"), std::string::npos);
  expectError("-i /nowhere/x",
              "cannot open '/nowhere/x': No such file or directory");
  expectError("-i " + folder, "cannot read '" + folder + "': Is a directory");
  expectError("-o /nowhere/y",
              "cannot write '/nowhere/y': No such file or directory");
  expectError("--stats /nowhere/s",
              "cannot write '/nowhere/s': No such file or directory");
  std::string input = file("x.jsonl", twoLines);
  expectError("-i " + input + " -o " + folder + "/./x.jsonl",
              "--output and --input are the same file, '" + folder +
                  "/./x.jsonl'");
  EXPECT_EQ(readText(input), twoLines);
}

TEST_F(RunCommand, OutputErrors) {
  Outcome outcome = run("run -o /dev/full -w " + weights(), twoLines);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.errors, "scale: cannot write '/dev/full': No space left on "
                            "device; the output is incomplete\n");
  // A reader that goes away; 100,000 lines are more than the pipe holds.
  std::string input;
  for (int i = 0; i < 100'000; ++i)
    input += "{\"mode\":0,\"x\":[[1,2]]}\n";
  std::string x = file("many.jsonl", input);
  std::string script = "(" AMPRT_TEST_PROGRAM " run -i " + x + " -w " +
                       weights() + " 2>" + path("stderr") + "; echo $? >" +
                       path("status") + ") | head -n 1 >" + path("stdout");
  ASSERT_EQ(std::system(script.c_str()), 0);
  EXPECT_EQ(readText(path("status")), "2\n");
  EXPECT_EQ(readText(path("stderr")), "scale: cannot write standard output: "
                                      "Broken pipe; the output is "
                                      "incomplete\n");
}

TEST_F(RunCommand, ResultsComeWhileTheInputIsOpen) {
  Piped program(weights(), path("stderr"));
  for (int i = 0; i < 3; ++i) {
    program.send("{\"mode\":0,\"x\":[]}\n");
    EXPECT_EQ(program.readSome(), "{\"y\":[],\"n\":0}\n");
  }
  ::close(program.input);
  EXPECT_EQ(program.end(), 0);
}

TEST_F(RunCommand, InterruptFinishesWhatWasRead) {
  Piped program(weights(), path("stderr"));
  program.send("{\"mode\":0,\"x\":[]}\n{\"mode\":4,\"x\":[]}\n");
  std::string seen = program.readSome(); // The slow one is in flight.
  ASSERT_EQ(::kill(program.child, SIGINT), 0);
  for (std::string more; !(more = program.readSome()).empty();)
    seen += more;
  EXPECT_EQ(seen, "{\"y\":[],\"n\":0}\n{\"y\":[],\"n\":0}\n");
  EXPECT_EQ(program.end(), 130);
  EXPECT_EQ(readText(path("stderr")),
            "scale: interrupted after 2 instances; the output is incomplete\n");
  ::close(program.input);
}

} // namespace
