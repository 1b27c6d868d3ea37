// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <ridge/base/expects.hpp>
#include <ridge/harness/experiment.hpp>

#include "topk_radix.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "experiment.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ridge::experiments::ch08_topk_radix::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Copies the values that are at least `bound` to `kept`, which has room for one vector more, and returns
// their number.
std::size_t keep(std::span<const float> values, float bound, float* kept) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d), n = values.size();
  const auto least = hn::Set(d, bound);
  std::size_t count = 0, i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto v = hn::LoadU(d, values.data() + i);
    const auto reach = hn::Ge(v, least);
    if (!hn::AllFalse(d, reach)) count += hn::CompressStore(v, reach, d, kept + count);
  }
  for (; i < n; ++i) {
    if (values[i] >= bound) kept[count++] = values[i];
  }
  return count;
}

}  // namespace ridge::experiments::ch08_topk_radix::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::experiments::ch08_topk_radix {
HWY_EXPORT(keep);
namespace {

constexpr std::size_t sampled = 2048;  // values of a row
constexpr std::size_t widest_vector = 64;

// Replaces the first k values by the largest in descending order.
void select(std::span<float> values, std::size_t k) {
  const auto kth = values.begin() + as_integer(k);
  if (k < values.size()) std::ranges::nth_element(values, kth, std::greater<>());
  std::ranges::sort(values.first(k), std::greater<>());
}

// The value that as many of a row's sample reach as should be among the k largest, and five standard
// deviations more: very probably below the k-th largest, and not by much.
float bound_of(std::span<const float> row, std::size_t k, std::span<float> sample) {
  const std::size_t step = row.size() / sample.size();
  for (std::size_t i = 0; i < sample.size(); ++i) sample[i] = row[i * step];
  const double expected = as_real(k) * as_real(sample.size()) / as_real(row.size());
  const auto rank =
      std::min(sample.size() - 1, static_cast<std::size_t>(expected + 5 * std::sqrt(expected) + 8));
  const auto at = sample.begin() + as_integer(rank);
  std::ranges::nth_element(sample, at, std::greater<>());
  return *at;
}

template <class SelectRow>
void each_row(workload& w, SelectRow select_row) {
  for (std::size_t r = 0; r < w.rows; ++r) {
    const auto chosen = select_row(w.values.subspan(r * w.columns, w.columns));
    std::ranges::copy(chosen.first(w.k), w.largest.begin() + as_integer(r * w.k));
  }
}

auto nth_element(workload& shape, setup& s) {
  return [copy = s.workspace<float>(shape.columns)](workload& w, call&) {
    each_row(w, [&](std::span<const float> row) {
      std::ranges::copy(row, copy.begin());
      select(copy, w.k);
      return copy;
    });
  };
}

auto simd_select(workload& shape, setup& s) {
  return [kept = s.workspace<float>(shape.columns + widest_vector),
          sample = s.workspace<float>(std::min(sampled, shape.columns))](workload& w, call&) {
    each_row(w, [&](std::span<const float> row) {
      std::size_t count = 0;
      if (row.size() > sampled)
        count = HWY_DYNAMIC_DISPATCH(keep)(row, bound_of(row, w.k, sample), kept.data());
      if (count < w.k) {  // the bound was too high
        std::ranges::copy(row, kept.begin());
        count = row.size();
      }
      select(kept.first(count), w.k);
      return kept;
    });
  };
}

ladder<workload> cpu() {
  return {
      {.name = "nth_element",
       .is = role::baseline,
       .idea = "a copy of the row, partitioned, and its first part sorted",
       .run = nth_element},
      {.name = "simd_select",
       .idea = "a sample bounds the k-th largest; vectors keep the few values that reach the bound",
       .run = simd_select},
  };
}

struct extents {
  std::size_t rows = 0, columns = 0;
};

// "128x65536": 128 rows of 65536 values.
extents shape_of(const problem& p) {
  const std::string_view text = p.text("shape");
  extents e;
  const auto* end = text.data() + text.size();
  const auto rows = std::from_chars(text.data(), end, e.rows);
  const auto columns = std::from_chars(rows.ptr + 1, end, e.columns);
  expects(rows.ec == std::errc() && columns.ec == std::errc() && columns.ptr == end,
          "topk_radix: shape is not \"128x65536\"");
  return e;
}

axis shapes() {
  auto made = choice("shape", {"16x65536"});
  for (const auto* text :
       {"0x8", "1x1", "3x17", "2x2049", "2x16384", "5x65535", "2x65536", "3x131072", "20x20000"})
    made.edges.emplace_back(std::string(text));
  for (const auto* text : {"128x65536", "128x131072", "8x131072", "4097x131072"})  // the last: over 2 GiB
    made.cuda_values.emplace_back(std::string(text));
  return made;
}

axis distributions() {
  auto made = choice("values", {"normal"});
  for (const auto* text : {"normal", "few"}) made.edges.emplace_back(std::string(text));
  return made;
}

// Five different values: whatever bound is chosen, a fifth of the row is equal to it.
distribution drawn(const problem& p) {
  if (p.text("values") == "few") return integers{5};
  return normal{};
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch08.topk_radix",
      .title = "The largest values of each row",
      .question = "Can radix select replace a full sort for top-k?",
      .answers = {"B8.4"},
      .tags = {"top-k", "selection", "sort", "clusters", "shared-memory"},
      .axes = {shapes(), between(values("k", {1024}, {1, 37}), 1, 4096), distributions()},
      .skip = [](const problem& p) { return p.count("k") > shape_of(p).columns; },
      .make =
          [](const problem& p, memory& m) {
            const auto e = shape_of(p);
            const auto k = p.count("k");
            return workload{e.rows, e.columns, k, m.in<float>(product(e.rows, e.columns), drawn(p)),
                            m.out<float>(product(e.rows, k))};
          },
      .work =
          [](const problem& p) {
            const auto e = shape_of(p);
            return work::streaming(reads<float>(e.rows, e.columns), writes<float>(e.rows, p.count("k")));
          },
      .oracle =
          [](workload& w) {
            std::vector<float> copy(w.columns);
            each_row(w, [&](std::span<const float> row) {
              std::ranges::copy(row, copy.begin());
              std::ranges::partial_sort(copy, copy.begin() + as_integer(w.k), std::greater<>());
              return std::span<float>(copy);
            });
          },
      .within = exact(),
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch08_topk_radix
#endif
