// SPDX-License-Identifier: Apache-2.0
#include <ridge/app/app.hpp>

#include <exception>
#include <utility>

#include <ridge/app/exit_code.hpp>
#include <ridge/base/error.hpp>

#include "command_line/command_line.hpp"
#include "command_line/program_lines.hpp"
#include "machine/kernel_timers.hpp"

namespace ridge::app {
namespace {

int guarded(context& program) {
  try {
    return run_command_line(program);
  } catch (const unavailable& lacking) {
    return program.refuse(lacking.why(), exit_code::unavailable);
  } catch (const failure& failed) {
    return program.refuse(failed.why(), exit_code::file);
  } catch (const std::exception& bug) {
    return program.refuse({bug.what(), "this is a bug in ridge or in an experiment; please report it"},
                          exit_code::bug);
  }
}

}  // namespace

}  // namespace ridge::app

int ridge::app::main(int argc, char** argv, experiment_shelf experiments, std::vector<command_group> groups) {
  context in;
  in.typed.assign(argv, argv + argc);
  if (in.typed.empty()) in.typed.emplace_back("ridge");
  in.programs = cut_program_lines(in.typed);
  in.experiments = std::move(experiments);
  in.groups = std::move(groups);
  in.kernel_timers = kernel_timers_here();
  const int code = guarded(in);
  if (in.print_error == 0) return code;
  return in.refuse(io_failure("write", "standard output", in.print_error).why(), exit_code::file);
}
