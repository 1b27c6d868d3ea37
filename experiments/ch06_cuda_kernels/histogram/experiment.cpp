// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <ridge/harness/experiment.hpp>
#include <ridge/host/team.hpp>

#include "histogram.hpp"

namespace ridge::experiments::ch06_histogram {
namespace {

void one_table(workload& w, call&) {
  std::ranges::fill(w.counts, 0U);
  for (const auto byte : w.bytes) ++w.counts[byte];
}

constexpr std::size_t tables = 4;

// `own` holds the tables one after the other; equal neighbours are counted in different ones.
void count_in_tables(std::span<const std::uint8_t> bytes, std::span<std::uint32_t> own) {
  std::ranges::fill(own, 0U);
  std::size_t i = 0;
  for (; i + tables <= bytes.size(); i += tables) {
    for (std::size_t t = 0; t < tables; ++t) ++own[t * bins + bytes[i + t]];
  }
  for (; i < bytes.size(); ++i) ++own[bytes[i]];
}

void add_tables(std::span<const std::uint32_t> all, std::span<std::uint32_t> counts) {
  std::ranges::copy(all.first(bins), counts.begin());
  for (std::size_t i = bins; i < all.size(); ++i) counts[i % bins] += all[i];
}

auto four_tables(workload&, setup& s) {
  return [own = s.workspace<std::uint32_t>(tables * bins)](workload& w, call&) {
    count_in_tables(w.bytes, own);
    add_tables(own, w.counts);
  };
}

auto every_core(workload&, setup& s) {
  return [all = s.workspace<std::uint32_t>(tables * bins * as_count(s.threads()))](workload& w, call& c) {
    c.team().run([&](int rank, int ranks) {
      const auto r = as_count(rank), count = as_count(ranks), n = w.bytes.size();
      const auto begin = n * r / count, end = n * (r + 1) / count;
      count_in_tables(w.bytes.subspan(begin, end - begin), all.subspan(r * tables * bins, tables * bins));
    });
    add_tables(all, w.counts);
  };
}

ladder<workload> cpu() {
  return {
      {.name = "one_table",
       .is = role::baseline,
       .idea = "a counter waits for its own last increment where equal bytes follow one another",
       .run = one_table},
      {.name = "four_tables",
       .idea = "neighbouring bytes are counted in different tables, which are added up at the end",
       .run = four_tables},
      {.name = "all_cores",
       .idea = "tables of its own for each core",
       .run = every_core,
       .threads = all_cores},
  };
}

distribution drawn(const problem& p) { return integers{p.text("bytes") == "two" ? 2U : 256U}; }

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch06.histogram",
      .title = "Histogram of bytes",
      .question = "How do privatized bins survive skewed data?",
      .answers = {"B6.4"},
      .tags = {"atomics", "shared-memory", "threads"},
      .axes = {choice("bytes", {"uniform", "two"}),
               on_cuda(
                   values("elements", {1 << 23}, {0, 1, 3, 15, 16, 17, 31, 33, 1023, 16385, 100003, 4194309}),
                   {1 << 28})},
      .make =
          [](const problem& p, memory& m) {
            return workload{m.in<std::uint8_t>(p.count("elements"), drawn(p)), m.out<std::uint32_t>(bins)};
          },
      .work =
          [](const problem& p) {
            return work::streaming(reads<std::uint8_t>(p.count("elements")), writes<std::uint32_t>(bins));
          },
      .oracle =
          [](workload& w) {
            std::array<std::uint32_t, bins> counts{};
            for (const auto byte : w.bytes) ++counts[byte];
            std::ranges::copy(counts, w.counts.begin());
          },
      .within = exact(),
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch06_histogram
