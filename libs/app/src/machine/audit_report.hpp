// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/app/terminal.hpp>
#include <ridge/model/audit.hpp>

namespace ridge::app {

// How much of an audit is shown in full.
enum class audit_detail : bool { problems, everything };

// Returns a report for people: first the problems with their reasons and remedies, then in short what is
// worth knowing, what could not be read and what is fine. It lists only the remedies for a place like this
// one, unless everything is asked for.
[[nodiscard]] std::string audit_report(const model::audit& audit, bool in_container, audit_detail how_much,
                                       const terminal& screen);

}  // namespace ridge::app
