// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <ridge/harness/experiment.hpp>

namespace ridge::harness {

// What was seen of one variant at the edge sizes of its experiment.
struct edge_finding {
  std::size_t sizes = 0;  // how many were tried
  std::string
      refused{};  // the first size at which it failed, and how; empty where it was right at all of them
  model::failure_kind failure{model::failure_kind::none};
  std::string signal{};  // that ended its process
};

// Keeps what is known of variants at edge sizes, so that each build of a variant is tried once.
class edge_record {
 public:
  virtual ~edge_record() = default;
  // Returns what was found of this build of the variant; nothing where it has not been tried.
  [[nodiscard]] virtual std::optional<edge_finding> find(const experiment& source,
                                                         const variant_facts& variant) = 0;
  // Keeps a finding. One that cannot be kept is forgotten.
  virtual void keep(const experiment& source, const variant_facts& variant, const edge_finding& finding) = 0;
};

}  // namespace ridge::harness
