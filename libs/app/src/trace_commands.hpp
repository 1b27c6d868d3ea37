// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command.hpp"
#include "context.hpp"

namespace ridge::app {

// The verbs of `ridge trace` that write files.
void add_trace_exports(command& of, context& in);
void add_trace_flame(command& of, context& in);
void add_trace_html(command& of, context& in);

}  // namespace ridge::app
