// SPDX-License-Identifier: Apache-2.0
#include "session/run_header.hpp"

#include <chrono>
#include <ctime>
#include <random>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "machine/machine.hpp"

namespace ridge::app {

std::string new_run_id() {
  constexpr std::string_view digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
  std::string id(26, '0');
  for (std::size_t i = 10; i-- > 0; ms /= 32) id[i] = digits[static_cast<std::size_t>(ms % 32)];
  std::random_device random;
  for (std::size_t i = 10; i < id.size(); ++i) id[i] = digits[random() % 32];
  return id;
}

std::string now_utc() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

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
