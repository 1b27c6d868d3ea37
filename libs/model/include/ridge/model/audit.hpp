// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include <ridge/model/names.hpp>

namespace ridge::model {

// One property of the environment that affects measurements: what was seen, why it matters, and what a person
// could do about it. A fix is empty where there is nothing to do, or nothing that can be done in that kind of
// place.
struct audit_check {
  std::string id{};     // "cpu.governor"
  std::string title{};  // "Frequency governor"
  model::severity severity = model::severity::ok;
  std::string seen{};  // values; for unknown: why it could not be read
  std::string why{};
  std::string fix_bare_metal{};
  std::string fix_container{};   // options of docker run
  std::string fix_kubernetes{};  // pod spec or kubelet settings
};

// The result of `ridge audit`.
struct audit {
  std::vector<audit_check> checks{};
};

// The part of an audit that a run keeps.
struct audit_finding {
  std::string id{};
  model::severity severity = model::severity::warning;
  std::string seen{};
};

// Returns the warnings and errors, errors first, otherwise in the order of the audit.
[[nodiscard]] std::vector<audit_finding> findings(const audit& audit);

// Returns "1 error (cpu.quota), 2 warnings (cpu.governor, memory.thp)"; empty when there are none.
[[nodiscard]] std::string findings_in_short(std::span<const audit_finding> all);

}  // namespace ridge::model
