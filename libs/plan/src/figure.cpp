// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/figure.hpp>

#include <algorithm>

namespace ridge::plan {

std::string_view name_of(basis b) {
  switch (b) {
    case basis::given:
      return "given";
    case basis::derived:
      return "derived";
    case basis::datasheet:
      return "datasheet";
    case basis::measured:
      return "measured";
    case basis::fitted:
      return "fitted";
    case basis::assumed:
      return "assumed";
  }
  return "";
}

const figure* find(const derivation& sheet, std::string_view id) {
  const auto at = std::ranges::find(sheet, id, &figure::id);
  return at == sheet.end() ? nullptr : &*at;
}

}  // namespace ridge::plan
