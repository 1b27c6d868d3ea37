// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/trace_report/html_page.hpp>

namespace ridge::trace_report {

// Returns the verdict and the findings as cards, the ranked ones first. A card's buttons lead to the ranges
// of its evidence: data-a and data-b, nanoseconds since `zero_ns` of the common clock.
[[nodiscard]] std::string html_findings(const html_content& content, trace::nanoseconds zero_ns);

// Returns one bar per device: compute, exposed communication, exposed copies, idle.
[[nodiscard]] std::string html_partition(const html_content& content);

}  // namespace ridge::trace_report
