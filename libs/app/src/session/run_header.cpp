// SPDX-License-Identifier: Apache-2.0
#include "session/run_header.hpp"

#include "machine/machine.hpp"

namespace ridge::app {

model::run run_header(const context& program, std::string profile, std::uint64_t seed) {
  model::run made;
  made.id = new_run_id();
  made.started = now_utc();
  made.command = program.typed;
  for (const auto& line : program.programs) {
    made.command.emplace_back("--");
    made.command.insert(made.command.end(), line.begin(), line.end());
  }
  made.profile = std::move(profile);
  made.seed = seed;
  made.environment = read_environment();
  return made;
}

}  // namespace ridge::app
