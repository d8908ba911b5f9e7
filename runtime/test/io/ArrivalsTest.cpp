//===- ArrivalsTest.cpp - Requests that come over time --------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computers that run tests are busy: nothing here depends on how late a thing
// is, only on that it is not early.
//
//===----------------------------------------------------------------------===//

#include "Arrivals.h"
#include "Program.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

using namespace amprt;
using namespace amprt::test;
using nlohmann::json;

namespace {

cli::Arrivals arrivalsOf(const std::string &spec, uint64_t seed = 1,
                         double timeScale = 1) {
  cli::Options options;
  options.arrivals = spec;
  options.seed = seed;
  options.timeScale = timeScale;
  Expected<cli::Arrivals> arrivals = cli::openArrivals(options);
  EXPECT_TRUE(arrivals.ok()) << arrivals.status().message();
  return arrivals.ok() ? *arrivals : nullptr;
}

TEST(Arrivals, Poisson) {
  cli::Arrivals first = arrivalsOf("poisson:50"), same = first,
                other = arrivalsOf("poisson:50", 2),
                fast = arrivalsOf("poisson:50", 1, 4);
  double last = 0, squares = 0;
  bool differ = false;
  constexpr int count = 20000;
  for (int i = 0; i < count; ++i) {
    double time = *first();
    EXPECT_GE(time, last);
    squares += (time - last) * (time - last);
    last = time;
    EXPECT_EQ(*same(), time);
    differ |= *other() != time;
    EXPECT_NEAR(*fast(), time / 4, 1e-9 * time);
  }
  EXPECT_TRUE(differ);
  // Of exponential gaps the mean square is twice the square of the mean.
  EXPECT_NEAR(last / count, 0.02, 0.001);
  EXPECT_NEAR(squares / count, 2 * 0.02 * 0.02, 0.0001);
}

TEST(Arrivals, Durations) {
  cli::Durations durations;
  EXPECT_TRUE(std::isnan(durations.percentile(0.5)));
  EXPECT_TRUE(std::isnan(durations.max()));
  std::mt19937 random(1);
  std::vector<double> all;
  for (int i = 0; i < 10000; ++i) {
    // From a nanosecond to minutes.
    double seconds = std::exp(double(random() % 25000) / 1000 - 20.7);
    all.push_back(seconds);
    durations.add(seconds);
  }
  std::sort(all.begin(), all.end());
  for (double share : {0.001, 0.25, 0.5, 0.9, 0.99, 1.0}) {
    double exact = all[static_cast<size_t>(std::ceil(share * 10000)) - 1];
    EXPECT_GE(durations.percentile(share), exact - 1e-9);
    EXPECT_LE(durations.percentile(share), exact * 1.01 + 1e-9);
  }
  EXPECT_NEAR(durations.max(), all.back(), 1e-9);
  EXPECT_EQ(durations.count(), 10000u);
  durations.add(-1); // A clock that stands still is no reason to fail.
  durations.add(1e300);
  EXPECT_GE(durations.max(), 9e8);
}

class ArrivalsRun : public ProgramTest {
protected:
  std::string input(int count) {
    std::string text;
    for (int i = 0; i < count; ++i)
      text += "{\"mode\":0,\"x\":[[" + std::to_string(i) + ",0]]}\n";
    return text;
  }

  json stats() { return json::parse(readText(path("s.json"))); }

  std::string options() {
    return "run -q -w " + weights() + " --stats " + path("s.json") + " ";
  }
};

TEST_F(ArrivalsRun, SameResultsInTheSameOrder) {
  std::string text = input(200) + R"({"mode":1,"x":[]})" + "\n{\n" + input(9);
  Outcome plain = run(options(), text);
  EXPECT_EQ(plain.status, 1);
  EXPECT_FALSE(stats().contains("latency_us"));
  for (const char *more : {"", "--policy none", "--policy depth --workers 3",
                           "--max-in-flight 1 --workers 2", "--max-batch 2"}) {
    Outcome outcome = run(options() + "--arrivals poisson:5000 " + more, text);
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.output, plain.output);
    EXPECT_EQ(outcome.errors, plain.errors);
  }
  json latency = stats()["latency_us"];
  EXPECT_GT(latency["p50"], 0);
  EXPECT_GT(latency["mean"], 0);
  EXPECT_LE(latency["p50"], latency["p90"]);
  EXPECT_LE(latency["p90"], latency["p99"]);
  EXPECT_LE(latency["p99"], latency["max"]);
  EXPECT_GT(stats()["mean_open"], 0);
  EXPECT_GE(stats()["mean_waiting"], 0);
  EXPECT_EQ(stats()["arrivals"], "poisson:5000");
}

TEST_F(ArrivalsRun, NeverEarlier) {
  std::string times = file("times", "0\n 0.05\r\n\n1e-1\n0.1\n");
  Outcome outcome = run(options() + "--arrivals " + times, input(4));
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_GE(stats()["seconds"], 0.1);
  outcome = run(options() + "--time-scale 0.5 --arrivals " + times, input(4));
  EXPECT_GE(stats()["seconds"], 0.2);
  // 200 seconds in a tenth of one.
  times = file("times", "100\n200\n300");
  outcome = run(options() + "--time-scale 2000 --arrivals " + times, input(2));
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_GE(stats()["seconds"], 0.1);
  EXPECT_EQ(stats()["time_scale"], 2000);
}

/// The time that an instance waits for another one counts.
TEST_F(ArrivalsRun, LatencyIsFromTheArrival) {
  std::string slow = R"({"mode":4,"x":[]})"; // 100 ms.
  Outcome outcome = run(options() + "--max-in-flight 1 --arrivals " +
                            file("times", "0\n0\n0\n"),
                        slow + "\n" + slow + "\n" + slow + "\n");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_GE(stats()["latency_us"]["p50"], 200e3);
  EXPECT_GE(stats()["latency_us"]["max"], 300e3);
  EXPECT_LE(stats()["mean_open"], 1);
  EXPECT_GT(stats()["mean_waiting"], 0);
}

TEST_F(ArrivalsRun, Summary) {
  Outcome outcome =
      run("run --arrivals poisson:10000 -w " + weights(), input(50));
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.errors.find("scale: 50 instances in "), std::string::npos);
  EXPECT_NE(outcome.errors.find("milliseconds from arrival to result: 50% "),
            std::string::npos);
}

TEST_F(ArrivalsRun, BadSpecs) {
  auto expectError = [&](const std::string &arguments,
                         const std::string &message) {
    Outcome outcome = run("run -q -w " + weights() + " " + arguments, twoLines);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_EQ(outcome.output, "");
    EXPECT_NE(outcome.errors.find("scale: " + message), std::string::npos)
        << outcome.errors;
  };
  for (const char *rate : {"", "0", "-3", "x", "1x", "inf", "nan"})
    expectError(std::string("--arrivals poisson:") + rate,
                std::string("--arrivals poisson:") + rate +
                    ": the rate must be a number of requests a second");
  expectError("--arrivals /nowhere/a",
              "cannot open '/nowhere/a': No such file or directory");
  auto expectBad = [&](const std::string &times, const std::string &message) {
    std::string path = file("times", times);
    expectError("--arrivals " + path, "'" + path + "', " + message);
  };
  expectBad("0\n1\n0.5\n", "line 3: the time 0.5 is earlier than the one "
                           "before it, 1");
  expectBad("-1\n", "line 1: the time -1 is not in [0, ");
  expectBad("0\n1e10\n", "line 2: the time 1e10 is not in [0, ");
  expectBad("0\n\n1 2\n", "line 3: expected a time in seconds, but got '1 2'");
  expectBad("nan\n", "line 1: expected a time in seconds, but got 'nan'");
  expectBad(std::string(5000, '1'), "line 1: expected a time in seconds");
  expectError("--arrivals -", "--input and --arrivals cannot both be standard "
                              "input");
  expectError("--time-scale 2", "--time-scale requires --arrivals");
  expectError("--arrivals poisson:1 --time-scale 0", "");
  std::string path = file("times", "0\n1\n");
  expectError("--arrivals " + path + " -o " + path,
              "--output and --arrivals are the same file");
  EXPECT_EQ(readText(path), "0\n1\n");
}

TEST_F(ArrivalsRun, TooFewTimes) {
  std::string path = file("times", "0\n0\n");
  Outcome outcome = run(options() + "--arrivals " + path, "\n" + input(3));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.output, "{\"y\":[[10.0,20.0]],\"n\":1}\n"
                            "{\"y\":[[12.0,20.0]],\"n\":1}\n");
  EXPECT_EQ(outcome.errors,
            "scale: '" + path +
                "' has no arrival time for the instance of line 4; the output "
                "is incomplete\n");
  // A time for each instance that is taken.
  outcome = run(options() + "--skip 2 --limit 2 --arrivals " + path, input(9));
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
}

TEST_F(ArrivalsRun, InterruptEndsTheWaiting) {
  Piped program(weights(), path("stderr"),
                {"--arrivals", file("times", "0\n0\n100000\n")});
  program.send(input(3));
  std::string seen;
  while (std::count(seen.begin(), seen.end(), '\n') < 2)
    seen += program.readSome();
  ASSERT_EQ(::kill(program.child, SIGINT), 0);
  EXPECT_EQ(program.readSome(), "");
  EXPECT_EQ(program.end(), 130);
  EXPECT_EQ(readText(path("stderr")),
            "scale: interrupted after 2 instances; the output is incomplete\n");
  ::close(program.input);
}

} // namespace
