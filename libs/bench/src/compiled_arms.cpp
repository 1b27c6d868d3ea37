// SPDX-License-Identifier: Apache-2.0
#include "compiled_arms.hpp"

#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include <ridge/host/compile_record.hpp>

namespace ridge::bench {
namespace {

using host::optimization;

const void* code_of(const arm& one) {
  if (one.code != nullptr) return one.code;
  return std::visit([](const auto& body) { return reinterpret_cast<const void*>(body.function); }, one.body);
}

host::compile_record record_of(const arm& one) {
  if (!one.optimized) return host::compile_record_of(code_of(one));
  return *one.optimized ? host::compile_record{optimization::on, "as its caller states"}
                        : host::compile_record{optimization::off, "as its caller states"};
}

bool judges_unoptimized() {
  const char* const word = std::getenv("RIDGE_UNOPTIMIZED");
  return word != nullptr && std::string_view(word) == "judged";
}

}  // namespace

model::check optimization_check(const definition& definition) {
  model::check made{.id = "optimization"};
  for (const auto& one : definition.arms) {
    const auto record = record_of(one);
    if (record.optimization == optimization::off) {
      const bool judged = judges_unoptimized();
      made.result = judged ? model::outcome::warn : model::outcome::fail;
      made.evidence = fmt::format(
          "{} was compiled without optimization ({}): {}", one.name, record.words,
          judged ? "it is judged because RIDGE_UNOPTIMIZED asks for that" : "compile it with -O2");
      return made;
    }
    if (record.optimization == optimization::unknown && made.evidence.empty())
      made.evidence = fmt::format("how {} was compiled is unknown: {}", one.name, record.words);
  }
  if (!made.evidence.empty()) return made;
  made.result = model::outcome::pass;
  made.evidence = "every function was compiled with optimization";
  return made;
}

}  // namespace ridge::bench
