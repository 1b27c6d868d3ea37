// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/trace_report/pages.hpp>

namespace ridge::trace_report {

// The sheets of a document as HTML tables; the page's script sorts them by their numbers. Sheets that text
// leaves out are left out.
[[nodiscard]] std::string html_tables(const document& d);

}  // namespace ridge::trace_report
