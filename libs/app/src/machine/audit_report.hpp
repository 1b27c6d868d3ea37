// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/app/terminal.hpp>
#include <ridge/model/audit.hpp>

namespace ridge::app {

enum class audit_detail : bool { problems, everything };

// For people: problems first with why and what to do, then in short what is worth knowing, what could not be
// read and what is fine. Of the fixes only those for a place like this, unless everything is asked for.
[[nodiscard]] std::string audit_report(const model::audit& audit, bool in_container, audit_detail how_much,
                                       const terminal& screen);

}  // namespace ridge::app
