// SPDX-License-Identifier: Apache-2.0
// Everything that the table of validity issues names exists.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <ridge/device/host_options.hpp>
#include <ridge/harness/mode.hpp>
#include <ridge/harness/runner.hpp>
#include <ridge/selftest/selftest.hpp>
#include <ridge/validity/issues.hpp>
#include <ridge/validity/names.hpp>

#include "cheats.hpp"

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

bool is_of_an_id(char letter) { return (letter >= 'a' && letter <= 'z') || letter == '_' || letter == '.'; }

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

// The ids of the checks of an honest family on the host, of its comparison and of itself.
names checks_of_a_family() {
  const auto device = backends::device_host::make({});
  const auto subject = cheats::question("none", cheats::honest_and<cheats::honest>);
  harness::run_options options;
  options.profile.budget_per_arm_s = 0.02;
  options.protocol.warm_up_max_s = 0.02;
  harness::instruments with;
  with.where = device.get();
  const experiment made = subject;
  const auto family =
      harness::measure_family({made, made.problems().front(), model::backend::cpu}, with, options);
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

TEST(validity, names_only_cheats_that_exist) {
  names known;
  for (const auto& one : cheats::all()) known.insert(one.of->title);
  for (const auto& one : issues()) {
    for (const auto id : words_of(one.cheats))
      EXPECT_TRUE(known.contains(id)) << one.id << " names the cheat " << id;
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
