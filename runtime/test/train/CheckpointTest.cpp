//===- CheckpointTest.cpp - Checkpoints, whole and broken -----------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "train/Training.h"

#include "amprt/checkpoints.hpp"
#include "io/Checksum.h"
#include "io/File.h"
#include "io/Safetensors.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

using namespace amprt;
namespace fs = std::filesystem;

namespace {
class CheckpointTest : public testing::Test {
protected:
  void SetUp() override {
    folder = testing::TempDir() + "amprt-checkpoint-" +
             std::to_string(getpid()) + "-" +
             testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder);
    fs::create_directory(folder);
  }
  void TearDown() override { fs::remove_all(folder); }

  std::string path(const std::string &name) const {
    return folder + "/" + name;
  }
  std::vector<unsigned char> read(const std::string &file) const {
    return *readFile(file);
  }
  void write(const std::string &file, const std::vector<unsigned char> &bytes) {
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char *>(bytes.data()),
               std::streamsize(bytes.size()));
  }

  std::string folder;
};
} // namespace

static TrainOptions with(OptimiserKind kind) {
  TrainOptions options;
  options.optimiser.kind = kind;
  options.optimiser.learningRate = 0.01;
  return options;
}

static void train(Trainer &trainer, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; ++i) {
    Minibatch batch(makeSamples(6, i));
    ASSERT_TRUE(trainer.update(batch.examples).ok());
  }
}

TEST(ChecksumTest, KnownValues) {
  auto of = [](std::string_view text) {
    Checksum checksum;
    checksum.add(text);
    return checksum.value();
  };
  EXPECT_EQ(of(""), 0xef46db3751d8e999u);
  EXPECT_EQ(of("a"), 0xd24ec4f1a98c6e5bu);
  EXPECT_EQ(of("abc"), 0x44bc2cf5ad770999u);
  std::string text(1000, 'x');
  for (size_t i = 0; i < text.size(); ++i)
    text[i] = char(i * 7);
  for (size_t cut : {1, 31, 32, 33, 500}) {
    Checksum parts;
    parts.add(std::string_view(text).substr(0, cut));
    parts.add(std::string_view(text).substr(cut));
    EXPECT_EQ(parts.value(), of(text));
  }
}

TEST_F(CheckpointTest, ResumesToTheBit) {
  for (OptimiserKind kind :
       {OptimiserKind::sgd, OptimiserKind::momentum, OptimiserKind::adam,
        OptimiserKind::adamw, OptimiserKind::adagrad})
    for (const amprt_model_t *model :
         {&models::regressModel(), &models::halfRegressModel()}) {
      auto whole = startTrainer(with(kind), *model);
      train(*whole, 1, 10);
      auto first = startTrainer(with(kind), *model);
      train(*first, 1, 5);
      Status saved = first->save(path("c"), {{"epoch", "3"}, {"", "\"x\""}});
      ASSERT_TRUE(saved.ok()) << saved.message();
      auto second = startTrainer(with(kind), *model);
      train(*second, 20, 23); // What it was before does not matter.
      auto notes = second->restore(path("c"));
      ASSERT_TRUE(notes.ok()) << notes.status().message();
      EXPECT_EQ((*notes)["epoch"], "3");
      EXPECT_EQ((*notes)[""], "\"x\"");
      EXPECT_EQ(second->updates(), 4);
      EXPECT_TRUE(isSame(first->weights(), second->weights()));
      train(*second, 5, 10);
      EXPECT_TRUE(isSame(whole->weights(), second->weights()));
      Minibatch some(makeSamples(9, 99));
      EXPECT_EQ(whole->evaluate(some.examples)->lossSum,
                second->evaluate(some.examples)->lossSum);
    }
}

TEST_F(CheckpointTest, IsAWeightsFileToo) {
  auto trainer = startTrainer(with(OptimiserKind::adam));
  train(*trainer, 1, 4);
  ASSERT_TRUE(trainer->save(path("c")).ok());
  ASSERT_TRUE(trainer->weights().save(path("w")).ok());
  auto model = *Model::linked(models::regressModel());
  for (const char *name : {"c", "w"}) {
    auto weights = Weights::load(model, path(name), {});
    ASSERT_TRUE(weights.ok()) << weights.status().message();
    EXPECT_TRUE(weights->initialised().empty());
    EXPECT_EQ(weights->unused().empty(), *name == 'w');
    EXPECT_TRUE(isSame(*weights, trainer->weights()));
  }
}

TEST_F(CheckpointTest, BrokenFilesAreRefused) {
  auto trainer = startTrainer(with(OptimiserKind::adam));
  train(*trainer, 1, 4);
  ASSERT_TRUE(trainer->save(path("c"), {{"note", "text"}}).ok());
  std::vector<unsigned char> whole = read(path("c"));
  auto other = startTrainer(with(OptimiserKind::adam));
  Weights before = other->weights();
  auto refuses = [&](const std::vector<unsigned char> &bytes) {
    write(path("b"), bytes);
    auto status = other->restore(path("b")).status();
    return status.code() == StatusCode::invalidArgument;
  };
  for (size_t size = 0; size < whole.size(); size += 1 + size / 50)
    ASSERT_TRUE(refuses({whole.begin(), whole.begin() + ptrdiff_t(size)}))
        << size;
  for (size_t i = 0; i < whole.size(); i += 1 + i / 100) {
    std::vector<unsigned char> flipped = whole;
    flipped[i] ^= 1 << (i % 8);
    ASSERT_TRUE(refuses(flipped)) << "byte " << i;
  }
  std::vector<unsigned char> longer = whole;
  longer.push_back(0);
  EXPECT_TRUE(refuses(longer));
  ASSERT_TRUE(trainer->weights().save(path("w")).ok());
  EXPECT_STATUS(other->restore(path("w")).status(), StatusCode::invalidArgument,
                "it has no checksum");
  EXPECT_TRUE(isSame(before, other->weights()));
  EXPECT_EQ(other->updates(), 0);
  EXPECT_STATUS(
      startTrainer(with(OptimiserKind::sgd))->restore(path("c")).status(),
      StatusCode::failedPrecondition,
      "amprt.optimiser is 'adam', but must be 'sgd'");
  EXPECT_STATUS(
      startTrainer(with(OptimiserKind::adam), models::halfRegressModel())
          ->restore(path("c"))
          .status(),
      StatusCode::failedPrecondition, "amprt.model is 'regress'");
}

TEST_F(CheckpointTest, FolderKeepsTheLastAndTakesTheNewestWhole) {
  auto trainer = startTrainer(with(OptimiserKind::adam));
  {
    auto opened = CheckpointFolder::open(folder, 3);
    ASSERT_TRUE(opened.ok());
    EXPECT_FALSE(opened->hasAny());
    EXPECT_STATUS(CheckpointFolder::open(folder, 3).status(),
                  StatusCode::failedPrecondition, "in use by another process");
    for (uint32_t i = 1; i <= 5; ++i) {
      train(*trainer, i, i + 1);
      ASSERT_TRUE(opened->save(*trainer, {{"at", std::to_string(i)}}).ok());
    }
    ASSERT_TRUE(opened->saveBest(trainer->weights()).ok());
  }
  auto names = [&] {
    std::vector<std::string> found;
    for (const auto &entry : fs::directory_iterator(folder))
      found.push_back(entry.path().filename());
    std::sort(found.begin(), found.end());
    return found;
  };
  std::vector<std::string> expected = {"best.safetensors",
                                       "checkpoint-000000000003.safetensors",
                                       "checkpoint-000000000004.safetensors",
                                       "checkpoint-000000000005.safetensors"};
  EXPECT_EQ(names(), expected);

  // The newest is cut off, and a killed process has left its temporary file.
  std::string newest = path(expected[3]);
  fs::resize_file(newest, fs::file_size(newest) / 2);
  write(path("checkpoint-000000000006.safetensors.tmp77-0"), {1, 2});
  write(path("checkpoint-x.safetensors"), {1, 2});
  auto opened = CheckpointFolder::open(folder, 3);
  ASSERT_TRUE(opened.ok());
  auto other = startTrainer(with(OptimiserKind::adam));
  auto restored = opened->restoreNewest(*other);
  ASSERT_TRUE(restored.ok());
  EXPECT_EQ(restored->path, path(expected[2]));
  EXPECT_EQ(restored->notes["at"], "4");
  ASSERT_EQ(restored->broken.size(), 1u);
  EXPECT_STATUS(restored->broken[0], StatusCode::invalidArgument, newest);
  expected.push_back("checkpoint-x.safetensors");
  EXPECT_EQ(names(), expected);
  // The broken one gives way to the new one of its number.
  train(*other, 5, 6);
  ASSERT_TRUE(opened->save(*other, {}).ok());
  EXPECT_TRUE(isSame(other->weights(), trainer->weights()));
  EXPECT_EQ(opened->restoreNewest(*other)->path, newest);
}

/// Writes beyond the limit fail as on a full disk.
TEST_F(CheckpointTest, FullDiskLeavesTheOldOne) {
  auto opened = CheckpointFolder::open(folder, 1);
  auto trainer = startTrainer(with(OptimiserKind::adam));
  train(*trainer, 1, 2);
  ASSERT_TRUE(opened->save(*trainer, {}).ok());
  std::string old = path("checkpoint-000000000001.safetensors");
  std::vector<unsigned char> before = read(old);
  train(*trainer, 2, 3);

  auto *handler = std::signal(SIGXFSZ, SIG_IGN);
  struct rlimit usual, small;
  getrlimit(RLIMIT_FSIZE, &usual);
  for (rlim_t limit : {0, 100, 4096}) {
    small = usual;
    small.rlim_cur = limit;
    setrlimit(RLIMIT_FSIZE, &small);
    Status status = opened->save(*trainer, {});
    Status best = opened->saveBest(trainer->weights());
    setrlimit(RLIMIT_FSIZE, &usual);
    EXPECT_STATUS(status, StatusCode::invalidArgument, "cannot write '");
    EXPECT_EQ(best.ok(), limit == 4096) << best.message();
    EXPECT_EQ(read(old), before);
  }
  std::signal(SIGXFSZ, handler);
  size_t files = 0;
  for (const auto &entry : fs::directory_iterator(folder))
    files += entry.path().filename() != "best.safetensors";
  EXPECT_EQ(files, 1u); // No temporary file is left.
  EXPECT_TRUE(opened->save(*trainer, {}).ok());
  EXPECT_FALSE(fs::exists(old));
}
