// SPDX-License-Identifier: Apache-2.0
#include <map>

#include <fmt/format.h>

#include "nsys_reading.hpp"

namespace ridge::backends::trace_nsys_sqlite {
namespace {

constexpr auto values = "GPU_METRICS";

using metric_key = std::pair<std::int64_t, std::int64_t>;  // type, metric

std::map<metric_key, std::string> metric_names(const nsys_reading& reading) {
  std::map<metric_key, std::string> names;
  auto rows = reading.file.rows("TARGET_INFO_GPU_METRICS", {"typeId", "metricId", "metricName"});
  while (rows.next()) names.insert_or_assign({rows.whole_or(0, 0), rows.whole_or(1, 0)}, rows.text(2));
  return names;
}

}  // namespace

void read_counters(nsys_reading& reading) {
  if (!reading.file.has(values)) return;
  const auto names = metric_names(reading);
  std::map<metric_key, std::uint32_t> series;
  auto rows = reading.file.rows(values, {"timestamp", "typeId", "metricId", "value"});
  while (reading.next(rows, values)) {
    const metric_key key{rows.whole_or(1, 0), rows.whole_or(2, 0)};
    auto at = series.find(key);
    if (at == series.end()) {
      const auto named = names.find(key);
      const auto name = named == names.end() ? fmt::format("metric {}", key.second) : named->second;
      const auto gpu = static_cast<std::int32_t>(key.first & 0xff);  // a type's low byte is its GPU
      at = series.emplace(key, reading.builder.series(reading.builder.intern(name), gpu)).first;
    }
    reading.builder.add(
        trace::counter_value{.time_ns = rows.whole_or(0, 0), .value = rows.real(3), .series = at->second});
  }
}

}  // namespace ridge::backends::trace_nsys_sqlite
