// SPDX-License-Identifier: Apache-2.0
// Changes from run to run: found, named by a person, and failing a gate.
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/model/json.hpp>

#include "program.hpp"

namespace ridge::cli {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

// The run of number i of a variant that takes `seconds`.
model::run run_of(int i, double seconds, const std::string& compiler) {
  model::run run{.id = fmt::format("01KA{:04}0000000000000000AA", i),
                 .started = fmt::format("2026-01-{:02}T00:00:00Z", i + 1),
                 .command = {"ridge", "run"}};
  run.environment = {.machine = "some-machine", .compiler = compiler, .build = "ridge 0.1.0 (0123abc)"};
  model::family family{.experiment = "ch77.copy", .title = "Copy", .problem = {{"n", "64"}}};
  family.measurements.push_back(
      {.variant = "fast", .metrics = {{.median = seconds, .ci = {seconds * 0.999, seconds * 1.001}}}});
  run.families.push_back(family);
  run.wall_s = 1;
  return run;
}

// Stores 20 runs of which those from the 12th on take `factor` times as long, made by another compiler.
void store_runs(const scene& in, double factor, int first_changed = 12) {
  std::string files;
  for (int i = 0; i < 20; ++i) {
    const double wobble = 1 + 0.002 * ((i * 7) % 5 - 2);
    const bool changed = i >= first_changed;
    const auto name = fmt::format("run{}.json", i);
    std::ofstream(in.folder() / name)
        << model::to_json(run_of(i, 1e-3 * wobble * (changed ? factor : 1), changed ? "GCC 13" : "GCC 12"));
    files += ' ' + name;
  }
  const auto seen = in.ridge("import" + files);
  ASSERT_EQ(seen.code, 0) << seen.err;
}

TEST(changes, history_says_where_and_what_changed_with_it) {
  const scene in;
  store_runs(in, 1.1);
  const auto seen = in.ridge("history ch77.copy --changes");
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out, HasSubstr("ch77.copy n=64 fast"));
  EXPECT_THAT(
      seen.out,
      ContainsRegex(
          "near 2026-01-13 0000AA +1.00 ms -> 1.10 ms +0.9[0-9]*× .* worse +q 0.00[0-9]+ +untriaged"));
  EXPECT_THAT(seen.out, HasSubstr("compiler: GCC 12 -> GCC 13"));
  EXPECT_THAT(seen.out, HasSubstr("1 change in 1 of 1 series"));
  const auto json = in.ridge("history --changes --json");
  EXPECT_THAT(json.out, HasSubstr(R"("schema":"ridge.changes/1")"));
  EXPECT_THAT(json.out, HasSubstr(R"("run":"01KA00120000000000000000AA")"));
  EXPECT_EQ(in.ridge("history --changes --runs").code, 64);
  EXPECT_THAT(in.ridge("history --changes --variant other").out, HasSubstr("no series is stored"));
}

TEST(changes, what_a_person_says_passes_the_gate) {
  const scene in;
  store_runs(in, 1.1);
  EXPECT_EQ(in.ridge("gate --no-confirm").code, 1);
  EXPECT_EQ(in.ridge("triage 1 01KA0012 fine").code, 64);
  EXPECT_EQ(in.ridge("triage 9 01KA0012 noise").code, 64);
  const auto none = in.ridge("triage 1 01KB noise");
  EXPECT_EQ(none.code, 64);
  EXPECT_THAT(none.err, HasSubstr("no runs of series 1 have an id that begins or ends with \"01KB\""));
  EXPECT_THAT(in.ridge("triage 1 0000AA noise").err, HasSubstr("20 runs of series 1"));
  const auto said = in.ridge("triage 1 01KA0012 expected --note 'the new compiler'");
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(in.ridge("history --changes").out, ContainsRegex("expected\n.*\n +\"the new compiler\""));
  const auto seen = in.ridge("gate --no-confirm");
  EXPECT_EQ(seen.code, 0) << seen.out;
  EXPECT_THAT(seen.out, HasSubstr("expected: the new compiler"));
}

TEST(changes, a_gate_compares_the_newest_run_with_those_up_to_the_baseline) {
  const scene in;
  store_runs(in, 1.1, 19);
  const auto seen =
      in.ridge("gate --baseline 01KA0018 --no-confirm --junit gate.xml --markdown gate.md --github",
               "GITHUB_STEP_SUMMARY=summary.md");
  EXPECT_EQ(seen.code, 1) << seen.err << seen.out;
  EXPECT_THAT(seen.out,
              ContainsRegex("ch77.copy n=64 fast +1.00 ms -> 1.10 ms +0.9[0-9]*× +worse +suspected"));
  EXPECT_THAT(seen.out, HasSubstr("::error title=Ridge%3A ch77.copy n=64 fast::worse"));
  EXPECT_THAT(contents(in.folder() / "gate.xml"), HasSubstr("tests=\"1\" failures=\"1\""));
  EXPECT_THAT(contents(in.folder() / "gate.md"), HasSubstr("| `ch77.copy n=64 fast` |"));
  EXPECT_THAT(contents(in.folder() / "summary.md"), HasSubstr("1 suspected"));
  EXPECT_EQ(in.ridge("gate --baseline 01KA0018 --fail-on never").code, 0);
  EXPECT_EQ(in.ridge("gate --baseline 01KA0018 --min-effect 20% --no-confirm").code, 0);
  EXPECT_THAT(in.ridge("gate --baseline 01KA0018 --no-confirm --json").out,
              HasSubstr(R"("outcome":"suspected","fails":true)"));
}

TEST(changes, a_gate_says_why_it_could_not_measure_again) {
  const scene in;
  store_runs(in, 1.1, 19);
  const auto seen = in.ridge("gate --baseline 01KA0018");
  EXPECT_EQ(seen.code, 1) << "a suspect that cannot be cleared fails";
  EXPECT_THAT(seen.out, HasSubstr("it was measured on some-machine"));
}

TEST(changes, a_gate_without_anything_to_compare_is_no_success) {
  const scene in;
  EXPECT_EQ(in.ridge("gate").code, 69) << "no store";
  store_runs(in, 1);
  EXPECT_EQ(in.ridge("gate --no-confirm").code, 0);
  EXPECT_EQ(in.ridge("gate --baseline 01KA0019 --no-confirm").code, 69) << "nothing is newer";
  const auto unknown = in.ridge("gate --baseline no/such/branch");
  EXPECT_EQ(unknown.code, 64);
  EXPECT_THAT(unknown.err, HasSubstr("neither a commit"));
  EXPECT_EQ(in.ridge("gate --json --github").code, 64);
  EXPECT_EQ(in.ridge("gate --fail-on slow").code, 64);
}

TEST(changes, improvements_fail_only_when_any_change_does) {
  const scene in;
  store_runs(in, 0.9, 19);
  EXPECT_EQ(in.ridge("gate --baseline 01KA0018 --no-confirm").code, 0);
  EXPECT_EQ(in.ridge("gate --baseline 01KA0018 --no-confirm --fail-on any").code, 1);
}

}  // namespace
}  // namespace ridge::cli
