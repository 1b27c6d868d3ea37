// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace CLI {
class App;
}  // namespace CLI

namespace ridge::app {

struct context;

// Each adds one command to the parser; when the command line names it, `context::chosen` becomes its action.
void add_list(CLI::App& to, context& in);
void add_show(CLI::App& to, context& in);
void add_bench(CLI::App& to, context& in);
void add_new(CLI::App& to, context& in);
void add_coverage(CLI::App& to, context& in);
void add_metrics(CLI::App& to, context& in);
void add_completion(CLI::App& to, context& in);
void add_man(CLI::App& to, context& in);

}  // namespace ridge::app
