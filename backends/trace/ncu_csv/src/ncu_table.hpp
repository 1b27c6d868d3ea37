// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ridge/trace/trace_builder.hpp>

#include "csv_records.hpp"

namespace ridge::backends::trace_ncu_csv {

// Returns whether a record names the columns of a table of Nsight Compute.
[[nodiscard]] bool is_header(const csv_record& record);

// Takes the records of one output: details with one row per metric, or `--page raw` with one row per kernel
// below a row of units. Tables may follow each other; each header begins a new one.
class ncu_table {
 public:
  explicit ncu_table(trace::trace_builder& builder) : builder_(builder) {}
  void begin(const csv_record& header);
  // Returns false where the record is not a row of this table.
  [[nodiscard]] bool add(const csv_record& row);
  [[nodiscard]] std::size_t columns() const { return columns_.size(); }

 private:
  [[nodiscard]] std::string_view in(const csv_record& row, std::string_view column) const;
  [[nodiscard]] std::uint32_t kernel_of(const csv_record& row);
  void describe_device(const csv_record& row);
  void add_detail(const csv_record& row);
  void add_raw(const csv_record& row);
  void add_metric(std::uint32_t kernel, std::string_view name, std::string_view unit, std::string_view value);

  trace::trace_builder& builder_;
  std::vector<std::string> columns_{};
  std::vector<std::string> units_{};  // units of a raw table; empty until its row of units is read
  std::map<std::string, std::size_t, std::less<>> index_{};
  std::map<std::pair<std::string, std::string>, std::uint32_t> kernels_{};  // by process and ID
  bool raw_ = false;
};

}  // namespace ridge::backends::trace_ncu_csv
