// SPDX-License-Identifier: Apache-2.0
#include "input/trace_importers.hpp"

#include <array>

namespace ridge::backends::trace_chrome_json {
const trace::importer& chrome_json();
}  // namespace ridge::backends::trace_chrome_json
namespace ridge::backends::trace_ncu_csv {
const trace::importer& ncu_csv();
}  // namespace ridge::backends::trace_ncu_csv
namespace ridge::backends::trace_nsys_sqlite {
const trace::importer& nsys_sqlite();
}  // namespace ridge::backends::trace_nsys_sqlite
namespace ridge::backends::trace_perf_script {
const trace::importer& perf_script();
}  // namespace ridge::backends::trace_perf_script
namespace ridge::backends::trace_rocprof_json {
const trace::importer& rocprof_json();
}  // namespace ridge::backends::trace_rocprof_json

namespace ridge::app_trace {

std::span<const trace::importer* const> trace_importers() {
  static const std::array<const trace::importer*, 5> all{
      &backends::trace_chrome_json::chrome_json(), &backends::trace_nsys_sqlite::nsys_sqlite(),
      &backends::trace_ncu_csv::ncu_csv(), &backends::trace_perf_script::perf_script(),
      &backends::trace_rocprof_json::rocprof_json()};
  return all;
}

}  // namespace ridge::app_trace
