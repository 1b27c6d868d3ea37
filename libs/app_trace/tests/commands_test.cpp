// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include <ridge/app/command_group.hpp>
#include <ridge/app_trace/commands.hpp>

namespace ridge::app_trace {
namespace {

using texts = std::vector<std::pair<std::string, std::string>>;

texts known_texts() {
  texts all;
  for (const auto& group : app::known_groups()) {
    if (group.name != "trace") continue;
    for (const auto& known : group.commands) all.emplace_back(known.name, known.summary);
  }
  return all;
}

TEST(app_trace_commands, are_those_that_the_program_lists_without_opening_the_group) {
  app::context program;
  texts own;
  for (const auto& one : commands(program)) own.emplace_back(one.name(), one.summary());
  EXPECT_THAT(own, testing::ContainerEq(known_texts()));
}

}  // namespace
}  // namespace ridge::app_trace
