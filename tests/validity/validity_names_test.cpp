// SPDX-License-Identifier: Apache-2.0
// Everything that the table of validity issues names exists.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <ridge/device/host_options.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/harness/mode.hpp>
#include <ridge/harness/runner.hpp>
#include <ridge/selftest/selftest.hpp>
#include <ridge/validity/issues.hpp>
#include <ridge/validity/names.hpp>

namespace ridge::backends::device_host {
std::unique_ptr<device::device> make(device::host_options how);
}  // namespace ridge::backends::device_host

namespace ridge::validity {
namespace {

using names = std::set<std::string, std::less<>>;

std::string source_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

bool is_of_an_id(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '_' ||
         letter == '.';
}

// The quoted ids that stand right behind `before` in the sources below a folder of the checkout.
names stated_in(const std::string& folder, const std::string& before) {
  names found;
  const auto root = std::filesystem::path(std::getenv("RIDGE_SOURCE_DIR")) / folder;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".cpp") continue;
    const auto text = source_of(entry.path());
    for (auto at = text.find(before); at != std::string::npos; at = text.find(before, at + 1)) {
      const auto first = text.begin() + static_cast<std::ptrdiff_t>(at + before.size());
      const auto last = std::find_if_not(first, text.end(), is_of_an_id);
      if (last != text.end() && *last == '"') found.emplace(first, last);
    }
  }
  return found;
}

// The ids of every check that the harness can make.
names harness_checks() {
  auto found = stated_in("libs/harness/src", ".id = \"");
  for (const auto one : {harness::mode::warm, harness::mode::graph, harness::mode::host_latency})
    found.insert("mode." + std::string(harness::name(one)));
  return found;
}

// The ids of the findings of the machine's audit.
names audit_checks() { return stated_in("libs/probe/src/audit", "check{\""); }

struct copied {
  input<float> source{};
  output<float> target{};
};

void copy(copied& w) { std::ranges::copy(w.source, w.target.begin()); }

ladder<copied> two_copies() {
  const auto body = [](copied& w, call&) { copy(w); };
  return {{.name = "first", .is = role::baseline, .run = body}, {.name = "second", .run = body}};
}

experiment copies() {
  return experiment_of<copied>{
      .id = "validity.copies",
      .title = "A family like any other",
      .question = "Which checks does it report?",
      .make =
          [](const problem&, memory& m) {
            return copied{m.in<float>(4096, normal{}), m.out<float>(4096)};
          },
      .oracle = copy,
      .cpu = two_copies,
  };
}

model::family family_on_the_host(const std::function<void(std::string_view, double)>& stage_over) {
  const auto device = backends::device_host::make({});
  const auto subject = copies();
  harness::run_options options;
  options.profile.budget_per_arm_s = 0.02;
  options.protocol.warm_up_max_s = 0.02;
  harness::instruments with;
  with.device = device.get();
  with.stage_over = stage_over;
  return harness::measure_family({subject, subject.problems().front(), model::backend::cpu}, with, options);
}

// The ids of the checks of an honest family on the host, of its comparison and of itself.
names checks_of_a_family() {
  const auto family = family_on_the_host({});
  names found;
  for (const auto& check : family.checks) found.insert(check.id);
  for (const auto& comparison : family.comparisons) {
    for (const auto& check : comparison.checks) found.insert(check.id);
  }
  return found;
}

TEST(validity, names_only_checks_that_exist) {
  const auto by_harness = harness_checks(), by_audit = audit_checks();
  ASSERT_TRUE(by_harness.contains("timed_results")) << "the pattern no longer finds the harness's checks";
  ASSERT_TRUE(by_audit.contains("cpu.governor")) << "the pattern no longer finds the audit's checks";
  for (const auto& one : issues()) {
    for (const auto id : words_of(one.checks))
      EXPECT_TRUE(by_harness.contains(id) || by_audit.contains(id)) << one.id << " names the check " << id;
  }
}

TEST(validity, finds_in_the_sources_what_a_family_on_the_host_reports) {
  const auto by_harness = harness_checks();
  const auto reported = checks_of_a_family();
  EXPECT_TRUE(reported.contains("verified") && reported.contains("guards"));
  for (const auto& id : reported) EXPECT_TRUE(by_harness.contains(id)) << id;
}

// A check that no issue names protects against nothing known, or its issue is missing.
TEST(validity, names_every_check_of_the_harness) {
  names named;
  for (const auto& one : issues()) {
    for (const auto id : words_of(one.checks)) named.emplace(id);
  }
  const names figures{"energy", "mode.warm"};  // figures that may be missing, not checks of validity
  for (const auto& id : harness_checks()) EXPECT_TRUE(named.contains(id) || figures.contains(id)) << id;
}

TEST(harness, tells_what_each_stage_of_a_family_took) {
  std::vector<std::string> stages;
  const auto family = family_on_the_host([&](std::string_view stage, double seconds) {
    stages.emplace_back(stage);
    EXPECT_GE(seconds, 0) << stage;
  });
  EXPECT_EQ(stages, (std::vector<std::string>{"verification", "side_effects", "alone", "set_up", "warm_up",
                                              "timed", "between_samples", "fresh_rounds", "recheck",
                                              "ceilings", "events", "clocks"}));
}

TEST(validity, names_only_cheats_that_exist) {
  const auto known = stated_in("tests/cheats", "\"");
  ASSERT_TRUE(known.contains("returns_at_once")) << "the sources of the cheats are no longer found";
  for (const auto& one : issues()) {
    for (const auto id : words_of(one.cheats))
      EXPECT_TRUE(known.contains(id)) << one.id << " names the cheat " << id;
  }
}

// The ids that begin a row of a list of cheats in the sources below a folder.
names listed_in(const std::string& folder) {
  names found;
  for (const auto& id : stated_in(folder, "\n      {\"")) {
    if (id.find('_') != std::string::npos) found.insert(id);
  }
  return found;
}

TEST(validity, answers_every_cheat_of_a_gpu) {
  names answered;
  for (const auto& one : issues()) {
    for (const auto id : words_of(one.cheats)) answered.emplace(id);
  }
  auto cheats = listed_in("tests/cheats/cuda");
  ASSERT_TRUE(cheats.contains("hides_from_the_tracer")) << "the lists are no longer found";
  const auto twins =
      source_of(std::filesystem::path(std::getenv("RIDGE_SOURCE_DIR")) / "tests/cheats/cuda/cuda_twins.cpp");
  for (const auto& id : cheats) {
    const bool twin = twins.find("{\"" + id + "\"") != std::string::npos;
    EXPECT_TRUE(twin || answered.contains(id)) << id << " stands in no row of the table";
  }
}

TEST(validity, names_only_rows_of_the_selftest_that_exist) {
  const auto all = selftest::names();
  const names known(all.begin(), all.end());
  for (const auto& one : issues()) {
    for (const auto id : words_of(one.selftest))
      EXPECT_TRUE(known.contains(id)) << one.id << " names the row " << id;
  }
}

}  // namespace
}  // namespace ridge::validity
