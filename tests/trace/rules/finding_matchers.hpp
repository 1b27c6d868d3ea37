// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>

#include <gmock/gmock.h>

#include <ridge/trace/diagnosis.hpp>

namespace ridge::trace::fixtures {

// Matches findings of that rule.
inline auto of_rule(const char* id) { return ::testing::Field("rule", &finding::rule, id); }

// Returns the first doubt or finding of a rule; the test fails where there is none.
inline finding finding_of(const diagnosis& d, std::string_view rule) {
  for (const auto* list : {&d.doubts, &d.findings}) {
    const auto at = std::ranges::find(*list, rule, &finding::rule);
    if (at != list->end()) return *at;
  }
  ADD_FAILURE() << rule << " found nothing";
  return {};
}

}  // namespace ridge::trace::fixtures
