// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <ridge/model/audit.hpp>

namespace ridge::model {

// The machine, toolchain and settings under which a run was made. Facts that could not be read are empty,
// never guessed.
struct environment {
  std::string machine{};   // "<vendor>-<cpu or gpu>-x<count>", lower case, e.g. intel-xeon-x2
  std::string host{};      // host name
  std::string cpu{};       // model name
  std::string kernel{};    // uname -sr
  std::string compiler{};  // "GCC 12.2.0"
  std::string flags{};     // compile flags of the kernels
  std::string build{};     // ridge's version and commit
  int cores = 0;           // allowed physical cores
  double memory_bytes = 0;
  // Everything else by name, in print order: governor, turbo, aslr, microcode, hypervisor, thp, cgroup
  // limits, load ...
  std::vector<std::pair<std::string, std::string>> facts{};
  std::vector<audit_finding> findings{};  // warnings and errors of the audit when the run was made
};

}  // namespace ridge::model
