//===- TrainCommandTest.cpp - train, as people call it --------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

using namespace amprt::test;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

class TrainCommand : public ProgramTest {
protected:
  void SetUp() override {
    ProgramTest::SetUp();
    data = file("data.jsonl", lines(90, 1));
    dev = file("dev.jsonl", lines(30, 2));
  }

  /// Instances of the regression (test/models/Regress.h).
  static std::string lines(int count, uint32_t seed) {
    std::mt19937 random(seed);
    std::string text;
    for (int i = 0; i < count; ++i) {
      json words = json::array();
      for (uint32_t n = random() % 8; n != 0; --n)
        words.push_back(random() % 40);
      text += json{{"word", words}, {"target", random() % 4}}.dump() + "\n";
    }
    return text;
  }

  Outcome call(const std::string &arguments) {
    std::string command = std::string(AMPRT_TEST_REGRESS) + " " + arguments +
                          " >" + path("stdout") + " 2>" + path("stderr");
    int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1,
            readText(path("stdout")), readText(path("stderr"))};
  }
  Outcome train(const std::string &arguments) {
    return call("train --data " + data + " --lr 0.02 --batch 8 " + arguments);
  }

  std::vector<json> parsed(const std::string &name) const {
    std::vector<json> found;
    std::istringstream text(readText(path(name)));
    for (std::string line; std::getline(text, line);)
      found.push_back(json::parse(line));
    return found;
  }

  std::string data, dev;
};

TEST_F(TrainCommand, LearnsAndTells) {
  Outcome outcome =
      train("--dev " + dev + " --epochs 20 --optimizer adam --log-every 5" +
            " --metrics " + path("m") + " --output " + path("l") +
            " --save-weights " + path("w") + " --checkpoint " + path("c"));
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(outcome.output, "");
  EXPECT_NE(outcome.errors.find("epoch 20: loss "), std::string::npos);
  std::vector<json> losses = parsed("l");
  ASSERT_EQ(losses.size(), 240u); // 12 updates an epoch.
  std::vector<json> epochs, groups;
  for (json &line : parsed("m"))
    (line["kind"] == "epoch" ? epochs : groups).push_back(line);
  ASSERT_EQ(epochs.size(), 20u);
  ASSERT_EQ(groups.size(), 48u);
  EXPECT_LT(epochs.back()["loss"], 0.5 * double(epochs.front()["loss"]));
  EXPECT_LE(epochs.back()["best_dev_loss"], double(epochs.front()["dev_loss"]));
  EXPECT_EQ(epochs.back()["instances"], 90);
  EXPECT_EQ(epochs.back()["update"], 240);
  EXPECT_GT(groups.back()["gradient_norm"], 0);
  EXPECT_EQ(groups.back()["lr"], 0.02);
  double sum = 0;
  for (int i = 0; i < 5; ++i)
    sum += double(losses[size_t(i)]["loss"]) * 8;
  EXPECT_NEAR(groups.front()["loss"], sum / 40, 1e-9);

  // The weights are those of the last checkpoint, and give the same loss.
  for (const char *weights : {"w", "c/checkpoint-000000000240.safetensors"}) {
    outcome = call("run --evaluate -q --input " + dev + " -w " + path(weights));
    ASSERT_EQ(outcome.status, 0) << outcome.errors;
    double total = 0;
    std::istringstream text(outcome.output);
    for (std::string line; std::getline(text, line);)
      total += double(json::parse(line)["loss"]);
    EXPECT_NEAR(total / 30, epochs.back()["dev_loss"], 1e-6);
  }
  EXPECT_EQ(call("run --strict -q --input " + dev + " -w " +
                 path("c/best.safetensors"))
                .status,
            1); // --strict: the target is no field of predict.
}

TEST_F(TrainCommand, SameBytesAgainAndWhenResumed) {
  std::string settings = "--dev " + dev + " --optimizer adam --log-every 7 ";
  auto files = [&](const std::string &name) {
    return " --metrics " + path(name + ".m") + " --output " +
           path(name + ".l") + " --save-weights " + path(name + ".w") +
           " --checkpoint " + path(name) + " ";
  };
  ASSERT_EQ(train(settings + "--epochs 4 " + files("a")).status, 0);
  ASSERT_EQ(
      train(settings + "--epochs 4 --checkpoint-every 5 " + files("b")).status,
      0);
  EXPECT_EQ(readText(path("a.w")), readText(path("b.w")));
  for (int updates : {3, 17, 31, 48}) {
    Outcome outcome =
        train(settings + "--epochs 4 --checkpoint-every 5 --resume --updates " +
              std::to_string(updates) + files("c"));
    ASSERT_EQ(outcome.status, 0) << outcome.errors;
  }
  EXPECT_EQ(readText(path("a.w")), readText(path("c.w")));
  EXPECT_EQ(readText(path("a.l")), readText(path("c.l")));
  EXPECT_EQ(readText(path("a/best.safetensors")),
            readText(path("c/best.safetensors")));
  std::vector<json> whole = parsed("a.m"), parts = parsed("c.m");
  ASSERT_EQ(whole.size(), parts.size());
  for (size_t i = 0; i < whole.size(); ++i)
    for (const char *key : {"kind", "update", "epoch", "loss", "dev_loss"})
      EXPECT_EQ(whole[i][key], parts[i][key]);
  // Nothing is left to do.
  EXPECT_EQ(train(settings + "--epochs 4 --resume" + files("c")).status, 0);
  EXPECT_EQ(readText(path("a.w")), readText(path("c.w")));
}

TEST_F(TrainCommand, SchedulesAndReduction) {
  auto rates = [&](const std::string &arguments) {
    EXPECT_EQ(
        train("--metrics " + path("m") + " --log-every 1 " + arguments).status,
        0);
    std::vector<double> found;
    for (json &line : parsed("m"))
      if (line["kind"] == "updates")
        found.push_back(line["lr"]);
    return found;
  };
  std::vector<double> found =
      rates("--epochs 2 --schedule step:1e:0.5 --warmup 2");
  ASSERT_EQ(found.size(), 24u);
  EXPECT_DOUBLE_EQ(found[0], 0.01);
  EXPECT_DOUBLE_EQ(found[13], 0.02);
  EXPECT_DOUBLE_EQ(found[14], 0.01);
  found = rates("--updates 5 --schedule cosine");
  ASSERT_EQ(found.size(), 5u);
  EXPECT_DOUBLE_EQ(found[0], 0.02);
  EXPECT_LT(found[4], 0.003);
  ASSERT_EQ(train("--updates 1 --no-shuffle --output " + path("mean")).status,
            0);
  ASSERT_EQ(
      train("--updates 1 --no-shuffle --reduction sum --output " + path("sum"))
          .status,
      0);
  EXPECT_NEAR(8 * double(parsed("mean")[0]["loss"]), parsed("sum")[0]["loss"],
              1e-5);
}

TEST_F(TrainCommand, StopsEarly) {
  Outcome outcome =
      call("train --data " + data + " --dev " + dev +
           " --epochs 1000 --lr 0.3 --batch 8 --optimizer adagrad " +
           "--patience 3 --metrics " + path("m"));
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_NE(outcome.errors.find("stopped: no better dev loss for 3 epochs"),
            std::string::npos);
  double last = parsed("m").back()["dev_loss"],
         best = parsed("m").back()["best_dev_loss"];
  EXPECT_GE(last, best);
}

TEST_F(TrainCommand, Errors) {
  auto expectError = [&](const Outcome &outcome, const std::string &part) {
    EXPECT_EQ(outcome.status, 2) << outcome.errors;
    EXPECT_NE(outcome.errors.find(part), std::string::npos) << outcome.errors;
  };
  for (const char *wrong :
       {"--optimizer lion", "--schedule step", "--schedule cosine:0",
        "--schedule step:2:x", "--lr -1", "--batch 0", "--keep 0",
        "--patience 2", "--resume", "--beta1 1", "--reduction max"})
    EXPECT_EQ(train(wrong).status, 2) << wrong;
  expectError(call("train"), "--data");
  expectError(call("train --data /nowhere"), "/nowhere");
  expectError(train("--metrics " + data), "are the same file");
  expectError(train("--checkpoint /proc/none"), "cannot use the folder");

  data = file("bad.jsonl", "{\"word\":[1],\"target\":1}\n"
                           "{\"word\":[1]}\n");
  Outcome outcome = train("");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.errors.find("line 2: field 'target' is missing"),
            std::string::npos);
  data = file("range.jsonl", "{\"word\":[1],\"target\":1}\n\n"
                             "{\"word\":[41],\"target\":1}\n");
  expectError(train(""), "range.jsonl': update 1: line 3: regress.mlir:4:5: "
                         "word 41 is outside [0, 40)");
  outcome = train("--skip-failed");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.errors.find("1 instances failed and were left out"),
            std::string::npos);
  data = file("large.jsonl", "{\"word\":[1],\"target\":1e30}\n");
  expectError(train(""), "update 1: the loss is inf");
}

TEST_F(TrainCommand, CheckpointsThatDoNotFit) {
  std::string folder = " --checkpoint " + path("c") + " ";
  ASSERT_EQ(train("--epochs 2" + folder).status, 0);
  Outcome outcome = train(folder);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.errors.find("has checkpoints of another run"),
            std::string::npos);
  for (auto [arguments, part] :
       {std::pair("--batch 9 ", "batch was 8, but is 9"),
        std::pair("--seed 2 ", "seed was 1, but is 2"),
        std::pair("--optimizer sgd ", "amprt.optimiser is 'adam'"),
        std::pair("--limit 50 ", "data was 90 instances")}) {
    outcome = call("train --data " + data + " --lr 0.02 --epochs 3 --resume" +
                   folder +
                   (std::string(arguments).substr(0, 7) == "--batch"
                        ? arguments
                        : std::string("--batch 8 ") + arguments));
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.errors.find(part), std::string::npos) << outcome.errors;
  }
  // A broken newest one is told of, and the one before is used.
  fs::resize_file(path("c/checkpoint-000000000024.safetensors"), 1000);
  outcome = train("--epochs 2 --resume" + folder);
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_NE(outcome.errors.find("passed over a broken checkpoint"),
            std::string::npos);
  EXPECT_NE(outcome.errors.find("after update 12"), std::string::npos);
}

TEST_F(TrainCommand, FullDiskLeavesTheOldCheckpoint) {
  std::string rest = "--epochs 2 --resume --checkpoint " + path("c");
  ASSERT_EQ(train("--epochs 1 --checkpoint " + path("c")).status, 0);
  std::string old = path("c/checkpoint-000000000012.safetensors");
  std::string before = readText(old);
  Outcome outcome = call("info >/dev/null; ulimit -f 1; trap '' XFSZ; " +
                         std::string(AMPRT_TEST_REGRESS) + " train --data " +
                         data + " --lr 0.02 --batch 8 " + rest);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.errors.find("cannot write '"), std::string::npos)
      << outcome.errors;
  EXPECT_EQ(readText(old), before);
  for (const auto &entry : fs::directory_iterator(path("c")))
    EXPECT_EQ(entry.path().filename().string().find(".tmp"), std::string::npos);
  EXPECT_EQ(train(rest).status, 0);
  outcome = train("--epochs 1 --output /dev/full");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.errors.find("/dev/full"), std::string::npos);
}

TEST_F(TrainCommand, InfoAndBench) {
  Outcome outcome = call("info");
  EXPECT_NE(
      outcome.output.find("loss: loss; entries: predict, evaluate, train"),
      std::string::npos);
  json info = json::parse(call("info --json").output);
  EXPECT_EQ(info["entries"]["train"]["loss"], "loss");
  EXPECT_EQ(info["entries"]["predict"]["loss"], nullptr);
  outcome = call("bench --train --json --batch 16 --repeats 2 --input " + data);
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  json report = json::parse(outcome.output);
  EXPECT_EQ(report["job"], "train");
  EXPECT_EQ(report["batch"], 16);
  EXPECT_GT(report["instances_per_s"], 0);
  EXPECT_LE(report["update_seconds"]["min"], report["update_seconds"]["max"]);
  EXPECT_GT(report["cell_seconds"], 0);
  EXPECT_LT(report["cell_seconds"], report["worker_seconds"]);
  outcome = call("bench --train --input " + data);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.output.find("% of the workers' time in cells"),
            std::string::npos);
  EXPECT_EQ(call("bench --batch 16 --input " + data).status, 2);
  // The other program was not made for it.
  for (const char *command :
       {"train --data x", "bench --train", "run --evaluate"}) {
    outcome = run(std::string(command) + (*command == 't' ? "" : " -i x"));
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.errors.find("compiled without --train"),
              std::string::npos)
        << outcome.errors;
  }
  EXPECT_NE(run("info").output.find("compiled without --train"),
            std::string::npos);
}

//===----------------------------------------------------------------------===//
// Signals
//===----------------------------------------------------------------------===//

class TrainSignals : public TrainCommand {
protected:
  std::vector<std::string> more; ///< Arguments.

  std::vector<std::string> arguments(const std::string &name) const {
    std::vector<std::string> all = {"regress",
                                    "train",
                                    "--data",
                                    data,
                                    "--dev",
                                    dev,
                                    "--lr",
                                    "0.01",
                                    "--batch",
                                    "2",
                                    "--epochs",
                                    "40",
                                    "--checkpoint",
                                    path(name),
                                    "--checkpoint-every",
                                    "7",
                                    "--resume",
                                    "-q",
                                    "--output",
                                    path(name + ".l"),
                                    "--save-weights",
                                    path(name + ".w")};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  pid_t start(const std::string &name) {
    std::vector<std::string> texts = arguments(name);
    std::vector<char *> pointers;
    for (std::string &text : texts)
      pointers.push_back(text.data());
    pointers.push_back(nullptr);
    pid_t child = ::fork();
    if (child == 0) {
      ::dup2(::open(path("stderr").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600),
             2);
      std::signal(SIGINT, SIG_DFL);
      ::execv(AMPRT_TEST_REGRESS, pointers.data());
      ::_exit(99);
    }
    return child;
  }
  static int waitFor(pid_t child) {
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  void killAtAnyTime();
};

/// Whenever training is killed, it goes on to the same weights. The number of
/// kills: AMPRT_TEST_KILLS, or 10.
void TrainSignals::killAtAnyTime() {
  auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(waitFor(start("whole")), 0) << readText(path("stderr"));
  auto whole = std::chrono::steady_clock::now() - begin;
  const char *text = std::getenv("AMPRT_TEST_KILLS");
  int wanted = text ? std::atoi(text) : 10, kills = 0, rounds = 0;
  std::mt19937 random(7);
  while (kills < wanted) {
    std::string name = "killed" + std::to_string(rounds++);
    ASSERT_LT(rounds, wanted + 100) << "it ends before it can be killed";
    for (int status = -SIGKILL; status == -SIGKILL;) {
      pid_t child = start(name);
      std::this_thread::sleep_for(whole * double(random() % 1000) / 1500);
      if (kills < wanted)
        ::kill(child, SIGKILL);
      status = waitFor(child);
      kills += status == -SIGKILL;
      ASSERT_TRUE(status == 0 || status == -SIGKILL)
          << status << readText(path("stderr"));
    }
    ASSERT_EQ(readText(path("whole.w")), readText(path(name + ".w")));
    ASSERT_EQ(readText(path("whole.l")), readText(path(name + ".l")));
    ASSERT_EQ(readText(path("whole/best.safetensors")),
              readText(path(name + "/best.safetensors")));
    fs::remove_all(path(name));
  }
}

TEST_F(TrainSignals, KilledAtAnyTime) { killAtAnyTime(); }

/// The same where most checkpoints are made amid an epoch, while rows of
/// gradients wait.
TEST_F(TrainSignals, AsynchronousKilledAtAnyTime) {
  more = {"--mode",    "async", "--max-active-keys",      "1",
          "--workers", "2",     "--min-update-frequency", "30,E=7"};
  killAtAnyTime();
}

TEST_F(TrainCommand, AsynchronousCheckpointsAmidAnEpoch) {
  std::string settings = "--mode async --max-active-keys 1 "
                         "--min-update-frequency 30 --optimizer adam ";
  auto files = [&](const std::string &name) {
    return " --save-weights " + path(name + ".w") + " --output " +
           path(name + ".l") + " --keep 1000 --checkpoint " + path(name);
  };
  ASSERT_EQ(train(settings + "--epochs 2" + files("a")).status, 0);
  ASSERT_EQ(
      train(settings + "--epochs 2 --checkpoint-every 20" + files("b")).status,
      0);
  EXPECT_EQ(readText(path("a.w")), readText(path("b.w")));
  EXPECT_EQ(readText(path("a.l")), readText(path("b.l")));
  std::vector<std::string> names;
  for (const fs::directory_entry &entry : fs::directory_iterator(path("b")))
    names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  ASSERT_GT(names.size(), 3u); // Two are of the ends of epochs.
  // As if killed after the first; what it has told is cut off then.
  fs::create_directory(path("c"));
  fs::copy(path("b/" + names.front()), path("c"));
  fs::copy(path("b.l"), path("c.l"));
  Outcome outcome = train(settings + "--epochs 2 --resume" + files("c"));
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_NE(outcome.errors.find("resumed from"), std::string::npos);
  EXPECT_EQ(readText(path("a.w")), readText(path("c.w")));
  EXPECT_EQ(readText(path("a.l")), readText(path("c.l")));
  outcome = train(settings + "--checkpoint-every 20 --record " + path("r") +
                  files("d"));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.errors.find("neither recorded nor repeated"),
            std::string::npos)
      << outcome.errors;
}

TEST_F(TrainSignals, InterruptedLeavesACheckpoint) {
  ASSERT_EQ(waitFor(start("whole")), 0) << readText(path("stderr"));
  int interrupted = 0;
  for (int signal : {SIGINT, SIGTERM}) {
    std::string name = "s" + std::to_string(signal);
    pid_t child = start(name);
    // As soon as there is a first checkpoint.
    while (!fs::exists(path(name + "/checkpoint-000000000007.safetensors")) &&
           ::kill(child, 0) == 0)
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    ::kill(child, signal);
    int status = waitFor(child);
    if (status == 128 + signal) {
      ++interrupted;
      EXPECT_NE(readText(path("stderr")).find("--resume goes on from there"),
                std::string::npos);
      ASSERT_EQ(waitFor(start(name)), 0) << readText(path("stderr"));
    }
    EXPECT_EQ(readText(path("whole.w")), readText(path(name + ".w")));
  }
  EXPECT_GT(interrupted, 0);
}

} // namespace
