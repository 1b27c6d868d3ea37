// SPDX-License-Identifier: Apache-2.0
#include <ridge/device/conformance.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include <ridge/base/with_dtype.hpp>
#include <ridge/device/digest.hpp>
#include <ridge/device/fill.hpp>

namespace ridge::device::conformance {
namespace {

constexpr dtype all_types[] = {dtype::u8,   dtype::i8,   dtype::u16,  dtype::i16,  dtype::u32,
                               dtype::i32,  dtype::u64,  dtype::i64,  dtype::e4m3, dtype::e5m2,
                               dtype::fp16, dtype::bf16, dtype::fp32, dtype::fp64};

std::vector<std::byte> content(device& subject, std::span<const std::byte> source) {
  std::vector<std::byte> all(source.size());
  subject.copy_to_host(all, source);
  return all;
}

std::unique_ptr<array> holding(device& subject, std::span<const std::byte> bytes) {
  auto made = subject.allocate({.bytes = bytes.size()});
  subject.copy_from_host(made->bytes(), bytes);
  return made;
}

void expect_shape(device& subject, const array_request& request) {
  const auto first = subject.allocate(request), second = subject.allocate(request);
  ASSERT_EQ(first->bytes().size(), request.bytes);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first->bytes().data()) % request.alignment, 0u);
  subject.poison(first->bytes());
  const std::vector<std::byte> zeros(request.bytes);
  subject.copy_from_host(second->bytes(), zeros);
  EXPECT_EQ(content(subject, first->bytes()), std::vector<std::byte>(request.bytes, std::byte{0xFF}));
  EXPECT_EQ(content(subject, second->bytes()), zeros);
  EXPECT_EQ(first->damage() + second->damage(), "") << request.bytes;
}

void expect_damage_seen(device& subject, std::size_t bytes) {
  const auto made = subject.allocate({.bytes = bytes});
  const auto payload = made->bytes();
  const std::byte wrong[] = {std::byte{1}, std::byte{2}, std::byte{3}};
  const auto kept = content(subject, {payload.data() + bytes, 8});
  subject.copy_from_host({payload.data() + bytes + 4, 3}, wrong);
  EXPECT_EQ(made->damage(), "3 bytes after the end, first at +4");
  subject.copy_from_host({payload.data() + bytes, 8}, kept);
  EXPECT_EQ(made->damage(), "");
  subject.copy_from_host({payload.data() - 3, 3}, wrong);
  EXPECT_EQ(made->damage(), "3 bytes before the start, last at -1");
}

void expect_filled(device& subject, dtype type, const distribution& d) {
  constexpr std::size_t count = 3001;
  std::vector<std::byte> expected(count * size_of(type));
  fill(expected, type, d, 77);
  const auto made = subject.allocate({.bytes = expected.size()});
  const auto at = made->bytes();
  const std::size_t cut = 1003 * size_of(type);
  subject.fill(at.first(cut), type, d, 77, 0, count);
  subject.fill(at.subspan(cut), type, d, 77, 1003, count);
  EXPECT_EQ(content(subject, at), expected) << name(type) << " " << text(d) << " in parts";
  subject.fill(at, type, d, 77);
  EXPECT_EQ(content(subject, at), expected) << name(type) << " " << text(d);
  EXPECT_EQ(made->damage(), "");
}

std::uint64_t digest_of(device& subject, std::span<const std::byte> bytes) {
  const auto made = holding(subject, bytes);
  const auto at_subject = subject.digest(made->bytes());
  EXPECT_EQ(at_subject, digest(bytes)) << bytes.size() << " bytes";
  return at_subject;
}

std::vector<std::byte> random_bytes(std::size_t n) {
  std::vector<std::byte> all(n);
  fill(all, dtype::u8, random_bits{}, 9);
  return all;
}

template <class T>
void expect_sums_of(device& subject, std::span<const T> values, std::size_t blocks) {
  const auto made = holding(subject, std::as_bytes(values));
  const auto sums = subject.block_sums(made->bytes(), dtype_of<T>, blocks);
  const std::size_t part = (values.size() + blocks - 1) / blocks;
  ASSERT_EQ(sums.size(), blocks);
  for (std::size_t b = 0; b < blocks; ++b) {
    block_sum e;
    for (std::size_t i = b * part; i < std::min((b + 1) * part, values.size()); ++i, ++e.count) {
      const auto x = static_cast<double>(values[i]);
      if (std::isfinite(x))
        e.sum += x, e.sum_abs += std::fabs(x);
      else
        ++e.not_finite;
    }
    EXPECT_NEAR(sums[b].sum, e.sum, 1e-13 * e.sum_abs) << name(dtype_of<T>) << " block " << b;
    EXPECT_NEAR(sums[b].sum_abs, e.sum_abs, 1e-13 * e.sum_abs);
    EXPECT_EQ(sums[b].count, e.count);
    EXPECT_EQ(sums[b].not_finite, e.not_finite);
  }
  const auto again = subject.block_sums(made->bytes(), dtype_of<T>, blocks);
  for (std::size_t b = 0; b < blocks; ++b) EXPECT_EQ(again[b].sum, sums[b].sum);
}

}  // namespace

void expect_arrays(device& subject) {
  for (const std::size_t bytes : {0u, 1u, 2u, 63u, 64u, 4095u, 4096u, 100000u}) {
    for (const placement where :
         {placement::ordinary, placement::small_pages, placement::huge_pages, placement::pinned}) {
      expect_shape(subject, {.bytes = bytes, .placement = where});
    }
    expect_shape(subject, {.bytes = bytes, .alignment = 4096});
    expect_shape(subject, {.bytes = bytes, .alignment = 1, .guard = guard::pages});
    expect_shape(subject, {.bytes = bytes / 8 * 8, .alignment = 8, .guard = guard::pages});
    expect_damage_seen(subject, bytes);
  }
}

void expect_contents(device& subject) {
  for (const dtype type : {dtype::e4m3, dtype::e5m2, dtype::fp16, dtype::bf16, dtype::fp32, dtype::fp64}) {
    for (const distribution& d :
         {distribution(normal{}), distribution(normal{0.1, 0.7}), distribution(uniform{-1, 2}),
          distribution(integers{5}), distribution(constant{1.5})}) {
      expect_filled(subject, type, d);
    }
  }
  for (const dtype type : {dtype::u8, dtype::u16, dtype::u32, dtype::u64})
    expect_filled(subject, type, random_bits{});
  for (const dtype type : {dtype::i16, dtype::i32, dtype::u64}) {
    expect_filled(subject, type, permutation{});
    expect_filled(subject, type, integers{32767});
  }
  expect_filled(subject, dtype::i64, integers{std::uint64_t{1} << 40});
}

void expect_digests(device& subject) {
  for (const std::size_t n : {0u, 1u, 7u, 8u, 255u, 256u, 257u, 65535u, 65536u, 65537u, 200001u}) {
    (void)digest_of(subject, random_bytes(n));
  }
  auto bytes = random_bytes(70000);
  const auto before = digest_of(subject, bytes);
  std::mt19937 random(3);
  for (int i = 0; i < 64; ++i) {
    const std::size_t bit = random() % (bytes.size() * 8);
    const auto flip = static_cast<std::byte>(1 << bit % 8);
    bytes[bit / 8] ^= flip;
    EXPECT_NE(digest_of(subject, bytes), before) << "bit " << bit;
    bytes[bit / 8] ^= flip;
  }
  const std::vector<std::byte> zeros(300);
  EXPECT_NE(digest_of(subject, std::span(zeros).first(299)), digest_of(subject, zeros));
  for (const std::size_t block : {1u, 4u, 8u, 64u, 256u, 1024u}) {
    auto swapped = bytes;
    std::swap_ranges(swapped.begin(), swapped.begin() + static_cast<std::ptrdiff_t>(block),
                     swapped.end() - 4096);
    EXPECT_NE(digest_of(subject, swapped), before) << block << " bytes swapped";
  }
}

void expect_enqueued_results(device& subject) {
  const auto bytes = random_bytes(70000);
  const auto made = subject.allocate({.bytes = bytes.size()});
  subject.copy_from_host(made->bytes(), bytes);
  const auto whole = subject.digest(made->bytes());
  const auto sums = subject.block_sums(made->bytes(), dtype::i32, 3);
  subject.enqueue_digest(made->bytes());
  subject.enqueue_block_sums(made->bytes(), dtype::i32, 3);
  subject.enqueue_digest(made->bytes().first(0));
  subject.poison(made->bytes());  // after what was enqueued
  subject.enqueue_digest(made->bytes());
  const auto digests = subject.take_digests();
  ASSERT_EQ(digests.size(), 3u);
  EXPECT_EQ(digests[0], whole);
  EXPECT_NE(digests[1], whole);
  EXPECT_NE(digests[2], whole);
  const auto all_sums = subject.take_block_sums();
  ASSERT_EQ(all_sums.size(), 1u);
  ASSERT_EQ(all_sums[0].size(), sums.size());
  for (std::size_t b = 0; b < sums.size(); ++b) EXPECT_EQ(all_sums[0][b].sum, sums[b].sum);
  EXPECT_TRUE(subject.take_digests().empty()) << "taken once";
  EXPECT_TRUE(subject.take_block_sums().empty());
}

void expect_block_sums(device& subject) {
  for (const dtype type : all_types) {
    with_dtype(type, [&]<class T>() {
      std::vector<T> values(3333);
      const auto bytes = std::as_writable_bytes(std::span(values));
      if constexpr (std::is_integral_v<T>)
        fill(bytes, type, integers{100}, 5);
      else
        fill(bytes, type, normal{}, 5);
      for (const std::size_t blocks : {1u, 2u, 7u, 64u}) expect_sums_of<T>(subject, values, blocks);
      expect_sums_of<T>(subject, std::span<const T>(), 3);
      expect_sums_of<T>(subject, std::span<const T>(values).first(2), 5);
    });
  }
  std::vector<float> values(1000, 1.0f);
  values[3] = std::numeric_limits<float>::quiet_NaN();
  values[999] = -std::numeric_limits<float>::infinity();
  expect_sums_of<float>(subject, values, 1);
  expect_sums_of<float>(subject, values, 10);
}

void expect_time_and_eviction(device& subject) {
  const auto bytes = random_bytes(5000);
  const auto made = holding(subject, bytes);
  const timestamp a = subject.mark();
  subject.evict();
  const timestamp b = subject.mark();
  EXPECT_EQ(content(subject, made->bytes()), bytes);
  const timestamp c = subject.mark();
  subject.synchronize();
  EXPECT_GE(subject.seconds_between(a, b), 0);
  EXPECT_GE(subject.seconds_between(b, c), 0);
  EXPECT_EQ(subject.seconds_between(a, c), -subject.seconds_between(c, a));
  EXPECT_NEAR(subject.seconds_between(a, b) + subject.seconds_between(b, c), subject.seconds_between(a, c),
              1e-6);
  EXPECT_GT(subject.last_level_cache_bytes(), 0u);
  EXPECT_GT(subject.memory_bytes(), std::size_t{1} << 20);
  EXPECT_FALSE(subject.name().empty());
}

void expect_device(device& subject) {
  expect_arrays(subject);
  expect_contents(subject);
  expect_digests(subject);
  expect_block_sums(subject);
  expect_enqueued_results(subject);
  expect_time_and_eviction(subject);
}

}  // namespace ridge::device::conformance
