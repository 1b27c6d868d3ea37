// SPDX-License-Identifier: Apache-2.0
#include <ridge/model/audit.hpp>

#include <gtest/gtest.h>

#include <ridge/model/json.hpp>

namespace ridge::model {
namespace {

audit_check check_of(std::string id, severity level) {
  return {.id = std::move(id), .severity = level, .seen = "x"};
}

TEST(audit, what_a_run_keeps_is_errors_and_then_warnings) {
  const audit of{{check_of("a", severity::warning), check_of("b", severity::info),
                  check_of("c", severity::error), check_of("d", severity::unknown),
                  check_of("e", severity::warning), check_of("f", severity::ok)}};
  const auto found = findings(of);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].id, "c");
  EXPECT_EQ(found[1].id, "a");
  EXPECT_EQ(found[2].id, "e");
  EXPECT_EQ(findings_in_short(found), "1 error (c), 2 warnings (a, e)");
}

TEST(audit, nothing_to_say_is_said_with_nothing) {
  EXPECT_EQ(findings_in_short({}), "");
  const audit_finding one{"cpu.governor", severity::warning, "powersave"};
  EXPECT_EQ(findings_in_short(std::span(&one, 1)), "1 warning (cpu.governor)");
}

TEST(audit, reads_back_as_it_was_written) {
  const audit of{{{.id = "memory.thp",
                   .title = "Transparent huge pages",
                   .severity = severity::unknown,
                   .seen = "not visible",
                   .why = "pages",
                   .fix_bare_metal = "echo madvise",
                   .fix_container = "none: the host's",
                   .fix_kubernetes = "the node's"}}};
  const auto text = audit_json(of);
  EXPECT_NE(text.find(R"("schema": "ridge.audit/1")"), std::string::npos);
  EXPECT_NE(text.find(R"("severity": "unknown")"), std::string::npos);
  const auto back = audit_from_json(text);
  ASSERT_TRUE(back.ok()) << back.why().text();
  EXPECT_EQ(audit_json(*back), text);
}

TEST(audit, a_severity_that_nobody_knows_is_refused_with_its_place) {
  const auto back = audit_from_json(R"({"schema": "ridge.audit/1", "checks": [{"severity": "bad"}]})");
  ASSERT_FALSE(back.ok());
  EXPECT_NE(back.why().message.find("/checks/0/severity"), std::string::npos) << back.why().message;
}

TEST(audit, an_environment_of_an_older_run_has_no_findings) {
  const auto old = environment_from_json(R"({"schema": "ridge.environment/1", "machine": "m", "facts": {}})");
  ASSERT_TRUE(old.ok()) << old.why().text();
  EXPECT_TRUE(old->findings.empty());
}

}  // namespace
}  // namespace ridge::model
