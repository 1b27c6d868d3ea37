// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

namespace ridge::trace_report {

// $RIDGE_BROWSER, else a Chromium or Chrome of the path that starts; "" where there is none.
[[nodiscard]] const std::string& browser();
inline constexpr auto no_browser = "no Chromium: install the package chromium, or set RIDGE_BROWSER";

// The data attributes of the root element after its scripts ran: "data-ready" as "ready". The file is opened
// from disk as `name`, with `hash` behind its address ("#finding=1").
[[nodiscard]] std::map<std::string, std::string> opened(const std::string& text, const std::string& name,
                                                        const std::string& hash = "");

// A page with a script of ours at its end.
[[nodiscard]] std::string with_script(std::string page, const std::string& script);

}  // namespace ridge::trace_report
