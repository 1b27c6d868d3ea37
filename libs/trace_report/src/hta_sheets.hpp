// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include <ridge/trace/hta_semantics.hpp>

#include "page_parts.hpp"

namespace ridge::trace_report {

// Adds HTA's series of one rank, as long as rows are wanted (queues, copies), the time that queues were full
// and the steps; and where `operator_part` names operators, the sequences of works below them.
void add_hta_series_sheets(const scope& s, const trace::hta_options& options, std::string_view operator_part,
                           std::vector<sheet>& sheets);

}  // namespace ridge::trace_report
