// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/trace/hta_semantics.hpp>

#include "arguments.hpp"
#include "table.hpp"
#include "trace_set.hpp"

namespace ridge::trace_c {

[[nodiscard]] inline double microseconds(double ns) { return ns / 1000; }
[[nodiscard]] inline double microseconds(trace::nanoseconds ns) {
  return microseconds(static_cast<double>(ns));
}

// The ranks that a question is about.
[[nodiscard]] inline std::vector<std::int64_t> ranks_of(const trace_set& traces, const arguments& given) {
  return traces.chosen(given.integer_list("ranks"));
}

// The eight columns of a distribution, as pandas' describe() names them in HTA.
class distribution_columns {
 public:
  explicit distribution_columns(table& columns)
      : count_(columns.add_integers("count")),
        values_{&columns.add_doubles("mean"), &columns.add_doubles("std"), &columns.add_doubles("min"),
                &columns.add_doubles("25%"),  &columns.add_doubles("50%"), &columns.add_doubles("75%"),
                &columns.add_doubles("max")} {}
  void add(const trace::hta_distribution& d) {
    count_.push_back(static_cast<std::int64_t>(d.count));
    const double numbers[]{d.mean, d.deviation, d.min, d.p25, d.p50, d.p75, d.max};
    for (std::size_t i = 0; i < std::size(numbers); ++i) values_[i]->push_back(numbers[i]);
  }

 private:
  integers& count_;
  doubles* values_[7];
};

// The columns of a kernel or annotation by name.
class kernel_time_columns {
 public:
  explicit kernel_time_columns(table& columns)
      : name_(columns.add_texts("name")),
        values_{&columns.add_doubles("sum_us"), &columns.add_doubles("max_us"),
                &columns.add_doubles("min_us"), &columns.add_doubles("deviation_us"),
                &columns.add_doubles("mean_us")} {}
  void add(const trace::hta_kernel_time& k) {
    name_.add(k.name);
    const double numbers[]{k.sum_ns, k.max_ns, k.min_ns, k.deviation_ns, k.mean_ns};
    for (std::size_t i = 0; i < std::size(numbers); ++i) values_[i]->push_back(microseconds(numbers[i]));
  }

 private:
  text_values& name_;
  doubles* values_[5];
};

}  // namespace ridge::trace_c
