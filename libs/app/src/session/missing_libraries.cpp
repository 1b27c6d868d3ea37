// SPDX-License-Identifier: Apache-2.0
#include "session/missing_libraries.hpp"

#include <sys/wait.h>
#include <unistd.h>

namespace ridge::app {
namespace {

constexpr std::size_t most_asked = 7;  // bits of an exit status, without the highest

std::vector<std::string> needed_libraries(const std::vector<harness::planned_family>& families) {
  std::set<std::string> names;
  for (const auto& f : families) {
    for (const auto& v : f.experiment->variants) {
      if (v.backend == model::backend::cpu && !v.needs.library.empty()) names.insert(v.needs.library);
    }
  }
  std::vector<std::string> all(names.begin(), names.end());
  if (all.size() > most_asked) all.resize(most_asked);
  return all;
}

}  // namespace

std::set<std::string> missing_libraries(const std::vector<harness::planned_family>& families,
                                        const harness::instruments& instruments) {
  const auto names = needed_libraries(families);
  if (names.empty() || !instruments.missing_library) return {};
  const auto child = fork();
  if (child < 0) return {};
  if (child == 0) {
    int bits = 0;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!instruments.missing_library(names[i]).empty()) bits |= 1 << i;
    }
    _exit(bits);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) return {};
  std::set<std::string> missing;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if ((WEXITSTATUS(status) >> i) & 1) missing.insert(names[i]);
  }
  return missing;
}

}  // namespace ridge::app
