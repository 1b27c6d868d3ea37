// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/hta_semantics.hpp>

namespace ridge::trace {

hta_figures hta_figures_of(const trace&, const hta_options&) { return {}; }

std::vector<hta_difference> hta_differences(const trace&, std::span<const work_class>, const hta_options&) {
  return {};
}

}  // namespace ridge::trace
