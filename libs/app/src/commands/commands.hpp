// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/app/command.hpp>
#include <ridge/app/context.hpp>

namespace ridge::app {

// Each adds one command to `parent`; its action uses `program`, which must outlive the parser.
void add_list(command& parent, context& program);
void add_show(command& parent, context& program);
void add_run(command& parent, context& program);
void add_compare(command& parent, context& program);
void add_verify(command& parent, context& program);
void add_history(command& parent, context& program);
void add_triage(command& parent, context& program);
void add_gate(command& parent, context& program);
void add_export(command& parent, context& program);
void add_import(command& parent, context& program);
void add_plot(command& parent, context& program);
void add_report(command& parent, context& program);
void add_probe(command& parent, context& program);
void add_peak(command& parent, context& program);
void add_doctor(command& parent, context& program);
void add_roofline(command& parent, context& program);
void add_audit(command& parent, context& program);
void add_bench(command& parent, context& program);
void add_ci(command& parent, context& program);
void add_judge(command& parent, context& program);
void add_judge_runner(command& parent, context& program);
void add_new(command& parent, context& program);
void add_coverage(command& parent, context& program);
void add_metrics(command& parent, context& program);
void add_validity(command& parent, context& program);
void add_selftest(command& parent, context& program);
void add_completion(command& parent, context& program);
void add_install(command& parent, context& program);
void add_man(command& parent, context& program);
void add_readme_table(command& parent, context& program);
void add_pack(command& parent, context& program);

}  // namespace ridge::app
