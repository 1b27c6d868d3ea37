// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/host/text_file.hpp>

#include "audit/checks.hpp"

namespace ridge::probe {
namespace {

// Returns "NAME=value" for those variables that are set.
std::vector<std::string> set_ones(const system_view& system, std::initializer_list<std::string_view> names) {
  std::vector<std::string> found;
  for (const auto name : names) {
    if (const auto value = system.variable(name)) found.push_back(fmt::format("{}={}", name, *value));
  }
  return found;
}

std::vector<std::string> set_with(const system_view& system,
                                  std::initializer_list<std::string_view> prefixes) {
  std::vector<std::string> found;
  for (const auto& [name, value] : system.variables) {
    const auto begins = [&](std::string_view prefix) { return name.starts_with(prefix); };
    if (!value.empty() && std::ranges::any_of(prefixes, begins)) found.push_back(name + '=' + value);
  }
  return found;
}

std::string variable_name(const std::string& entry) { return entry.substr(0, entry.find('=')); }

// Returns the advice to unset the variables of a list.
advice unset(const std::vector<std::string>& entries) {
  std::vector<std::string> names;
  std::ranges::transform(entries, std::back_inserter(names), variable_name);
  const auto all = join(names, " ");
  return {"unset " + all, "leave out -e " + join(names, ", -e "),
          "take out of the pod's env: " + join(names, ", ")};
}

bool is_on(const system_view& system, std::string_view name) {
  const auto value = system.variable(name);
  return value && *value != "0";
}

constexpr auto nothing_set = "none set";

observed cuda_debugging(const system_view& system) {
  constexpr auto why =
      "CUDA_LAUNCH_BLOCKING waits after every launch and an injected tool watches every call: neither is how "
      "the program runs.";
  std::vector<std::string> found;
  if (is_on(system, "CUDA_LAUNCH_BLOCKING")) found = set_ones(system, {"CUDA_LAUNCH_BLOCKING"});
  std::ranges::move(set_ones(system, {"CUDA_INJECTION64_PATH", "CUDA_INJECTION32_PATH"}),
                    std::back_inserter(found));
  if (!found.empty()) return invalid(join(found, ", "), why, unset(found));
  return fine(nothing_set, why);
}

observed cuda_code(const system_view& system) {
  constexpr auto why =
      "Compiling PTX at start or loading all code at once moves seconds into the first call; other code may "
      "run "
      "than was built.";
  std::vector<std::string> found;
  for (const auto* name : {"CUDA_FORCE_PTX_JIT", "CUDA_CACHE_DISABLE", "CUDA_DISABLE_PTX_JIT"}) {
    if (is_on(system, name)) std::ranges::move(set_ones(system, {name}), std::back_inserter(found));
  }
  const auto loading = set_ones(system, {"CUDA_MODULE_LOADING"});
  if (!found.empty()) return warning(join(found, ", "), why, unset(found));
  if (!loading.empty() && loading.front() != "CUDA_MODULE_LOADING=LAZY")
    return note(loading.front(), why, unset(loading));
  return fine(loading.empty() ? nothing_set : loading.front(), why);
}

observed cuda_devices(const system_view& system) {
  constexpr auto why =
      "These variables choose which GPUs are visible, how they are numbered and how many queues carry work.";
  const auto found = set_ones(system, {"CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER",
                                       "CUDA_DEVICE_MAX_CONNECTIONS", "CUDA_MANAGED_FORCE_DEVICE_ALLOC"});
  if (found.empty()) return fine(nothing_set, why);
  if (system.variable("CUDA_VISIBLE_DEVICES") && !system.variable("CUDA_DEVICE_ORDER"))
    return note(join(found, ", "), why,
                anywhere("CUDA_DEVICE_ORDER=PCI_BUS_ID numbers GPUs as nvidia-smi does"));
  return note(join(found, ", "), why);
}

observed arithmetic(const system_view& system) {
  constexpr auto why =
      "These variables change what libraries compute: TF32 in place of FP32, or a fixed order at a fixed "
      "cost.";
  const auto forced = set_ones(system, {"NVIDIA_TF32_OVERRIDE"});
  if (!forced.empty()) return warning(forced.front(), why, unset(forced));
  const auto found = set_ones(system, {"CUBLAS_WORKSPACE_CONFIG", "CUBLASLT_WORKSPACE_SIZE",
                                       "CUDNN_LOGINFO_DBG", "CUBLAS_LOGINFO_DBG", "DNNL_MAX_CPU_ISA",
                                       "ONEDNN_MAX_CPU_ISA", "OPENBLAS_CORETYPE", "MKL_ENABLE_INSTRUCTIONS"});
  return found.empty() ? fine(nothing_set, why) : note(join(found, ", "), why, unset(found));
}

observed shared_context(const system_view& system) {
  constexpr auto why =
      "Under MPS the kernels of this process share the GPU with those of others and may get only some of its "
      "cores.";
  const auto found = set_with(system, {"CUDA_MPS_"});
  const auto pipe = system.variable("CUDA_MPS_PIPE_DIRECTORY").value_or("/tmp/nvidia-mps");
  const auto names = system.names_in(std::string_view(pipe).substr(pipe.starts_with('/') ? 1 : 0));
  const bool daemon = std::ranges::find(names, "control") != names.end();
  if (found.empty() && !daemon) return fine("no MPS", why);
  auto seen = join(found, ", ");
  if (daemon) seen += (seen.empty() ? "" : ", ") + ("a daemon's control pipe in " + pipe);
  return warning(std::move(seen), why,
                 {"echo quit | nvidia-cuda-mps-control, and unset CUDA_MPS_PIPE_DIRECTORY "
                  "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE",
                  "leave out -e CUDA_MPS_... and the mount of its pipe",
                  "a node whose device plugin does not share by MPS"});
}

observed collectives(const system_view& system) {
  constexpr auto why =
      "These variables choose NCCL's paths and algorithms; a path switched off or a chatty log costs "
      "bandwidth.";
  const auto all = set_with(system, {"NCCL_"});
  if (all.empty()) return fine(nothing_set, why);
  std::vector<std::string> slow;
  for (const auto* name : {"NCCL_P2P_DISABLE", "NCCL_SHM_DISABLE", "NCCL_IB_DISABLE"}) {
    if (is_on(system, name)) std::ranges::move(set_ones(system, {name}), std::back_inserter(slow));
  }
  const auto chatty = system.variable("NCCL_DEBUG").value_or("");
  if (chatty == "TRACE") slow.push_back("NCCL_DEBUG=TRACE");
  return slow.empty() ? note(join(all, ", "), why) : warning(join(all, ", "), why, unset(slow));
}

observed threads(const system_view& system) {
  constexpr auto why = "More threads than CPUs take turns: every barrier waits for one that is not running.";
  const auto all = set_with(system, {"OMP_", "KMP_", "GOMP_", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"});
  if (all.empty()) return fine(nothing_set, why);
  const auto cpus = static_cast<long long>(system.machine.allowed.size());
  for (const auto* name : {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"}) {
    const auto count = host::to_number(system.variable(name).value_or(""));
    if (count && cpus > 0 && *count > cpus)
      return warning(fmt::format("{}={} on {} CPUs", name, *count, cpus), why,
                     anywhere(fmt::format("{}={}", name, system.machine.cores.size())));
  }
  return note(join(all, ", "), why);
}

observed allocator(const system_view& system) {
  constexpr auto why =
      "A checking allocator makes every allocation slower; a tuned one is part of the result.";
  const auto checking = set_ones(system, {"MALLOC_CHECK_", "MALLOC_PERTURB_", "MALLOC_TRACE"});
  if (!checking.empty()) return warning(join(checking, ", "), why, unset(checking));
  const auto tuned = set_with(system, {"GLIBC_TUNABLES", "MALLOC_", "LD_BIND_NOW"});
  return tuned.empty() ? fine(nothing_set, why) : note(join(tuned, ", "), why);
}

observed preloaded(const system_view& system) {
  constexpr auto why = "A preloaded library may stand before any function that is timed.";
  const auto found = set_ones(system, {"LD_PRELOAD", "LD_AUDIT"});
  const auto file = system.text("etc/ld.so.preload").value_or("");
  if (found.empty() && file.empty()) return fine("none", why);
  auto seen = join(found, ", ");
  if (!file.empty()) seen += (seen.empty() ? "" : ", ") + ("/etc/ld.so.preload: " + file);
  return warning(std::move(seen), why,
                 found.empty() ? host_setting("take it out of /etc/ld.so.preload") : unset(found));
}

constexpr std::array all_variable_checks{check{"variables.cuda_debugging", "CUDA debugging", cuda_debugging},
                                         check{"variables.cuda_code", "CUDA code loading", cuda_code},
                                         check{"variables.cuda_devices", "CUDA devices", cuda_devices},
                                         check{"variables.arithmetic", "Arithmetic of libraries", arithmetic},
                                         check{"variables.mps", "Multi-process service", shared_context},
                                         check{"variables.nccl", "NCCL", collectives},
                                         check{"variables.threads", "Threads of libraries", threads},
                                         check{"variables.allocator", "Allocator", allocator},
                                         check{"variables.preload", "Preloaded libraries", preloaded}};

}  // namespace

std::span<const check> variable_checks() { return all_variable_checks; }

}  // namespace ridge::probe
