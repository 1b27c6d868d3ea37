// SPDX-License-Identifier: Apache-2.0
#include <ridge/app/app.hpp>
#include <ridge/app_plan/commands.hpp>
#include <ridge/app_results/commands.hpp>
#include <ridge/app_serve/commands.hpp>
#include <ridge/app_trace/commands.hpp>
#include <ridge/harness/experiment_list.hpp>

// The main() of programs made by ridge_program(): all their experiments and commands are linked into them.
int main(int argc, char** argv) {
  return ridge::app::main(argc, argv, ridge::experiments::all(),
                          {ridge::app::linked_group("trace", ridge::app_trace::commands),
                           ridge::app::linked_group("plan", ridge::app_plan::commands),
                           ridge::app::linked_group("results", ridge::app_results::commands),
                           ridge::app::linked_group("serve", ridge::app_serve::commands)});
}
