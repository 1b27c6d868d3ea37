// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/app/command.hpp>
#include <ridge/app/context.hpp>

namespace ridge::app {

// Each adds one command to the parser; when the command line names it, `context::chosen` becomes its action.
void add_list(command& to, context& in);
void add_show(command& to, context& in);
void add_run(command& to, context& in);
void add_compare(command& to, context& in);
void add_verify(command& to, context& in);
void add_history(command& to, context& in);
void add_export(command& to, context& in);
void add_probe(command& to, context& in);
void add_peak(command& to, context& in);
void add_doctor(command& to, context& in);
void add_roofline(command& to, context& in);
void add_audit(command& to, context& in);
void add_bench(command& to, context& in);
void add_new(command& to, context& in);
void add_coverage(command& to, context& in);
void add_metrics(command& to, context& in);
void add_selftest(command& to, context& in);
void add_completion(command& to, context& in);
void add_man(command& to, context& in);
void add_readme_table(command& to, context& in);
void add_pack(command& to, context& in);

}  // namespace ridge::app
