// SPDX-License-Identifier: Apache-2.0
#include "memory/cache_kernels.cuh"

#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include <ridge/gpu/memory.hpp>

#include "memory/stream_check.cuh"
#include "tests/skip_without_gpu.hpp"

namespace ridge::backends::probe_cuda {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

TEST(cache_reads, have_names_of_their_own) {
  std::set<std::string_view> names;
  for (const auto& v : cache_reads()) EXPECT_TRUE(names.insert(v.name).second) << v.name;
}

// Otherwise blocks would take the same pieces every time, or read some more often than others.
TEST(cache_reads, take_numbers_of_pieces_that_make_the_walk_even) {
  for (const auto& v : cache_reads()) {
    for (const int processors : {108, 132, 148}) {
      const auto blocks = blocks_of(v, processors), pieces = pieces_in(v, 24 * mebibyte, processors);
      EXPECT_GT(pieces * v.piece_bytes(), 22 * mebibyte - blocks * v.piece_bytes()) << v.name;
      if (v.order == cache_walk::together) {
        EXPECT_EQ(std::gcd(pieces, blocks), 1u) << v.name;
      }
      if (v.order == cache_walk::own) {
        EXPECT_EQ(pieces % blocks, 0u) << v.name;
      }
    }
  }
}

TEST(cache_reads, read_every_piece_equally_often) {
  RIDGE_SKIP_WITHOUT_GPU();
  constexpr std::size_t room = 40 * mebibyte;
  constexpr int processors = 7;
  const gpu::device_memory array(room), sums(4 * sums_words), scratch(256);
  auto* const word = scratch.as<std::uint32_t>();
  auto* const found = sums.as<std::uint32_t>();
  fill_random(array.data(), room, 1, nullptr);
  for (const auto& v : cache_reads()) {
    const auto pieces = pieces_in(v, 3 * mebibyte, processors);
    ASSERT_EQ(cudaMemset(found, 0, 4 * sums_words), cudaSuccess);
    v.launch(v, array.as<uint4>(), pieces, pieces * v.parts, found, processors, nullptr);
    const auto once = sum_of_words(array.data(), pieces * v.piece_bytes() / 4, word);
    EXPECT_EQ(sum_of_words(found, sums_words, word), blocks_of(v, processors) * v.parts * once) << v.name;
  }
}

}  // namespace
}  // namespace ridge::backends::probe_cuda
