// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <memory>

#include "clusters/cluster_kernels.hpp"
#include "shared_memory/bulk_kernels.hpp"
#include "shared_memory/shared_kernels.hpp"
#include "synchronization/barrier_kernels.hpp"
#include "tests/on_gpu.hpp"
#include "timing/span_log.hpp"

namespace ridge::backends::probe_cuda {
namespace {

constexpr int rounds = 3;

// The checksum of a thread's loads of 16 bytes from a block of that rank.
float mixed_words(unsigned rank, unsigned thread) {
  unsigned sum = 0;
  for (unsigned r = 0; r < rounds; ++r)
    for (unsigned load = 0; load < loads_per_round; ++load)
      for (unsigned word = 0; word < 4; ++word) {
        const auto at = load_place(thread, load, shared_apart) + round_place(r, round_step, shared_most);
        sum ^= held_word(rank, at / 4 + word);
      }
  return static_cast<float>(sum);
}

// The checksum of a thread's loads of words a stride apart.
float mixed_words_apart(unsigned thread, unsigned stride) {
  unsigned sum = 0;
  for (unsigned r = 0; r < rounds; ++r)
    for (unsigned load = 0; load < loads_per_round; ++load)
      sum ^= held_word(0, thread % 32 * stride + 33 * load + r);
  return static_cast<float>(sum);
}

constexpr std::array some_threads{0u, 1u, 31u, 32u, 777u, 1023u};

class on_chip : public on_gpu {
 protected:
  void SetUp() override {
    on_gpu::SetUp();
    if (IsSkipped()) return;
    results_ = gpu::device_memory(4096 * sizeof(float));
    log_ = std::make_unique<span_log>();
    log_->clear();
  }
  void want_clusters() {
    if (major_ < 9) GTEST_SKIP() << "clusters are of compute capability 9.0";
  }
  kernel_call call(int times) {
    return {.results = results_.as<float>(), .spans = log_->spans(), .processors = 1, .rounds = times};
  }
  double cycles() { return static_cast<double>(read<block_span>(log_->spans(), 1).front().cycles); }
  gpu::device_memory results_{};
  std::unique_ptr<span_log> log_{};
};

TEST_F(on_chip, shared_memory_is_read_as_often_as_counted) {
  EXPECT_EQ(read_shared(call(rounds)), 16.0 * 32 * 1024 * rounds);
  const auto sums = read<float>(results_.as<float>(), on_chip_threads);
  for (const auto thread : some_threads) EXPECT_EQ(sums[thread], mixed_words(0, thread)) << thread;
}

TEST_F(on_chip, words_a_stride_apart_are_read) {
  for (const int stride : {1, 2, 32, 33}) {
    EXPECT_EQ(read_shared_apart(call(rounds), stride), 4.0 * 32 * 1024 * rounds);
    const auto sums = read<float>(results_.as<float>(), on_chip_threads);
    for (const auto thread : some_threads)
      EXPECT_EQ(sums[thread], mixed_words_apart(thread, static_cast<unsigned>(stride))) << thread;
  }
}

// No unit delivers more than 128 bytes per clock; a kernel from whose loop a load was removed would seem to.
TEST_F(on_chip, no_load_is_left_out) {
  constexpr int many = 2000;
  const double shared_bytes_read = read_shared(call(many));
  EXPECT_LT(shared_bytes_read / cycles(), 130);
  const double words_read = read_shared_apart(call(many), 1);
  EXPECT_LT(words_read / cycles(), 130);
  const double in_one_bank = read_shared_apart(call(many / 10), 32);
  EXPECT_LT(in_one_bank / cycles(), 4.2);
  const gpu::device_memory source(l1_bytes);
  const double l1_read = read_l1(call(many), source.as<float>());
  EXPECT_LT(l1_read / cycles(), 130);
}

TEST_F(on_chip, a_block_reads_what_the_next_of_its_cluster_holds) {
  want_clusters();
  if (IsSkipped()) return;
  EXPECT_EQ(read_next_block(call(rounds), 4, 1), 16.0 * 32 * 1024 * 4 * rounds);
  const auto sums = read<float>(results_.as<float>(), 4 * on_chip_threads);
  for (unsigned rank = 0; rank < 4; ++rank)
    for (const auto thread : some_threads)
      EXPECT_EQ(sums[rank * on_chip_threads + thread], mixed_words((rank + 1) % 4, thread)) << rank;
}

TEST_F(on_chip, bulk_copies_bring_the_bytes_of_their_pieces) {
  want_clusters();
  if (IsSkipped()) return;
  constexpr bulk_shape shape{"4 x 16 KiB", 4, 16384, 1};
  constexpr unsigned pieces = 53, blocks = 2;
  const gpu::device_memory source(pieces * shape.bytes);
  for (unsigned piece = 0; piece < pieces; ++piece)
    gpu::check(cudaMemset(source.as<float>() + piece * shape.bytes / sizeof(float),
                          static_cast<int>(piece + 1), shape.bytes),
               "cudaMemset of a piece");
  auto two = call(1);
  two.processors = blocks;
  EXPECT_EQ(read_in_bulk(two, source.as<float>(), pieces * shape.bytes, shape), 64.0 * shape.bytes * blocks);
  const auto seen = read<float>(results_.as<float>(), blocks);
  // Of 64 copies in four stages the 61st is the last one in the first stage, the 64th the last one in the
  // last stage.
  for (unsigned block = 0; block < blocks; ++block) {
    const auto first = (block + 60 * blocks) % pieces + 1, last = (block + 63 * blocks) % pieces + 1;
    EXPECT_EQ(seen[block], static_cast<float>(first + 256 * last)) << block;
  }
}

// Twice as many barriers take twice as long, and each takes some cycles.
TEST_F(on_chip, barriers_are_met_as_often_as_counted) {
  const auto expect_even = [&](const auto& meet) {
    (void)meet(call(10));
    EXPECT_EQ(meet(call(200)), 16.0 * 200);
    const double fewer = cycles();
    (void)meet(call(400));
    EXPECT_NEAR(cycles() / fewer, 2, 0.2);
    EXPECT_GT(fewer / (16.0 * 200), 10);
  };
  expect_even([](const kernel_call& call) { return meet_in_block(call, 256); });
  if (major_ < 9) return;
  expect_even([](const kernel_call& call) { return meet_at_mbarrier(call, 256); });
  expect_even([](const kernel_call& call) { return meet_in_cluster(call, 2); });
}

}  // namespace
}  // namespace ridge::backends::probe_cuda
