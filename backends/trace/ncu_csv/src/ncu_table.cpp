// SPDX-License-Identifier: Apache-2.0
#include "ncu_table.hpp"

#include <algorithm>
#include <array>

#include "metric_value.hpp"

namespace ridge::backends::trace_ncu_csv {
namespace {

// Columns of a raw table that are not metrics.
constexpr std::array<std::string_view, 12> plain_columns{
    "ID",      "Process ID", "Process Name", "Host Name", "Kernel Name", "Kernel Time",
    "Context", "Stream",     "Block Size",   "Grid Size", "Device",      "CC"};

bool is_plain(std::string_view column) {
  return std::ranges::find(plain_columns, column) != plain_columns.end();
}

std::int32_t number(std::string_view text) {
  return static_cast<std::int32_t>(metric_value(text).value_or(0));
}

void copy_to(std::uint32_t (&dims)[3], std::string_view text) {
  if (const auto found = dimensions(text)) std::ranges::copy(*found, dims);
}

}  // namespace

bool is_header(const csv_record& record) {
  return record.fields.size() > 4 && record.fields[0] == "ID" &&
         std::ranges::find(record.fields, "Kernel Name") != record.fields.end();
}

void ncu_table::begin(const csv_record& header) {
  columns_ = header.fields;
  index_.clear();
  units_.clear();
  kernels_.clear();
  for (std::size_t i = 0; i < columns_.size(); ++i) index_.try_emplace(columns_[i], i);
  raw_ = !index_.contains("Metric Name");
}

std::string_view ncu_table::in(const csv_record& row, std::string_view column) const {
  const auto at = index_.find(column);
  return at == index_.end() || at->second >= row.fields.size() ? std::string_view() : row.fields[at->second];
}

bool ncu_table::add(const csv_record& row) {
  if (row.fields.size() != columns_.size()) return false;
  if (raw_ && units_.empty() && in(row, "ID").empty()) {
    units_ = row.fields;
    return true;
  }
  if (!metric_value(in(row, "ID"))) return false;
  if (raw_)
    add_raw(row);
  else
    add_detail(row);
  return true;
}

std::uint32_t ncu_table::kernel_of(const csv_record& row) {
  const auto [at, fresh] =
      kernels_.try_emplace({std::string(in(row, "Process ID")), std::string(in(row, "ID"))});
  if (!fresh) return at->second;
  describe_device(row);
  const auto process = number(in(row, "Process ID"));
  builder_.facts().processes.at(builder_.process(process)).name = in(row, "Process Name");
  if (builder_.facts().source.host.empty()) builder_.facts().source.host = in(row, "Host Name");
  trace::profiled_kernel k{.id = number(in(row, "ID")),
                           .name = builder_.intern(in(row, "Kernel Name")),
                           .device = builder_.intern(in(row, "Device")),
                           .process = process,
                           .stream = number(in(row, "Stream"))};
  copy_to(k.grid, in(row, "Grid Size"));
  copy_to(k.block, in(row, "Block Size"));
  return at->second = builder_.add(k);
}

// "12.0" of the column CC is a compute capability; older tables have no such column.
void ncu_table::describe_device(const csv_record& row) {
  const auto cc = in(row, "CC");
  if (!metric_value(in(row, "Device")) || cc.empty()) return;
  const auto id = number(in(row, "Device"));
  auto& devices = builder_.facts().devices;
  if (std::ranges::find(devices, id, &trace::device_facts::id) != devices.end()) return;
  const auto dot = cc.find('.');
  devices.push_back({.id = id,
                     .compute_major = number(cc.substr(0, dot)),
                     .compute_minor = dot == std::string_view::npos ? 0 : number(cc.substr(dot + 1))});
}

void ncu_table::add_detail(const csv_record& row) {
  const auto kernel = kernel_of(row);
  // A rule's row has no metric.
  if (in(row, "Metric Name").empty()) return;
  add_metric(kernel, in(row, "Metric Name"), in(row, "Metric Unit"), in(row, "Metric Value"));
}

void ncu_table::add_raw(const csv_record& row) {
  const auto kernel = kernel_of(row);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (!is_plain(columns_[i]))
      add_metric(kernel, columns_[i], i < units_.size() ? units_[i] : std::string_view(), row.fields[i]);
  }
}

void ncu_table::add_metric(std::uint32_t kernel, std::string_view name, std::string_view unit,
                           std::string_view value) {
  const auto number = metric_value(value);
  if (!number) return;
  builder_.add(trace::kernel_metric{
      .value = *number, .kernel = kernel, .metric = builder_.intern(name), .unit = builder_.intern(unit)});
}

}  // namespace ridge::backends::trace_ncu_csv
