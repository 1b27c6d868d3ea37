// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <ridge/host/isa.hpp>
#include <ridge/host/pages.hpp>

#include "memory/memory_kernels.hpp"

namespace ridge::backends::probe_host {
namespace {

constexpr std::size_t n = 4 * kernel_block;

struct three_arrays {
  host::guarded_region a{n * 4, 64}, b{n * 4, 64}, c{n * 4, 64};
  three_arrays() {
    for (std::size_t i = 0; i < n; ++i) {
      a.as<float>()[i] = 5, b.as<float>()[i] = static_cast<float>(i), c.as<float>()[i] = 10;
    }
  }
  void run(array_kernel kernel, std::size_t passes) {
    kernel(a.as<float>().data(), b.as<float>().data(), c.as<float>().data(), n, passes);
  }
};

std::vector<const memory_kernels*> runnable() {
  std::vector<const memory_kernels*> found;
  for (const auto* kernels : all_memory_kernels()) {
    if (kernels->requires_isa.empty() || host::has_isa(kernels->requires_isa)) found.push_back(kernels);
  }
  return found;
}

template <class Wanted>
void expect_written(const memory_kernels& kernels, array_kernel kernel, std::string_view name,
                    std::size_t passes, Wanted wanted) {
  three_arrays arrays;
  arrays.run(kernel, passes);
  for (std::size_t i = 0; i < n; ++i)
    ASSERT_EQ(arrays.a.as<float>()[i], wanted(static_cast<float>(i)))
        << kernels.name << " " << name << " " << i;
  EXPECT_FALSE(arrays.a.damage()) << kernels.name << " " << name;
}

TEST(memory_kernels, each_variant_writes_what_it_says_and_no_more) {
  for (const auto* k : runnable()) {
    for (const auto list : {k->triad, k->triad_streaming})
      for (const auto& one : list) expect_written(*k, one.run, one.name, 2, [](float i) { return i + 30; });
    for (const auto list : {k->copy, k->copy_streaming})
      for (const auto& one : list) expect_written(*k, one.run, one.name, 2, [](float i) { return i; });
    for (const auto list : {k->write, k->write_streaming})
      for (const auto& one : list) expect_written(*k, one.run, one.name, 2, [](float) { return 3.0f; });
  }
}

TEST(memory_kernels, in_place_loops_pass_as_often_as_they_are_told) {
  for (const auto* k : runnable()) {
    expect_written(*k, k->update, "update", 2, [](float) { return 45.0f; });
    expect_written(*k, k->add, "add", 2, [](float i) { return 5 + 2 * i; });
    expect_written(*k, k->add_both, "add both", 2, [](float i) { return 5 + 2 * (i + 30); });
  }
}

TEST(memory_kernels, library_and_instruction_copy) {
  const auto& any = portable_memory_kernels;
  expect_written(any, copy_by_memcpy, "memcpy", 1, [](float i) { return i; });
  expect_written(any, copy_by_rep_movsb, "rep movsb", 2, [](float i) { return i; });
}

TEST(memory_kernels, reading_adds_up_every_element_once_a_pass) {
  for (const auto* k : runnable()) {
    for (const auto& one : k->read) {
      for (const std::size_t passes : {1u, 3u}) {
        const host::region a(64), b(n * 4);
        const auto numbers = b.as<std::uint32_t>();
        for (std::size_t i = 0; i < n; ++i) numbers[i] = static_cast<std::uint32_t>(i);
        one.run(a.as<float>().data(), b.as<float>().data(), b.as<float>().data(), n, passes);
        std::uint32_t sum = 0;
        for (const auto s : a.as<std::uint32_t>()) sum += s;
        EXPECT_EQ(sum, passes * n * (n - 1) / 2) << k->name << " " << one.name;
      }
    }
  }
}

TEST(memory_kernels, loading_ends_with_the_last_elements) {
  for (const auto* k : runnable()) {
    const host::region a(64), b(n * 4);
    for (std::size_t i = 0; i < n; ++i) b.as<float>()[i] = static_cast<float>(i);
    k->load(a.as<float>().data(), b.as<float>().data(), b.as<float>().data(), n, 2);
    EXPECT_GE(a.as<float>()[0], static_cast<float>(n - 16)) << k->name;
    EXPECT_EQ(a.as<float>()[1], a.as<float>()[0] + 1) << k->name;
  }
}

}  // namespace
}  // namespace ridge::backends::probe_host
