// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/trace/idle.hpp>
#include <ridge/trace_report/pages.hpp>

namespace ridge::trace_report {

[[nodiscard]] std::vector<trace::idle_report> idle_of_devices(const scope& s);
[[nodiscard]] sheet idle_causes_sheet(const std::vector<trace::idle_report>& devices);

}  // namespace ridge::trace_report
