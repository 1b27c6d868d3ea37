// SPDX-License-Identifier: Apache-2.0
#include "machine/whole_machine.hpp"

#include <cstdlib>

#include <ridge/app/version.hpp>
#include <ridge/host/gpu_driver.hpp>
#include <ridge/vendor/onednn.hpp>
#include <ridge/vendor/openblas.hpp>

#include "machine/gpu_findings.hpp"
#include "machine/gpu_survey.hpp"
#include "machine/machine.hpp"

namespace ridge::app {
namespace {

constexpr double tools_limit_s = 3;

std::vector<host::tool> find_installed_tools() {
  const std::vector<host::tool_query> wanted{
      {"gcc", {}},
      {"g++", {}},
      {"clang", {"clang", "clang-20", "clang-19", "clang-18", "clang-17", "clang-16"}},
      {"nvcc", {}},
      {"cmake", {}},
      {"ninja", {}},
      {"python3", {}},
      {"ncu", {}},
      {"nsys", {}},
      {"docker", {}},
      {"podman", {}}};
  auto folders = host::program_folders();
  const char* home = std::getenv("CUDA_HOME");
  if (home != nullptr) folders.emplace_back(std::string(home) + "/bin");
  folders.emplace_back("/usr/local/cuda/bin");
  return host::find_tools(wanted, folders, tools_limit_s);
}

std::vector<probe::software> find_libraries() {
  std::vector<probe::software> all{{"ridge", std::string(version_line())}};
  if (const auto driver = host::gpu_driver(); !driver.empty()) all.emplace_back("NVIDIA driver", driver);
  all.emplace_back("OpenBLAS", vendor::find_openblas());
  all.emplace_back("oneDNN", vendor::find_onednn());
  for (const auto& one : gpu_findings()) {
    if (one.subject == "GPU") continue;  // GPUs have nodes of their own in the tree
    all.emplace_back(one.subject, one.fine ? result<std::string>(one.found) : error{one.found, ""});
  }
  return all;
}

}  // namespace

probe::machine_facts read_whole_machine() {
  auto facts = probe::read_machine_facts();
  facts.name = machine_name(facts.topology);
  facts.tools = find_installed_tools();
  facts.gpus = survey_gpus();
  facts.libraries = find_libraries();
  return facts;
}

}  // namespace ridge::app
