// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <ridge/trace_report/pages.hpp>

namespace ridge::trace_report {

// Returns a cell of a table, which the page's script sorts by the value; `attributes` stand in its tag.
[[nodiscard]] std::string html_cell(const value& v, unit measure, std::string_view attributes = {});

// Returns the sheets of a document as HTML tables, which the page's script sorts by their numbers. Sheets
// that the text form leaves out are left out here too.
[[nodiscard]] std::string html_tables(const document& d);

}  // namespace ridge::trace_report
