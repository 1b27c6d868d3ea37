// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/requirements.hpp>

#include <algorithm>
#include <charconv>
#include <initializer_list>

#include <fmt/format.h>

#include <ridge/host/isa.hpp>
#include <ridge/host/topology.hpp>

#include "plan/privileges.hpp"

namespace ridge::harness {
namespace {

using device::compute_capability;

std::size_t physical_cores() {
  static const std::size_t cores = host::read_topology().one_cpu_per_core().size();
  return cores;
}

std::string lacking_isa(const std::vector<std::string>& isa) {
  const auto missing = std::ranges::find_if_not(isa, [](const auto& set) { return host::has_isa(set); });
  return missing == isa.end() ? "" : fmt::format("needs {}, which this CPU does not have", *missing);
}

std::string lacking_cores(int cores) {
  if (cores <= 0 || static_cast<std::size_t>(cores) <= physical_cores()) return "";
  return fmt::format("needs {} physical cores, this process may use {}", cores, physical_cores());
}

// With one core a variant of several threads is the same as one of one thread, and has no team to work with.
std::string lacking_second_core(const variant_facts& variant) {
  if (variant.threads != all_cores || physical_cores() > 1) return "";
  return "needs two physical cores or more, this process may use one (taskset, or the limit of a container)";
}

std::string lacking_privilege(const std::vector<privilege>& privileges) {
  for (const auto asked : privileges) {
    if (auto why = privilege_missing_because(asked); !why.empty()) return why;
  }
  return "";
}

std::string lacking_isolation(isolation wanted, const instruments& equipment) {
  if (wanted == isolation::isolated_cores) return cores_shared_because();
  if (wanted != isolation::idle_gpu || !equipment.other_gpu_processes) return "";
  const auto others = equipment.other_gpu_processes();
  if (!others) return "needs an idle GPU, and the driver does not tell which processes use it";
  if (*others == 0) return "";
  return fmt::format("needs an idle GPU, {} other processes compute on it; end them", *others);
}

std::string lacking_gpus(const needs& wanted, const std::vector<device::gpu_use>& here) {
  if (wanted.gpus > 1 && here.size() < static_cast<std::size_t>(wanted.gpus)) {
    return fmt::format("needs {} GPUs, {} here", wanted.gpus,
                       here.size() == 1 ? "1 is" : fmt::format("{} are", here.size()));
  }
  if (!wanted.peer_access) return "";
  for (std::size_t i = 1; i < std::min(here.size(), static_cast<std::size_t>(wanted.gpus)); ++i) {
    if (!here[i].peer)
      return fmt::format(
          "needs peer access between GPUs 0 and {}; choose GPUs that `nvidia-smi topo -p2p rw` links", i);
  }
  return "";
}

// {9, 0} for "sm_90a" and for "sm_90"; {0, 0} where it is no such name.
compute_capability capability_named(std::string_view architecture) {
  int number = 0;
  if (architecture.starts_with("sm_"))
    std::from_chars(architecture.data() + 3, architecture.data() + architecture.size(), number);
  return {number / 10, number % 10};
}

std::string lacking_capability(const needs& wanted, compute_capability here) {
  const auto text = [](compute_capability c) { return fmt::format("{}.{}", c.major, c.minor); };
  if (here == compute_capability{}) return "";
  if (here < wanted.compute_capability)
    return fmt::format("needs compute capability {}, this GPU has {}; run on a newer GPU",
                       text(wanted.compute_capability), text(here));
  if (wanted.architecture.empty() || capability_named(wanted.architecture) == here) return "";
  return fmt::format("needs {}, this GPU has compute capability {}; run on a GPU of {}", wanted.architecture,
                     text(here), text(capability_named(wanted.architecture)));
}

// Instruction sets compiled for one architecture ("sm_90a") run only where the build holds code for it.
std::string lacking_code(const std::string& architecture, const instruments& equipment) {
  if (architecture.empty() || equipment.built_architectures.empty()) return "";
  const auto built = [&](const std::string& architecture_built) {
    return "sm_" + architecture_built == architecture;
  };
  if (std::ranges::any_of(equipment.built_architectures, built)) return "";
  return fmt::format(
      "needs {}, for which this build holds no code; configure with it in CMAKE_CUDA_ARCHITECTURES",
      architecture);
}

std::string lacking_library(const std::string& library, const instruments& equipment) {
  if (library.empty() || !equipment.missing_library) return "";
  const auto why = equipment.missing_library(library);
  return why.empty() ? "" : fmt::format("needs {}: {}", library, why);
}

// The first of several reasons.
std::string first_of(std::initializer_list<std::string> reasons) {
  const auto found = std::ranges::find_if(reasons, [](const auto& why) { return !why.empty(); });
  return found == reasons.end() ? "" : *found;
}

}  // namespace

std::string unavailable_because(const variant_facts& variant) {
  return first_of({lacking_isa(variant.needs.isa),
                   lacking_cores(std::max(variant.needs.cores, variant.threads)),
                   lacking_second_core(variant), lacking_privilege(variant.needs.privileges)});
}

std::string unavailable_because(const variant_facts& variant, const instruments& equipment) {
  const auto gpus = equipment.device->gpus();
  const auto capability = gpus.empty() ? compute_capability{} : gpus.front().compute_capability;
  return first_of({unavailable_because(variant), lacking_library(variant.needs.library, equipment),
                   lacking_gpus(variant.needs, gpus), lacking_capability(variant.needs, capability),
                   lacking_code(variant.needs.architecture, equipment),
                   lacking_isolation(variant.needs.isolation, equipment)});
}

}  // namespace ridge::harness
