// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/app/command.hpp>
#include <ridge/app/context.hpp>

namespace ridge::app_trace {

// Each adds one command to the program's command.
void add_profile(app::command& command, app::context& context);
void add_trace(app::command& command, app::context& context);
void add_diagnose(app::command& command, app::context& context);

// Each adds verbs to `ridge trace`, those that write files.
void add_trace_exports(app::command& command, app::context& context);
void add_trace_flame(app::command& command, app::context& context);
void add_trace_html(app::command& command, app::context& context);

}  // namespace ridge::app_trace
