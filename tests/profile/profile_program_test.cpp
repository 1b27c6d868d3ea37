// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include <ridge/trace/importer.hpp>
#include <ridge/trace/open.hpp>

#include "program.hpp"

namespace ridge::backends::trace_chrome_json {
const trace::importer& chrome_json();
}  // namespace ridge::backends::trace_chrome_json

namespace ridge::cli {
namespace {

trace::trace opened(const std::filesystem::path& file) {
  const trace::importer* const importers[]{&backends::trace_chrome_json::chrome_json()};
  auto made = trace::open(file.string(), importers, {.cache = false});
  EXPECT_TRUE(made.ok()) << (made ? "" : made.why().text());
  return made ? std::move(made->traces.at(0)) : trace::trace{};
}

bool refused(const outcome& o) { return o.err.find("processors: not sampled") != std::string::npos; }

std::string innermost(const trace::trace& t, const trace::stack_sample& s) {
  return s.stack == trace::none ? "" : std::string(t.names[t.stacks[s.stack].function]);
}

TEST(profile_program, the_function_that_works_holds_most_samples_in_both_processes) {
  const scene in;
  const auto ran = in.ridge("profile --output burn.json -- " RIDGE_BURNER " 300 7");
  EXPECT_EQ(ran.code, 7) << ran.err;
  EXPECT_EQ(ran.out, "");
  const auto t = opened(in.folder() / "burn.json");
  EXPECT_EQ(t.source.producer, "ridge profile");
  if (refused(ran)) GTEST_SKIP() << ran.err;
  // The leak check of a sanitizer is a process of its own when the program ends: only who worked is counted.
  std::set<std::int64_t> workers;
  std::size_t named = 0;
  for (const auto& s : t.samples) {
    if (!innermost(t, s).starts_with("burn_named_function(")) continue;
    ++named;
    workers.insert(t.processes[t.tracks[s.track].process].id);
  }
  EXPECT_GT(named, t.samples.size() * 8 / 10) << t.samples.size();
  // 0.6 s at 999 Hz; a busy machine may take some away.
  EXPECT_GT(t.samples.size(), 200U);
  EXPECT_EQ(workers.size(), 2U);
}

TEST(profile_program, callers_and_waits_are_kept) {
  const scene in;
  const auto ran = in.ridge("profile --output burn.json -- " RIDGE_BURNER " 100");
  ASSERT_EQ(ran.code, 0) << ran.err;
  if (refused(ran)) GTEST_SKIP() << ran.err;
  const auto t = opened(in.folder() / "burn.json");
  // A leaf without a frame of its own hides its caller, so only who stands further out is certain.
  const auto under_main = std::ranges::count_if(t.samples, [&](const auto& s) {
    if (!innermost(t, s).starts_with("burn_named_function(")) return false;
    for (auto at = s.stack; at != trace::none; at = t.stacks[at].caller) {
      if (t.names[t.stacks[at].function] == "main") return true;
    }
    return false;
  });
  EXPECT_GT(under_main, static_cast<long>(t.samples.size()) / 2);
  trace::nanoseconds slept = 0;
  for (trace::event_id e = 0; e < t.events.size(); ++e) {
    if (t.events.kind[e] == trace::category::os_call && t.name_of(e) == "waiting")
      slept = std::max(slept, t.events.duration_ns[e]);
  }
  EXPECT_GE(slept, 30'000'000);  // usleep(30000)
}

TEST(profile_program, its_profile_opens_with_ridge_trace) {
  const scene in;
  ASSERT_EQ(in.ridge("profile --output burn.json -- " RIDGE_BURNER " 50").code, 0);
  EXPECT_EQ(in.ridge("trace burn.json").code, 0);
}

TEST(profile_program, streams_and_exit_codes_are_the_programs_own) {
  const scene in;
  const auto ran = in.ridge("profile --no-cpu -- sh -c 'cat; echo told >&2; exit 3'", "echo given |");
  EXPECT_EQ(ran.code, 3);
  EXPECT_NE(ran.err.find("told"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(in.folder() / "ridge-profile-sh.json"));
  EXPECT_EQ(ran.err.find("processors:"), std::string::npos);
}

TEST(profile_program, an_interrupt_keeps_what_was_collected) {
  const scene in;
  const auto ran = in.ridge("profile --output cut.json -- sh -c 'kill -INT $PPID; exec sleep 20'");
  EXPECT_EQ(ran.code, 130) << ran.err;
  EXPECT_EQ(opened(in.folder() / "cut.json").source.producer, "ridge profile");
}

TEST(profile_program, an_experiment_is_profiled_by_its_id) {
  const scene in;
  const auto ran = in.ridge("profile ch01.timing_pitfalls");
  EXPECT_EQ(ran.code, 0) << ran.err;
  const auto t = opened(in.folder() / "ridge-profile-ch01.timing_pitfalls.json");
  if (refused(ran)) GTEST_SKIP() << ran.err;
  EXPECT_GT(t.samples.size(), 10U);
  EXPECT_TRUE(std::ranges::any_of(t.processes, [](const auto& p) { return p.name == "ridge"; }));
}

TEST(profile_program, wrong_usage_is_told) {
  const scene in;
  EXPECT_EQ(in.ridge("profile").code, 64);
  EXPECT_EQ(in.ridge("profile no.such.experiment").code, 64);
  EXPECT_EQ(in.ridge("profile -- true -- true").code, 64);
  EXPECT_EQ(in.ridge("profile --frequency 0 -- true").code, 64);
  EXPECT_EQ(in.ridge("profile -- /no/such/program").code, 69);
  EXPECT_FALSE(std::filesystem::exists(in.folder() / "ridge-profile-program.json"));
}

}  // namespace
}  // namespace ridge::cli
