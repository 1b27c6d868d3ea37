// SPDX-License-Identifier: Apache-2.0
#include "memory/stream_kernels.cuh"

#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "allocation/device_memory.hpp"
#include "memory/stream_check.cuh"
#include "tests/skip_without_gpu.hpp"

namespace ridge::backends::probe_cuda {
namespace {

constexpr traffic kinds[] = {traffic::read, traffic::write, traffic::copy, traffic::triad};

// The table of trials would not tell two variants of one name apart.
TEST(stream_variants, have_names_of_their_own) {
  for (const auto what : kinds) {
    std::set<std::string> names;
    for (const auto& v : variants_of(what)) EXPECT_TRUE(names.insert(name(v)).second) << name(v);
    for (const auto& v : bulk_variants_of(what)) EXPECT_TRUE(names.insert(name(v)).second) << name(v);
  }
}

TEST(stream_variants, take_whole_pieces_of_a_mebibyte_and_fit_in_shared_memory) {
  for (const auto what : kinds) {
    for (const auto& v : variants_of(what)) {
      EXPECT_EQ((std::size_t{1} << 20) % (v.threads * v.vectors * v.vector_bytes), 0) << name(v);
    }
    for (const auto& v : bulk_variants_of(what))
      EXPECT_LE(std::size_t{v.vectors} * v.vector_bytes * (v.how == walk::many ? 1 : v.count), 220u << 10)
          << name(v);
  }
}

// 9 MiB: pieces that do not divide evenly among the blocks.
TEST(stream_variants, do_what_they_are_for) {
  RIDGE_SKIP_WITHOUT_GPU();
  constexpr std::size_t bytes = std::size_t{9} << 20;
  const device_memory a(bytes), b(bytes), to(bytes), sums(4 * sums_words), scratch(256);
  fill_random(a.at(), bytes, 1, nullptr);
  fill_random(b.at(), bytes, 2, nullptr);
  const stream_arrays in{static_cast<const uint4*>(a.at()), static_cast<const uint4*>(b.at()),
                         static_cast<uint4*>(to.at()), static_cast<std::uint32_t*>(sums.at()), bytes};
  cudaDeviceProp gpu{};
  ASSERT_EQ(cudaGetDeviceProperties(&gpu, 0), cudaSuccess);
  for (const auto what : kinds) {
    for (const auto& all : {variants_of(what), bulk_variants_of(what)}) {
      for (const auto& v : all) {
        if (v.least_major > gpu.major) continue;
        EXPECT_NO_THROW(
            verify(v, what, in, gpu.multiProcessorCount, static_cast<std::uint32_t*>(scratch.at())))
            << name(v);
      }
    }
  }
}

TEST(sum_of_words, is_the_hosts) {
  RIDGE_SKIP_WITHOUT_GPU();
  std::vector<std::uint32_t> words(100'003);
  std::iota(words.begin(), words.end(), 4'000'000'000u);
  const device_memory on_device(words.size() * 4), scratch(256);
  ASSERT_EQ(cudaMemcpy(on_device.at(), words.data(), words.size() * 4, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(sum_of_words(on_device.at(), words.size(), static_cast<std::uint32_t*>(scratch.at())),
            std::accumulate(words.begin(), words.end(), std::uint32_t{0}));
}

TEST(verify, sees_a_copy_that_did_not_happen) {
  RIDGE_SKIP_WITHOUT_GPU();
  constexpr std::size_t bytes = std::size_t{1} << 20;
  const device_memory a(bytes), to(bytes), scratch(256);
  fill_random(a.at(), bytes, 1, nullptr);
  const stream_arrays in{static_cast<const uint4*>(a.at()), nullptr, static_cast<uint4*>(to.at()), nullptr,
                         bytes};
  stream_variant nothing = variants_of(traffic::copy).front();
  nothing.launch = [](const stream_variant&, const stream_arrays&, int, cudaStream_t) {};
  EXPECT_ANY_THROW(verify(nothing, traffic::copy, in, 1, static_cast<std::uint32_t*>(scratch.at())));
}

}  // namespace
}  // namespace ridge::backends::probe_cuda
