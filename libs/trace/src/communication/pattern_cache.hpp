// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>

#include <ridge/trace/communication_names.hpp>
#include <ridge/trace/trace.hpp>

namespace ridge::trace {

// The matching pattern by name; each name of a trace is looked up once. The trace and the names must outlive
// it.
class pattern_cache {
 public:
  pattern_cache(const trace& t, const communication_names& names) : trace_(t), names_(names) {}

  // Returns the pattern that makes a work communication; nullptr for other work.
  [[nodiscard]] const communication_pattern* of(const device_work& w) {
    if (w.kind != category::kernel) return nullptr;
    const auto at = known_.find(w.name);
    if (at != known_.end()) return at->second;
    return known_.emplace(w.name, names_.match(trace_.names[w.name])).first->second;
  }

 private:
  const trace& trace_;
  const communication_names& names_;
  std::unordered_map<name_id, const communication_pattern*> known_{};
};

}  // namespace ridge::trace
