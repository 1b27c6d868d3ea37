// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include <ridge/app/app.hpp>
#include <ridge/app/command_group.hpp>
#include <ridge/app_serve/commands.hpp>
#include <ridge/base/temporary_folder.hpp>
#include <ridge/base/text.hpp>

#include "tokens/token_file.hpp"

namespace ridge::app_serve {
namespace {

using testing::HasSubstr;

TEST(serve_command, is_the_one_that_the_program_lists_without_opening_the_group) {
  app::context program;
  std::vector<std::pair<std::string, std::string>> own, known;
  for (const auto& one : commands(program)) own.emplace_back(one.name(), one.summary());
  for (const auto& group : app::known_groups()) {
    if (group.name != "serve") continue;
    for (const auto& one : group.commands) known.emplace_back(one.name, one.summary);
  }
  EXPECT_EQ(own, known);
}

struct command_run {
  int code = 0;
  std::string out{}, err{};
};

command_run run_serve(const std::string& line) {
  std::vector<std::string> words{"ridge", "serve"};
  for (const auto word : split(line, ' '))
    if (!word.empty()) words.emplace_back(word);
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  command_run made;
  made.code = app::main(static_cast<int>(pointers.size()), pointers.data(), {},
                        {app::linked_group("serve", commands)});
  made.out = testing::internal::GetCapturedStdout();
  made.err = testing::internal::GetCapturedStderr();
  return made;
}

TEST(serve_command, refuses_what_is_not_safe_or_not_possible) {
  const scratch_folder folder("serve");
  const std::string store = " --store " + (folder.path() / "ridge.db").string();
  for (const std::string line : {"--port 70000", "--port -1", "--threads 0", "--no-token --token-file x",
                                 "--behind-proxy", "--port x", "--token-file /nothing/there/tokens"}) {
    const auto seen = run_serve(line + store);
    EXPECT_EQ(seen.code, 64) << line << seen.err;
    EXPECT_EQ(seen.out, "") << line;
  }
  const auto others = run_serve("--address 0.0.0.0 --port 0" + store);
  EXPECT_EQ(others.code, 69);
  EXPECT_THAT(others.err, HasSubstr("can be reached by others"));
}

TEST(serve_command, serves_until_it_is_interrupted) {
  const scratch_folder folder("serve");
  std::thread interrupt([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    kill(getpid(), SIGTERM);
  });
  const auto seen = run_serve("--port 0 --store " + (folder.path() / "ridge.db").string());
  interrupt.join();
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out, testing::MatchesRegex("http://127\\.0\\.0\\.1:[0-9]+/#t=[A-Za-z0-9_-]+\n"));
  EXPECT_EQ(seen.err.find("#t="), std::string::npos) << "the token stands in one place alone";
}

TEST(serve_tokens, are_drawn_into_a_file_of_ones_own) {
  const scratch_folder folder("serve");
  const std::string path = folder.path() / "tokens";
  const auto first = tokens_of_file(path);
  ASSERT_TRUE(first.ok()) << first.why().text();
  struct stat status {};
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  const auto again = tokens_of_file(path);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->front().text, first->front().text);
  ASSERT_EQ(chmod(path.c_str(), 0644), 0);
  EXPECT_FALSE(tokens_of_file(path).ok()) << "others may read it";
  ASSERT_EQ(chmod(path.c_str(), 0600), 0);
  const std::string link = folder.path() / "link";
  ASSERT_EQ(symlink(path.c_str(), link.c_str()), 0);
  EXPECT_FALSE(tokens_of_file(link).ok()) << "a link may lead anywhere";
}

TEST(serve_tokens, are_lines_of_token_scope_and_day) {
  const auto tokens =
      tokens_in("# mine\n\n0123456789012345678901 read 2026-12-31\n  abcdefghijklmnopqrstuvwx\n", "file");
  ASSERT_TRUE(tokens.ok()) << tokens.why().text();
  ASSERT_EQ(tokens->size(), 2U);
  EXPECT_EQ(tokens->at(0).granted, server::scope::read);
  EXPECT_EQ(tokens->at(0).expires, std::chrono::sys_days(std::chrono::year(2026) / 12 / 31));
  EXPECT_EQ(tokens->at(1).granted, server::scope::admin);
  for (const std::string wrong :
       {"", "# nothing", "short", "0123456789012345678901 open", "0123456789012345678901 all",
        "0123456789012345678901 read 2026-02-30", "0123456789012345678901 read tomorrow",
        "0123456789012345678901 read 2026-12-31 x"}) {
    const auto refused = tokens_in(wrong, "file");
    ASSERT_FALSE(refused.ok()) << wrong;
    EXPECT_EQ(refused.why().text().find("0123456789012345678901"), std::string::npos)
        << "a message repeats no token";
  }
}

}  // namespace
}  // namespace ridge::app_serve
