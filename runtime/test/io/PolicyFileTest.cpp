//===- PolicyFileTest.cpp - Policies and recorded runs in files -----------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "io/PolicyFile.h"
#include "io/File.h"
#include "io/GraphFile.h"

#include <gtest/gtest.h>

#include <random>

using namespace amprt;

namespace {

PolicyFile sample() {
  PolicyFile file;
  file.model = "tree \"x\"";
  file.cells = {"leaf", "inner", "out"};
  file.table.encoding = StateEncoding::largest;
  file.table.patience = 12;
  file.table.cells = {{{0, 1}, 1}, {{1, 0}, 0}, {{2, 0, 1}, 0}};
  file.training = {{"batches", 12}};
  return file;
}

void expectError(const std::string &text, const std::string &part) {
  auto file = parsePolicyFile(text, "p.json");
  ASSERT_FALSE(file.ok()) << text;
  EXPECT_EQ(int(file.status().code()), int(StatusCode::invalidArgument));
  EXPECT_EQ(file.status().message().find("'p.json' is no policy: "), 0u);
  EXPECT_NE(file.status().message().find(part), std::string::npos)
      << "expected: " << part << "\nmessage:  " << file.status().message();
}

std::string replaced(std::string text, const std::string &what,
                     const std::string &with) {
  size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), with);
}

TEST(PolicyFileTest, RoundTrip) {
  auto file = parsePolicyFile(policyText(sample()), "p.json");
  ASSERT_TRUE(file.ok()) << file.status().message();
  EXPECT_EQ(file->model, sample().model);
  EXPECT_EQ(file->cells, sample().cells);
  EXPECT_EQ(file->table.encoding, sample().table.encoding);
  EXPECT_EQ(file->table.patience, 12u);
  EXPECT_EQ(file->table.cells, sample().table.cells);
  EXPECT_EQ(policyText(sample()), policyText(sample()));
}

TEST(PolicyFileTest, Errors) {
  std::string good = policyText(sample());
  expectError("", "not valid JSON");
  expectError("[1]", "expected an object with \"format\": \"amprt-policy\"");
  expectError(replaced(good, "amprt-policy", "amprt-graph"), "amprt-policy");
  expectError(replaced(good, "\"version\":1", "\"version\":2"),
              "it is of version 2, but this program reads version 1");
  expectError(replaced(good, "\"version\":1", "\"version\":\"1\""), "version");
  expectError(replaced(good, "\"model\"", "\"Model\""), "\"model\"");
  expectError(replaced(good, "12", "-12"), "\"patience\"");
  expectError(replaced(good, "\"leaf\"", "7"), "\"cells\" has 7");
  expectError(replaced(good, "largest", "smallest"),
              "unknown encoding \"smallest\": there are set, largest, sorted");
  expectError(replaced(good, "{\"ready\":[1,0],\"run\":0}", "{}"), "state 1: ");
  expectError(replaced(good, "[1,0]", "[1,3]"), "\"ready\" has 3");
  expectError(replaced(good, "[1,0]", "[1,1]"), "\"ready\" has 1");
  expectError(replaced(good, "[1,0],\"run\":0", "[1,0],\"run\":2"),
              "\"run\" is 2, which is not ready");
  expectError(replaced(good, "[1,0],\"run\":0", "[1,0],\"run\":-1"), "state 1");
  expectError(replaced(good, "[1,0],\"run\":0", "[0,1],\"run\":0"),
              "another one is the same");
}

TEST(PolicyFileTest, OfAnotherModel) {
  amprt_cell_desc_t cells[3] = {};
  cells[0].name = "leaf";
  cells[1].name = "inner";
  cells[2].name = "out";
  amprt_model_t model = {};
  model.name = "tree \"x\"";
  model.cells = cells;
  model.cell_count = 3;
  std::string path = testing::TempDir() + "amprt-policy-of-another.json";
  auto load = [&] {
    EXPECT_TRUE(writeFileAtomically(path, [](OutputFile &to) {
                  return to.write(policyText(sample()));
                }).ok());
    return loadPolicyTable(path, model);
  };
  EXPECT_TRUE(load().ok());
  auto expectMismatch = [&](const std::string &part) {
    auto table = load();
    ASSERT_FALSE(table.ok());
    EXPECT_EQ(int(table.status().code()), int(StatusCode::failedPrecondition));
    EXPECT_NE(table.status().message().find(part), std::string::npos)
        << table.status().message();
  };
  cells[1].name = "outer";
  expectMismatch("its cell 1 is 'inner', this one's is 'outer'");
  model.cell_count = 2;
  expectMismatch("it knows 3 cells, this has 2");
  model.name = "graph";
  expectMismatch("it was trained for 'tree \"x\"', this is 'graph'");
  auto missing = loadPolicyTable(path + ".none", model);
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(int(missing.status().code()), int(StatusCode::notFound));
}

RecordedRun sampleRun() {
  RecordedRun run;
  run.model = "tree";
  run.cells = {{"leaf", 3, false}, {"inner", 2, true}};
  run.instances = {{{0, {}}, {0, {}}, {1, {1, 0}}}, {}, {{0, {}}}};
  return run;
}

TEST(GraphFileTest, RoundTrip) {
  std::string path = testing::TempDir() + "amprt-graph.jsonl";
  ASSERT_TRUE(writeGraphFile(path, sampleRun()).ok());
  auto run = readGraphFile(path);
  ASSERT_TRUE(run.ok()) << run.status().message();
  EXPECT_EQ(run->model, "tree");
  ASSERT_EQ(run->cells.size(), 2u);
  EXPECT_EQ(run->cells[1].name, "inner");
  EXPECT_EQ(run->cells[0].priority, 3u);
  EXPECT_TRUE(run->cells[1].hasProduct);
  ASSERT_EQ(run->instances.size(), 3u);
  EXPECT_TRUE(run->instances[1].empty());
  EXPECT_EQ(run->instances[0][2].cell, 1u);
  EXPECT_EQ(run->instances[0][2].inputs, (std::vector<uint32_t>{1, 0}));
}

TEST(GraphFileTest, Errors) {
  const std::string head =
      R"({"format":"amprt-graph","version":1,"model":"m","cells":[)"
      R"({"name":"a","priority":1,"product":false}]})"
      "\n";
  auto expectGraphError = [](const std::string &text, const std::string &part) {
    auto run = parseGraphFile(text, "g");
    ASSERT_FALSE(run.ok()) << text;
    EXPECT_EQ(int(run.status().code()), int(StatusCode::invalidArgument));
    EXPECT_NE(run.status().message().find(part), std::string::npos)
        << run.status().message();
  };
  EXPECT_TRUE(parseGraphFile(head + "[[0],[0,0]]\n", "g").ok());
  expectGraphError("", "'g' is empty");
  expectGraphError("[]\n", "'g', line 1: expected an object");
  expectGraphError(replaced(head, "\"priority\":1", "\"priority\":-1"),
                   "a cell's \"name\"");
  expectGraphError(head + "{}\n", "line 2: expected an array of activations");
  expectGraphError(head + "[[1]]\n", "activation 0: there is no cell 1");
  expectGraphError(head + "[[0],[0,1]]\n",
                   "activation 1: no activation 1 before it");
  expectGraphError(head + "[[]]\n", "activation 0: expected an array");
  expectGraphError(head + "[[0]\n", "line 2: not valid JSON");
}

/// Whatever happens to the bytes: a policy or a clear error.
TEST(PolicyFileTest, Fuzzed) {
  std::mt19937 random(7);
  const std::string good = policyText(sample());
  const std::string pieces[] = {"[",   "]", "{",     "}",    ",",   "\"", "-1",
                                "1e9", "0", "65536", "\xff", "run", "[[", ":"};
  for (int i = 0; i < 20000; ++i) {
    std::string text = good;
    for (unsigned j = 1 + random() % 3; j-- > 0;) {
      size_t at = random() % (text.size() + 1);
      size_t length = std::min<size_t>(random() % 4, text.size() - at);
      text.replace(at, length,
                   random() % 2 ? pieces[random() % std::size(pieces)] : "");
    }
    auto file = parsePolicyFile(text, "p.json");
    if (!file.ok()) {
      EXPECT_EQ(file.status().message().find("'p.json' is no policy: "), 0u);
      continue;
    }
    for (const auto &[key, cell] : file->table.cells) {
      EXPECT_NE(key.find(char16_t(cell)), StateKey::npos);
      EXPECT_LT(cell, file->cells.size());
    }
    auto again = parsePolicyFile(policyText(*file), "again");
    ASSERT_TRUE(again.ok()) << again.status().message();
    EXPECT_EQ(again->table.cells, file->table.cells);
  }
}

} // namespace
