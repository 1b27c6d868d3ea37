// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

namespace ridge::trace_report {

// Returns $RIDGE_BROWSER, else a Chromium or Chrome in PATH that starts; "" where there is none.
[[nodiscard]] const std::string& browser();
inline constexpr auto no_browser = "no Chromium: install the package chromium, or set RIDGE_BROWSER";

// Returns the data attributes of the root element after its scripts ran, "data-ready" as "ready". The file is
// opened from disk as `name`, with `hash` after its address ("#finding=1").
[[nodiscard]] std::map<std::string, std::string> opened(const std::string& text, const std::string& name,
                                                        const std::string& hash = "");

// Returns a page with a test's script at its end.
[[nodiscard]] std::string with_script(std::string page, const std::string& script);

}  // namespace ridge::trace_report
