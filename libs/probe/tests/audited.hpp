// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <ridge/probe/audit.hpp>

#include "../../host/tests/fixture_tree.hpp"

namespace ridge::probe {

// A made-up machine of two cores, and what the audit says of it.
class audited : public testing::Test {
 protected:
  using enum model::severity;

  audited() {
    write("proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu tsc constant_tsc nonstop_tsc");
    write("proc/self/status", "Cpus_allowed_list:\t0-1\nMems_allowed_list:\t0");
    write("sys/devices/system/cpu/online", "0-1");
  }

  void write(const std::string& path, std::string_view text) const { tree.write(path, text); }
  void write_cpus(const std::string& file, std::string_view text) const {
    for (const auto* cpu : {"cpu0/", "cpu1/"})
      write(std::string("sys/devices/system/cpu/") + cpu + file, text);
  }

  [[nodiscard]] model::audit all() {
    auto read = view_of(tree.root());
    read.variables = given.variables;
    read.build = given.build;
    read.recent = given.recent;
    read.gpus = given.gpus;
    read.working_folder = given.working_folder;
    return audit(read);
  }

  [[nodiscard]] bool is_asked(std::string_view id) {
    for (const auto& check : all().checks) {
      if (check.id == id) return true;
    }
    return false;
  }

  [[nodiscard]] model::audit_check look(std::string_view id) {
    for (auto& check : all().checks) {
      if (check.id == id) return check;
    }
    ADD_FAILURE() << "no check " << id;
    return {};
  }

  // One that needs doing something: all three fixes are there, and say `fix` on bare metal.
  void expect_problem(std::string_view id, model::severity how, std::string_view seen, std::string_view fix) {
    const auto check = look(id);
    EXPECT_EQ(check.severity, how) << id << ": " << check.seen;
    EXPECT_NE(check.seen.find(seen), std::string::npos) << id << ": " << check.seen;
    EXPECT_NE(check.fix_bare_metal.find(fix), std::string::npos) << id << ": " << check.fix_bare_metal;
    EXPECT_FALSE(check.why.empty() || check.title.empty()) << id;
  }

  void expect_said(std::string_view id, model::severity how, std::string_view seen) {
    const auto check = look(id);
    EXPECT_EQ(check.severity, how) << id << ": " << check.seen;
    EXPECT_NE(check.seen.find(seen), std::string::npos) << id << ": " << check.seen;
  }

  void expect_fine(std::string_view id) {
    const auto check = look(id);
    EXPECT_EQ(check.severity, model::severity::ok) << id << ": " << check.seen;
    EXPECT_EQ(check.fix_bare_metal, "") << id;
  }

  host::fixture_tree tree{};
  system_view given{};
};

}  // namespace ridge::probe
