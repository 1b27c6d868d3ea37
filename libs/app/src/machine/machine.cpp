// SPDX-License-Identifier: Apache-2.0
#include "machine/machine.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

#include <fmt/format.h>

#include <ridge/app/version.hpp>
#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>
#include <ridge/host/gpu_models.hpp>
#include <ridge/host/isa.hpp>
#include <ridge/probe/audit.hpp>

#include "machine/audited_system.hpp"

namespace ridge::app {
namespace {

std::string compiler_name() {
#if defined(__clang__)
  return fmt::format("Clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return fmt::format("GCC {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// Returns a short name of a processor: "Intel(R) Xeon(R) Processor @ 2.1GHz" -> "intel-xeon". It keeps the
// first three words that are not decoration.
std::string short_model(const std::string& model) {
  const std::string text = lower(model.substr(0, model.find('@')));
  std::string name;
  int words = 0;
  for (auto word : split(text, ' ')) {
    if (const auto mark = word.find('('); mark != std::string_view::npos) word = word.substr(0, mark);
    if (word.empty() || word == "processor" || word == "cpu" || word == "virtual" || word.ends_with("-core"))
      continue;
    name += (name.empty() ? "" : "-") + std::string(word);
    if (++words == 3) break;
  }
  std::erase_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-'; });
  return name.empty() ? "unknown-cpu" : name;
}

std::string on_off(const std::optional<bool>& state) { return !state ? "" : *state ? "on" : "off"; }

// Variables that change what libraries of linear algebra and OpenMP do, whatever a variant asks of them.
constexpr const char* obeyed_by_libraries[] = {"OPENBLAS_CORETYPE",       "OPENBLAS_NUM_THREADS",
                                               "GOTO_NUM_THREADS",        "OMP_NUM_THREADS",
                                               "OMP_PROC_BIND",           "OMP_PLACES",
                                               "GOMP_CPU_AFFINITY",       "OMP_DYNAMIC",
                                               "MKL_NUM_THREADS",         "MKL_CBWR",
                                               "MKL_ENABLE_INSTRUCTIONS", "MKL_DEBUG_CPU_TYPE",
                                               "DNNL_MAX_CPU_ISA",        "ONEDNN_MAX_CPU_ISA",
                                               "BLIS_NUM_THREADS",        "NVIDIA_TF32_OVERRIDE"};

void add_facts(model::environment& environment, const host::topology& topology) {
  const auto fact = [&](std::string name, std::string value) {
    if (!value.empty()) environment.facts.emplace_back(std::move(name), std::move(value));
  };
  const auto& s = topology.system;
  fact("vector_isa", std::string(host::widest_vector_isa()));
  fact("microcode", topology.cpu.microcode);
  fact("hypervisor", s.hypervisor);
  fact("governor", s.governor);
  fact("turbo", on_off(s.turbo));
  fact("smt", on_off(s.smt));
  fact("aslr", s.address_randomization ? fmt::format("{}", *s.address_randomization) : "");
  fact("thp", s.transparent_huge_pages);
  fact("perf_event_paranoid", s.perf_event_paranoid ? fmt::format("{}", *s.perf_event_paranoid) : "");
  fact("last_level_cache", format_quantity(static_cast<double>(topology.last_level_cache_bytes()), "B"));
  fact("numa_nodes", fmt::format("{}", topology.nodes.size()));
  fact("cgroup_cpus", topology.cgroup.cpus ? fmt::format("{:g}", *topology.cgroup.cpus) : "");
  for (const char* name : obeyed_by_libraries) {
    const char* value = std::getenv(name);
    fact(name, value == nullptr ? "" : value);
  }
  std::array<double, 3> load{};
  if (getloadavg(load.data(), 3) == 3)
    fact("load", fmt::format("{:.2f} {:.2f} {:.2f}", load[0], load[1], load[2]));
}

}  // namespace

std::string machine_name(const host::topology& topology) {
  auto name = fmt::format("{}-x{}", short_model(topology.cpu.model), topology.cores.size());
  const auto gpus = host::gpu_models();
  if (gpus.empty()) return name;
  name += "-" + short_model(gpus.front());
  return gpus.size() == 1 ? name : fmt::format("{}-x{}", name, gpus.size());
}

model::environment read_environment() {
  const auto topology = host::read_topology();
  utsname system{};
  uname(&system);
  model::environment made{.machine = machine_name(topology),
                          .host = system.nodename,
                          .cpu = topology.cpu.model,
                          .kernel = fmt::format("{} {}", system.sysname, system.release),
                          .compiler = compiler_name(),
                          .flags = std::string(build_flags()),
                          .build = std::string(version_line()),
                          .cores = static_cast<int>(topology.cores.size()),
                          .memory_bytes = static_cast<double>(topology.usable_memory_bytes())};
  add_facts(made, topology);
  if (const auto gpus = host::gpu_models(); !gpus.empty()) made.facts.emplace_back("gpu", join(gpus, ", "));
  made.findings = model::findings(probe::audit(audited_system(topology)));
  return made;
}

}  // namespace ridge::app
