// SPDX-License-Identifier: Apache-2.0
#include <ridge/probe/audit.hpp>

#include <algorithm>
#include <memory>

#include <ridge/app/exit_code.hpp>
#include <ridge/model/json.hpp>

#include "commands/commands.hpp"
#include "machine/audit_report.hpp"
#include "machine/audited_system.hpp"

namespace ridge::app {
namespace {

struct options {
  bool json = false;
  bool all = false;
  std::string fail_on = "warning";
};

// 0 for what `fail_on` lets pass; else 1 when warnings are the worst, 2 for errors.
int exit_code_of(const model::audit& of, std::string_view fail_on) {
  const auto any = [&](model::severity how) {
    return std::ranges::any_of(of.checks, [how](const auto& check) { return check.severity == how; });
  };
  if (fail_on == "never") return exit_code::good;
  if (any(model::severity::error)) return exit_code::refused;
  return fail_on == "warning" && any(model::severity::warning) ? exit_code::worse : exit_code::good;
}

int audit(const context& in, const options& o) {
  const auto view = watched_system();
  const auto seen = probe::audit(view);
  const auto detail = o.all ? audit_detail::everything : audit_detail::problems;
  in.print(o.json ? model::audit_json(seen) + '\n'
                  : audit_report(seen, !view.container.empty(), detail, in.out));
  return exit_code_of(seen, o.fail_on);
}

}  // namespace

void add_audit(command& to, context& in) {
  auto o = std::make_shared<options>();
  to.add("audit", "Check which settings of this machine disturb measurements, and how to mend them")
      .flag("--json", o->json, "Print one JSON object (ridge.audit/1)")
      .flag("--all", o->all,
            "Show every check in full, with the remedies for bare metal, virtual machines and containers")
      .choice("--fail-on", o->fail_on, {"warning", "error", "never"},
              "Least severe finding that makes the exit code 2 (warning)")
      .notes(
          "Watches the machine for a quarter of a second. Nothing is changed: fixes are printed. Exit code 0 "
          "when "
          "nothing is worse than worth knowing, 1 with warnings, 2 with errors.")
      .runs([&in, o] { return audit(in, *o); });
}

}  // namespace ridge::app
