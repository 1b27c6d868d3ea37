// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <vector>

#include "audit/checks.hpp"
#include "audit/per_gpu.hpp"

namespace ridge::probe {
namespace {

using found = std::optional<gpu_seen>;
using model::severity;

observed clock_limits(const system_view& system) {
  constexpr auto why =
      "A GPU that is held down for heat or by its power supply measures the cooling, not the GPU.";
  const advice fix = host_setting(
      "nvidia-smi -q -d PERFORMANCE,TEMPERATURE,POWER; cool it, check the power cables, let it rest");
  return over_gpus(system, why, fix, [](const gpu_condition& gpu) -> found {
    if (!gpu.holds) return std::nullopt;
    const auto& h = *gpu.holds;
    std::vector<std::string> words;
    if (h.thermal) words.emplace_back("thermal slowdown");
    if (h.power_brake) words.emplace_back("power brake");
    if (h.hardware_slowdown) words.emplace_back("hardware slowdown");
    if (!words.empty()) return gpu_seen{severity::error, join(words, ", ")};
    if (h.sync_boost) return gpu_seen{severity::warning, "held to the slowest of a sync boost group"};
    if (h.power_cap) return gpu_seen{severity::info, "at its power limit"};
    return gpu_seen{severity::ok, h.idle ? "idle" : "nothing holds it"};
  });
}

observed clock(const system_view& system) {
  constexpr auto why =
      "A locked clock lowers every figure by its share and sets no throttle reason: a B200 was found at 1597 "
      "of 1965 MHz "
      "with none set.";
  const auto fix =
      host_setting("sudo nvidia-smi -rgc (unlocks the clock) and sudo nvidia-smi -rac (application clocks)");
  return over_gpus(system, why, fix, [](const gpu_condition& gpu) -> found {
    if (!gpu.sm_mhz || !gpu.most_sm_mhz || *gpu.most_sm_mhz == 0) return std::nullopt;
    auto seen = fmt::format("{} of {} MHz{}", *gpu.sm_mhz, *gpu.most_sm_mhz,
                            gpu.clocks_under_load ? " under load" : ", idle");
    constexpr double near = 0.95;
    const bool low = *gpu.sm_mhz < near * *gpu.most_sm_mhz;
    const bool explained =
        gpu.holds && (gpu.holds->power_cap || gpu.holds->thermal || gpu.holds->hardware_slowdown ||
                      gpu.holds->power_brake || gpu.holds->idle);
    if (!gpu.clocks_under_load || !low) return gpu_seen{severity::ok, std::move(seen)};
    return gpu_seen{explained ? severity::info : severity::warning,
                    seen + (explained ? "" : ", with no reason set: locked?")};
  });
}

observed application_clock(const system_view& system) {
  constexpr auto why = "An application clock below the default holds the GPU there.";
  return over_gpus(system, why, host_setting("sudo nvidia-smi -rac"), [](const gpu_condition& gpu) -> found {
    if (!gpu.application_sm_mhz || !gpu.default_application_sm_mhz) return std::nullopt;
    auto seen = fmt::format("{} MHz, default {}", *gpu.application_sm_mhz, *gpu.default_application_sm_mhz);
    const bool low = *gpu.application_sm_mhz < *gpu.default_application_sm_mhz;
    return gpu_seen{low ? severity::warning : severity::ok, std::move(seen)};
  });
}

observed memory_clock(const system_view& system) {
  constexpr auto why = "Memory bandwidth is proportional to the memory clock.";
  const auto fix = host_setting("sudo nvidia-smi -rmc");
  return over_gpus(system, why, fix, [](const gpu_condition& gpu) -> found {
    if (!gpu.memory_mhz || !gpu.most_memory_mhz || !gpu.clocks_under_load) return std::nullopt;
    auto seen = fmt::format("{} of {} MHz under load", *gpu.memory_mhz, *gpu.most_memory_mhz);
    constexpr double near = 0.98;
    const bool low = *gpu.memory_mhz < near * *gpu.most_memory_mhz;
    return gpu_seen{low ? severity::warning : severity::ok, std::move(seen)};
  });
}

observed performance_state(const system_view& system) {
  constexpr auto why = "P0 is the fastest state; above P2 under load something holds the GPU back.";
  return over_gpus(
      system, why, host_setting("nvidia-smi -q -d PERFORMANCE"), [](const gpu_condition& gpu) -> found {
        if (!gpu.performance_state) return std::nullopt;
        const bool low = gpu.clocks_under_load && *gpu.performance_state > 2;
        return gpu_seen{low ? severity::warning : severity::ok, fmt::format("P{}", *gpu.performance_state)};
      });
}

observed power_limit(const system_view& system) {
  constexpr auto why =
      "Matrix products run at the power limit: with random operands an H800 at 350 W lost 9 % against zeros, "
      "so a "
      "lower limit lowers them first.";
  const auto fix =
      host_setting("sudo nvidia-smi -pl WATTS, with the default limit of nvidia-smi -q -d POWER");
  return over_gpus(system, why, fix, [](const gpu_condition& gpu) -> found {
    if (!gpu.power_limit_w || !gpu.default_power_limit_w) return std::nullopt;
    auto seen = fmt::format("{:.0f} W, default {:.0f}", *gpu.power_limit_w, *gpu.default_power_limit_w);
    const bool low = *gpu.power_limit_w < 0.995 * *gpu.default_power_limit_w;
    return gpu_seen{low ? severity::warning : severity::ok, std::move(seen)};
  });
}

observed violations(const system_view& system) {
  constexpr auto why =
      "Seconds that the clock was held down since the driver started; an increase during a run affects its "
      "results.";
  return over_gpus(system, why, {}, [](const gpu_condition& gpu) -> found {
    if (!gpu.power_violation_s && !gpu.thermal_violation_s) return std::nullopt;
    auto seen = fmt::format("{:.3g} s for power, {:.3g} s for heat", gpu.power_violation_s.value_or(0),
                            gpu.thermal_violation_s.value_or(0));
    return gpu_seen{gpu.thermal_violation_s.value_or(0) > 0 ? severity::info : severity::ok, std::move(seen)};
  });
}

observed temperature(const system_view& system) {
  constexpr auto why =
      "Near the slowdown temperature the clock falls in steps; hotter silicon also takes more power.";
  return over_gpus(system, why, host_setting("check fans, airflow and inlet temperature"),
                   [](const gpu_condition& gpu) -> found {
                     if (!gpu.temperature_c) return std::nullopt;
                     auto seen = fmt::format("{} °C", *gpu.temperature_c);
                     if (gpu.memory_temperature_c)
                       seen += fmt::format(", memory {} °C", *gpu.memory_temperature_c);
                     if (gpu.slowdown_temperature_c)
                       seen += fmt::format(", slows down at {} °C", *gpu.slowdown_temperature_c);
                     constexpr int margin = 5;
                     const bool hot = gpu.slowdown_temperature_c &&
                                      *gpu.temperature_c > *gpu.slowdown_temperature_c - margin;
                     return gpu_seen{hot ? severity::warning : severity::ok, std::move(seen)};
                   });
}

constexpr std::array all_gpu_clock_checks{
    check{"gpu.holds", "What holds the GPU's clock", clock_limits},
    check{"gpu.clock", "GPU clock", clock},
    check{"gpu.application_clock", "GPU application clock", application_clock},
    check{"gpu.memory_clock", "GPU memory clock", memory_clock},
    check{"gpu.performance_state", "GPU performance state", performance_state},
    check{"gpu.power_limit", "GPU power limit", power_limit},
    check{"gpu.violations", "GPU held down so far", violations},
    check{"gpu.temperature", "GPU temperature", temperature}};

}  // namespace

std::span<const check> gpu_clock_checks() { return all_gpu_clock_checks; }

}  // namespace ridge::probe
