// SPDX-License-Identifier: Apache-2.0
#include <ridge/model/audit.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

namespace ridge::model {
namespace {

std::string part(std::span<const audit_finding> all, severity level, std::string_view singular,
                 std::string_view many) {
  std::vector<std::string> ids;
  for (const auto& finding : all) {
    if (finding.severity == level) ids.push_back(finding.id);
  }
  if (ids.empty()) return {};
  return fmt::format("{} {} ({})", ids.size(), ids.size() == 1 ? singular : many, join(ids, ", "));
}

}  // namespace

std::vector<audit_finding> findings(const audit& audit) {
  std::vector<audit_finding> found;
  for (const auto& check : audit.checks) {
    if (check.severity == severity::error || check.severity == severity::warning)
      found.push_back({check.id, check.severity, check.seen});
  }
  std::ranges::stable_partition(found, [](const auto& f) { return f.severity == severity::error; });
  return found;
}

std::string findings_in_short(std::span<const audit_finding> all) {
  auto errors = part(all, severity::error, "error", "errors");
  const auto warnings = part(all, severity::warning, "warning", "warnings");
  return errors + (errors.empty() || warnings.empty() ? "" : ", ") + warnings;
}

}  // namespace ridge::model
