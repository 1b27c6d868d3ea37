// SPDX-License-Identifier: Apache-2.0
#include "system/system_state.hpp"

#include <algorithm>
#include <string>

#include <ridge/base/text.hpp>
#include <ridge/host/text_file.hpp>

#include "cpu/arm_model.hpp"
#include "system/hypervisor.hpp"

namespace ridge::host {
namespace {

std::optional<int> small_number(const std::filesystem::path& path) {
  const auto number = read_number(path);
  return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

std::optional<bool> read_turbo(const std::filesystem::path& cpu) {
  if (const auto off = read_number(cpu / "intel_pstate/no_turbo")) return *off == 0;
  if (const auto on = read_number(cpu / "cpufreq/boost")) return *on != 0;
  return std::nullopt;
}

std::string hypervisor_below(const std::filesystem::path& root) {
  if (root == "/") return read_hypervisor();
  const auto cpuinfo = read_text(root / "proc/cpuinfo").value_or("");
  const auto flags = split(value_after(cpuinfo, "flags"), ' ');
  return std::ranges::find(flags, "hypervisor") != flags.end() ? "unknown" : "";
}

int number_after(std::string_view text, std::string_view key) {
  return static_cast<int>(to_number(value_after(text, key)).value_or(0));
}

}  // namespace

cpu_identity parse_cpuinfo(std::string_view text) {
  const auto model = value_after(text, "model name");
  return {.model = model.empty() ? arm_model(text) : std::string(model),
          .vendor = std::string(value_after(text, "vendor_id")),
          .family = number_after(text, "cpu family"),
          .model_number = number_after(text, "model"),
          .stepping = number_after(text, "stepping"),
          .microcode = std::string(value_after(text, "microcode"))};
}

system_state read_system_state(const std::filesystem::path& root) {
  const auto cpu = root / "sys/devices/system/cpu";
  const auto proc = root / "proc/sys/kernel";
  const auto thp = read_text(root / "sys/kernel/mm/transparent_hugepage/enabled").value_or("");
  const auto smt = read_number(cpu / "smt/active");
  system_state state;
  state.kernel = read_text(proc / "osrelease").value_or("");
  state.hypervisor = hypervisor_below(root);
  state.transparent_huge_pages = std::string(chosen_in_brackets(thp));
  state.address_randomization = small_number(proc / "randomize_va_space");
  state.governor = read_text(cpu / "cpu0/cpufreq/scaling_governor").value_or("");
  state.turbo = read_turbo(cpu);
  if (smt) state.smt = *smt != 0;
  state.perf_event_paranoid = small_number(proc / "perf_event_paranoid");
  return state;
}

}  // namespace ridge::host
