// SPDX-License-Identifier: Apache-2.0
#include "memory/stream_kernels.cuh"

#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <ridge/gpu/memory.hpp>

#include "memory/stream_check.cuh"
#include "tests/skip_without_gpu.hpp"

namespace ridge::backends::probe_cuda {
namespace {

constexpr traffic kinds[] = {traffic::read, traffic::write, traffic::copy, traffic::triad};

// The table of trials could not distinguish two variants of one name.
TEST(stream_variants, have_names_of_their_own) {
  for (const auto kind : kinds) {
    std::set<std::string> names;
    for (const auto& v : variants_of(kind)) EXPECT_TRUE(names.insert(name(v)).second) << name(v);
    for (const auto& v : bulk_variants_of(kind)) EXPECT_TRUE(names.insert(name(v)).second) << name(v);
  }
}

TEST(stream_variants, take_whole_pieces_of_a_mebibyte_and_fit_in_shared_memory) {
  for (const auto kind : kinds) {
    for (const auto& v : variants_of(kind)) {
      EXPECT_EQ((std::size_t{1} << 20) % (v.threads * v.vectors * v.vector_bytes), 0) << name(v);
    }
    for (const auto& v : bulk_variants_of(kind))
      EXPECT_LE(std::size_t{v.vectors} * v.vector_bytes * (v.order == walk::many ? 1 : v.count), 220u << 10)
          << name(v);
  }
}

// With 9 MiB the pieces do not divide evenly among the blocks.
TEST(stream_variants, do_what_they_are_for) {
  RIDGE_SKIP_WITHOUT_GPU();
  constexpr std::size_t bytes = std::size_t{9} << 20;
  const gpu::device_memory a(bytes), b(bytes), target(bytes), sums(4 * sums_words), scratch(256);
  fill_random(a.data(), bytes, 1, nullptr);
  fill_random(b.data(), bytes, 2, nullptr);
  const stream_arrays arrays{a.as<const uint4>(), b.as<const uint4>(), target.as<uint4>(),
                             sums.as<std::uint32_t>(), bytes};
  cudaDeviceProp gpu{};
  ASSERT_EQ(cudaGetDeviceProperties(&gpu, 0), cudaSuccess);
  for (const auto kind : kinds) {
    for (const auto& all : {variants_of(kind), bulk_variants_of(kind)}) {
      for (const auto& v : all) {
        if (v.least_major > gpu.major) continue;
        EXPECT_NO_THROW(verify(v, kind, arrays, gpu.multiProcessorCount, scratch.as<std::uint32_t>()))
            << name(v);
      }
    }
  }
}

TEST(sum_of_words, is_the_hosts) {
  RIDGE_SKIP_WITHOUT_GPU();
  std::vector<std::uint32_t> words(100'003);
  std::iota(words.begin(), words.end(), 4'000'000'000u);
  const gpu::device_memory on_device(words.size() * 4), scratch(256);
  ASSERT_EQ(cudaMemcpy(on_device.data(), words.data(), words.size() * 4, cudaMemcpyHostToDevice),
            cudaSuccess);
  EXPECT_EQ(sum_of_words(on_device.data(), words.size(), scratch.as<std::uint32_t>()),
            std::accumulate(words.begin(), words.end(), std::uint32_t{0}));
}

TEST(verify, sees_a_copy_that_did_not_happen) {
  RIDGE_SKIP_WITHOUT_GPU();
  constexpr std::size_t bytes = std::size_t{1} << 20;
  const gpu::device_memory a(bytes), target(bytes), scratch(256);
  fill_random(a.data(), bytes, 1, nullptr);
  const stream_arrays arrays{a.as<const uint4>(), nullptr, target.as<uint4>(), nullptr, bytes};
  stream_variant nothing = variants_of(traffic::copy).front();
  nothing.launch = [](const stream_variant&, const stream_arrays&, int, cudaStream_t) {};
  EXPECT_ANY_THROW(verify(nothing, traffic::copy, arrays, 1, scratch.as<std::uint32_t>()));
}

}  // namespace
}  // namespace ridge::backends::probe_cuda
