// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <ridge/app/exit_code.hpp>
#include <ridge/model/json.hpp>
#include <ridge/probe/audit.hpp>

#include "commands/commands.hpp"
#include "machine/audit_report.hpp"
#include "machine/audited_system.hpp"

namespace ridge::app {
namespace {

struct audit_options {
  bool json = false;
  bool all = false;
  std::string fail_on = "warning";
};

// Returns 0 for what `fail_on` lets pass; else 1 when warnings are the worst, 2 for errors.
int exit_code_of_audit(const model::audit& audit, std::string_view fail_on) {
  const auto any = [&](model::severity level) {
    return std::ranges::any_of(audit.checks, [level](const auto& check) { return check.severity == level; });
  };
  if (fail_on == "never") return exit_code::good;
  if (any(model::severity::error)) return exit_code::refused;
  return fail_on == "warning" && any(model::severity::warning) ? exit_code::worse : exit_code::good;
}

int audit(const context& program, const audit_options& o) {
  const auto view = watched_system(program.experiments.all());
  const auto seen = probe::audit(view);
  const auto detail = o.all ? audit_detail::everything : audit_detail::problems;
  program.print(o.json ? model::audit_json(seen) + '\n'
                       : audit_report(seen, !view.container.empty(), detail, program.out));
  return exit_code_of_audit(seen, o.fail_on);
}

}  // namespace

void add_audit(command& parent, context& program) {
  auto o = std::make_shared<audit_options>();
  parent.add("audit", "Find settings of this machine that distort benchmarks, and how to fix them")
      .flag("--json", o->json, "Print one JSON object (ridge.audit/1)")
      .flag("--all", o->all,
            "Show every check in full, with the remedies for bare metal, virtual machines and containers")
      .choice("--fail-on", o->fail_on, {"warning", "error", "never"},
              "Least severe finding that makes the exit code differ from 0 (warning)")
      .notes(
          "Watches the machine for a quarter of a second and changes nothing: it prints what could be "
          "changed. "
          "The exit code is 2 with errors, 1 with warnings, and 0 otherwise.")
      .runs([&program, o] { return audit(program, *o); });
}

}  // namespace ridge::app
