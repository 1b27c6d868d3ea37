// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/app/command_group.hpp>
#include <ridge/app/experiment_shelf.hpp>
#include <ridge/harness/experiment.hpp>

namespace ridge::app {

// Runs the whole command line of Ridge with these experiments: the main() of any program. Commands of groups
// that are not passed are listed and refused. It owns stdout, stderr and the signals of the process while it
// runs. Returns the exit code: 0; 1 and 3 only with --fail-on; 2 something was refused or invalid; 64 wrong
// usage; 69 this machine lacks what was asked for; 70 a bug; 74 a file failed; 130 interrupted.
[[nodiscard]] int main(int argc, char** argv, experiment_shelf experiments,
                       std::vector<command_group> groups);

}  // namespace ridge::app
