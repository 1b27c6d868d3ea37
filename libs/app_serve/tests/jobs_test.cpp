// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <csignal>
#include <string>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

#include <gmock/gmock.h>

#include "api/jobs.hpp"

namespace ridge::app_serve {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<std::string> suites{"ch01", "ch01.copy", "labs"};

TEST(serve_jobs, name_declared_suites_and_typed_parameters_alone) {
  std::string suite;
  const auto words =
      words_of_job(R"({"suite":"ch01","parameters":{"backend":"cpu","profile":"minimal"}})", suites, suite);
  ASSERT_TRUE(words.ok()) << words.why().text();
  EXPECT_THAT(*words, ElementsAre("run", "ch01", "--backend", "cpu", "--profile", "minimal"));
  EXPECT_EQ(suite, "ch01");
  for (const std::string body :
       {"", "[]", "{}", R"({"suite":1})", R"({"suite":""})", R"({"suite":"ch01; rm -rf /"})",
        R"({"suite":"--help"})", R"({"suite":"ch01","command":"ls"})", R"({"suite":"ch01","parameters":[]})",
        R"({"suite":"ch01","parameters":{"store":"x"}})",
        R"({"suite":"ch01","parameters":{"backend":"--fail-on"}})",
        R"({"suite":"ch01","parameters":{"backend":["cpu"]}})", R"({"suite":"ch*"})", R"({"suite":"all"})"})
    EXPECT_FALSE(words_of_job(body, suites, suite).ok()) << body;
}

// Starts a shell command, in place of this program, whose end is in the test's hands.
job_queue::starter shell(const std::string& command) {
  return [command](const std::vector<std::string>&) -> result<piped_process> {
    int ends[2] = {};
    if (pipe2(ends, O_CLOEXEC) != 0) return error{"no pipe", ""};
    const int process = fork();
    if (process == 0) {
      dup2(ends[1], STDOUT_FILENO);
      execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
      _exit(127);
    }
    close(ends[1]);
    return piped_process{process, ends[0]};
  };
}

// Waits until a job has this state, five seconds at most.
bool reaches(const job_queue& queue, const std::string& id, const std::string& state) {
  for (int i = 0; i < 500; ++i) {
    for (const auto& one : queue.jobs())
      if (one.id == id && one.state == state) return true;
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

TEST(serve_jobs, run_one_after_the_other_and_tell_what_they_write) {
  auto hub = std::make_shared<server::event_hub>();
  const auto before = hub->last_id();
  job_queue queue(hub, shell("echo one; printf 'two\\033[31m'; exit 0"));
  const auto first = queue.add("ch01", {"run"});
  const auto second = queue.add("ch01.copy", {"run"});
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_TRUE(reaches(queue, second->id, "finished"));
  EXPECT_TRUE(reaches(queue, first->id, "finished"));
  EXPECT_EQ(queue.jobs().front().id, second->id) << "the newest first";
  const auto text = hub->after(before, 1'000'000).text;
  EXPECT_THAT(text, HasSubstr("event: log\ndata: {\"job\":\"1\",\"text\":\"one\"}"));
  EXPECT_THAT(text, HasSubstr("two\\\\x1b")) << "control characters are escaped";
  EXPECT_THAT(text, HasSubstr("\"id\":\"2\",\"suite\":\"ch01.copy\",\"state\":\"finished\""));
}

TEST(serve_jobs, are_stopped_while_they_run_and_while_they_wait) {
  job_queue queue(std::make_shared<server::event_hub>(), shell("exec sleep 30"));
  const auto first = queue.add("ch01", {"run"});
  const auto second = queue.add("ch01", {"run"});
  ASSERT_TRUE(first.ok() && second.ok());
  ASSERT_TRUE(reaches(queue, first->id, "running"));
  EXPECT_EQ(queue.stop(second->id)->state, "stopped");
  EXPECT_TRUE(queue.stop(first->id).ok());
  EXPECT_TRUE(reaches(queue, first->id, "stopped"));
  EXPECT_FALSE(queue.stop(first->id).ok()) << "it has ended";
  EXPECT_FALSE(queue.stop("99").ok());
  const auto third = queue.add("ch01", {"run"});
  ASSERT_TRUE(reaches(queue, third->id, "running"));
  const auto begun = std::chrono::steady_clock::now();
  queue.end();
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 3s);
  EXPECT_TRUE(reaches(queue, third->id, "stopped"));
  EXPECT_FALSE(queue.add("ch01", {"run"}).ok());
}

TEST(serve_jobs, that_fail_say_so_and_too_many_are_refused) {
  job_queue queue(std::make_shared<server::event_hub>(), shell("exit 3"));
  const auto failed = queue.add("ch01", {"run"});
  EXPECT_TRUE(reaches(queue, failed->id, "failed"));
  EXPECT_EQ(queue.jobs().front().message, "exit code 3");
  job_queue busy(std::make_shared<server::event_hub>(), shell("exec sleep 30"));
  ASSERT_TRUE(reaches(busy, busy.add("ch01", {"run"})->id, "running"));
  for (int i = 0; i < 16; ++i) EXPECT_TRUE(busy.add("ch01", {"run"}).ok());
  EXPECT_FALSE(busy.add("ch01", {"run"}).ok());
}

}  // namespace
}  // namespace ridge::app_serve
