// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <ridge/harness/experiment.hpp>

#include "coalescing.hpp"

namespace ridge::experiments::ch07_coalescing {
namespace {

// Words of a CPU's line of 64 bytes.
constexpr std::size_t cpu_line_words = 16;

// Calls `visit` with the index of every word: `Words` of each line before the next `Words` of any.
template <std::size_t Words, class Visit>
void visit_words(std::size_t n, Visit visit) {
  for (std::size_t part = 0; part < cpu_line_words; part += Words) {
    for (std::size_t first = part; first < n; first += cpu_line_words) {
      for (std::size_t i = first; i < std::min(first + Words, n); ++i) visit(i);
    }
  }
}

template <std::size_t Words>
void sum_words(workload& w, call&) {
  std::uint32_t total = 0;
  visit_words<Words>(w.source.size(), [&](std::size_t i) { total += w.source[i]; });
  w.target[0] = total;
}

template <std::size_t Words>
void copy_words(workload& w, call&) {
  visit_words<Words>(w.source.size(), [&](std::size_t i) { w.target[i] = w.source[i]; });
}

template <std::size_t Words>
void fill_words(workload& w, call&) {
  visit_words<Words>(w.target.size(), [&](std::size_t i) { w.target[i] = w.pattern; });
}

void sum_in_order(workload& w, call&) {
  std::uint32_t total = 0;
  for (const auto word : w.source) total += word;
  w.target[0] = total;
}

void copy_in_order(workload& w, call&) { std::ranges::copy(w.source, w.target.begin()); }

void fill_in_order(workload& w, call&) { std::ranges::fill(w.target, w.pattern); }

using pass = void (*)(workload&, call&);

// Why gains over one word a line exceed ten times.
constexpr auto one_word_per_line = "the baseline fetches a line of sixteen words for each one that it uses";

ladder<workload> passes(pass words, pass half_lines, pass in_order) {
  return {
      {.name = "strided",
       .is = role::baseline,
       .idea = "a word of each line of 64 bytes, then the next word of each",
       .run = words},
      {.name = "half_lines",
       .idea = "eight words of each line, then the other eight",
       .run = half_lines,
       .explanation = one_word_per_line},
      {.name = "contiguous",
       .idea = "unit stride, by vectors",
       .run = in_order,
       .explanation = one_word_per_line},
  };
}

}  // namespace

ladder<workload> loads_cpu() { return passes(sum_words<1>, sum_words<8>, sum_in_order); }
ladder<workload> copy_cpu() { return passes(copy_words<1>, copy_words<8>, copy_in_order); }
ladder<workload> stores_cpu() { return passes(fill_words<1>, fill_words<8>, fill_in_order); }

}  // namespace ridge::experiments::ch07_coalescing
