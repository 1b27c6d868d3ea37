// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/report/table.hpp>

#include "input/plan_serve_options.hpp"

namespace ridge::app_plan {

// What a service was asked to be, as members "question.model", "question.tp", ... of an answer: all that a
// deployment needs.
[[nodiscard]] std::vector<std::pair<std::string, report::value>> facts_of(const service_choice& c);

// A choice in which no option is given: counts are 0 and names empty.
[[nodiscard]] service_choice nothing_chosen();

// Sets what was not given: from the JSON that `ridge plan serve --json` printed where `answer` names one,
// else the defaults. The error names the file and the member that is missing or has another type.
[[nodiscard]] result<void> complete(service_choice& choice, const std::string& answer);

}  // namespace ridge::app_plan
