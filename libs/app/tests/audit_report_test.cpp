// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <ridge/base/text.hpp>

#include "machine/audit_report.hpp"

namespace ridge::app {
namespace {

using testing::HasSubstr;
using testing::Not;

model::audit example() {
  return {
      {{.id = "cpu.tsc",
        .title = "Time stamp counter",
        .severity = model::severity::ok,
        .seen = "constant",
        .why = "It measures."},
       {.id = "memory.thp",
        .title = "Transparent huge pages",
        .severity = model::severity::warning,
        .seen = "never",
        .why =
            "Without huge pages every random read walks the page table, and that walk is what is then timed.",
        .fix_bare_metal = "echo madvise",
        .fix_container = "the host's setting",
        .fix_kubernetes = "the node's setting"},
       {.id = "cpu.smt", .title = "Threads", .severity = model::severity::info, .seen = "on"},
       {.id = "memory.channels",
        .title = "Channels",
        .severity = model::severity::unknown,
        .seen = "no EDAC driver"},
       {.id = "cpu.quota",
        .title = "CPU quota",
        .severity = model::severity::error,
        .seen = "1 CPUs for 2 cores",
        .fix_bare_metal = "lift it",
        .fix_container = "lift it",
        .fix_kubernetes = "lift it"}}};
}

TEST(audit_report, tells_problems_first_and_the_rest_in_short) {
  const auto text = audit_report(example(), false, audit_detail::problems, {});
  EXPECT_TRUE(text.starts_with("error    cpu.quota  CPU quota: 1 CPUs for 2 cores\n")) << text;
  EXPECT_LT(text.find("cpu.quota"), text.find("memory.thp"));
  EXPECT_THAT(text, HasSubstr("         Without huge pages every random read"));
  EXPECT_THAT(text, HasSubstr("worth knowing (1)\n  cpu.smt  on\n"));
  EXPECT_THAT(text, HasSubstr("not readable here (1)\n  memory.channels  no EDAC driver\n"));
  EXPECT_THAT(text, HasSubstr("fine (1)\n  cpu.tsc\n"));
  EXPECT_THAT(text, HasSubstr("1 error, 1 warning, 1 worth knowing, 1 fine, 1 unknown; nothing was changed"));
  EXPECT_THAT(text, Not(HasSubstr("It measures.")));
}

TEST(audit_report, names_the_fixes_for_the_place_where_it_runs) {
  const auto outside = audit_report(example(), false, audit_detail::problems, {});
  EXPECT_THAT(outside, HasSubstr("         fix         echo madvise\n"));
  EXPECT_THAT(outside, Not(HasSubstr("node's")));
  const auto inside = audit_report(example(), true, audit_detail::problems, {});
  EXPECT_THAT(
      inside,
      HasSubstr("         container   the host's setting\n         Kubernetes  the node's setting\n"));
  EXPECT_THAT(inside, Not(HasSubstr("echo madvise")));
  EXPECT_THAT(inside, HasSubstr("         fix         lift it\n"));
}

TEST(audit_report, tells_everything_when_asked) {
  const auto text = audit_report(example(), false, audit_detail::everything, {});
  for (const auto* said :
       {"bare metal  echo madvise", "container   the host's", "Kubernetes  the node's",
        "unknown  memory.channels  Channels: no EDAC driver", "ok       cpu.tsc", "It measures."})
    EXPECT_THAT(text, HasSubstr(said));
  EXPECT_THAT(text, Not(HasSubstr("--all")));
}

TEST(audit_report, keeps_to_the_terminals_width) {
  const auto text = audit_report(example(), true, audit_detail::everything, {.columns = 60});
  for (const auto line : split(text, '\n')) EXPECT_LE(display_width(line), 60u) << line;
}

}  // namespace
}  // namespace ridge::app
