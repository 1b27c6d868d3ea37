// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include <ridge/trace/trace.hpp>

namespace ridge::trace {

// The metrics of one profiled kernel, in the units of their base.
class metric_table {
 public:
  struct row {
    std::string_view name{}, unit{};  // the base unit: "byte"
    double value = 0;
  };
  metric_table(const trace& t, std::uint32_t profiled);

  [[nodiscard]] const std::vector<row>& rows() const { return rows_; }
  // Returns the first of the named metrics that was collected.
  [[nodiscard]] std::optional<double> first_of(std::initializer_list<std::string_view> names) const;
  // Returns the first of them that is in percent, as a share: tables use one label for a rate and for its
  // percentage.
  [[nodiscard]] std::optional<double> share_of(std::initializer_list<std::string_view> names) const;
  // Return the largest share or the sum of those that were collected; nullopt where none was.
  [[nodiscard]] std::optional<double> largest_share_of(std::initializer_list<std::string_view> names) const;
  [[nodiscard]] std::optional<double> sum_of(std::initializer_list<std::string_view> names) const;

 private:
  std::vector<row> rows_{};  // by name
};

[[nodiscard]] std::optional<double> quotient(std::optional<double> a, std::optional<double> b);

}  // namespace ridge::trace
