// SPDX-License-Identifier: Apache-2.0
#include "summary/optimization_check.hpp"

#include <fmt/format.h>

#include <ridge/harness/code_text.hpp>

namespace ridge::harness {

model::check optimization_check(const experiment::definition& definition, std::size_t reference,
                                std::size_t candidate, unoptimized_code unoptimized) {
  struct object {
    std::string name;
    code_facts code;
  };
  const auto& variants = definition.variants;
  for (const auto& [name, code] :
       {object{variants[reference].name, variants[reference].code},
        object{variants[candidate].name, variants[candidate].code}, object{definition.id, definition.code}}) {
    const auto fault = fault_of(code);
    if (fault.empty()) continue;
    const bool judged = unoptimized == unoptimized_code::judged;
    return {
        .id = "optimization",
        .result = judged ? model::outcome::warn : model::outcome::fail,
        .evidence = fmt::format("{} was compiled {}: {}", name, fault,
                                judged ? "it is judged because the caller asked for that" : remedy_of(code))};
  }
  return {.id = "optimization",
          .result = model::outcome::pass,
          .evidence = "both variants were compiled with optimization and without a sanitizer"};
}

}  // namespace ridge::harness
