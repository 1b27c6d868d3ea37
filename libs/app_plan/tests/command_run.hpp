// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <ridge/app/app.hpp>
#include <ridge/app_plan/commands.hpp>
#include <ridge/base/text.hpp>

namespace ridge::app_plan {

// What the program says to a command line.
struct command_run {
  int code = 0;
  std::string out{}, err{};
};

// Runs `ridge plan ...` in this process, by the same parser and commands as the program. Words are divided by
// single spaces; `more` holds words with spaces of their own.
inline command_run run_plan(const std::string& line, const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{"ridge", "plan"};
  for (const auto word : split(line, ' ')) words.emplace_back(word);
  words.insert(words.end(), more.begin(), more.end());
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  command_run made;
  made.code = app::main(static_cast<int>(pointers.size()), pointers.data(), {},
                        {app::linked_group("plan", commands)});
  made.out = testing::internal::GetCapturedStdout();
  made.err = testing::internal::GetCapturedStderr();
  return made;
}

}  // namespace ridge::app_plan
