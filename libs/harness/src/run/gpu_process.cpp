// SPDX-License-Identifier: Apache-2.0
#include "run/gpu_process.hpp"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include <ridge/model/json.hpp>

#include "child/in_child.hpp"
#include "plan/family_frame.hpp"

namespace ridge::harness {
namespace {

// Events tick at half a microsecond on older drivers; the sample is a thousand of these at least.
constexpr double event_resolution_s = 0.5e-6;

// Returns whether a fault has destroyed the GPU's context, which makes every later call fail.
bool is_lost(device::device& gpu) {
  try {
    gpu.synchronize();
    return false;
  } catch (const std::exception&) {
    return true;
  }
}

// As many families as could be done before the GPU was lost; the last one may hold only the reason why it
// could not.
std::string do_in_child(std::span<const planned_family> families, const instruments& equipment,
                        const family_job& job) {
  model::run done;
  try {
    const auto gpu = equipment.open_gpu();
    auto own = gpu_instruments(equipment, gpu);
    if (equipment.peak) {
      done.peak = *equipment.peak;
      if (equipment.measure_gpu && !done.peak.find("cuda.copy")) {
        for (auto& c : equipment.measure_gpu()) done.peak.ceilings.push_back(std::move(c));
      }
      own.peak = &done.peak;
    }
    for (const auto& f : families) {
      try {
        done.families.push_back(job(f, own));
      } catch (const std::exception& thrown) {
        done.families.push_back(family_without_results(f, thrown.what()));
        break;
      }
      if (is_lost(*gpu.device)) break;
    }
    return model::to_json(done);
  } catch (const std::exception& thrown) {  // the GPU cannot be opened, or was lost and cannot be closed
    if (done.families.empty()) {
      for (const auto& f : families) done.families.push_back(family_without_results(f, thrown.what()));
    }
    return model::to_json(done);
  }
}

double limit_s(std::size_t families) {
  return gpu_process_limit_s + further_family_limit_s * static_cast<double>(families - 1);
}

}  // namespace

instruments gpu_instruments(const instruments& equipment, const opened_gpu& gpu) {
  auto own = equipment;
  own.host = equipment.device;
  own.device = gpu.device.get();
  own.counters = nullptr;
  own.energy = gpu.energy.get();
  own.gpu_state = gpu.state.get();
  own.gauge = {};
  own.clock_resolution_s = event_resolution_s;
  return own;
}

std::vector<model::family> on_gpu(std::span<const planned_family> families, const instruments& equipment,
                                  const family_job& job, model::peak* learned) {
  std::vector<model::family> all;
  std::size_t at_once = families.size();
  while (all.size() < families.size()) {
    const auto rest = families.subspan(all.size());
    const auto next = rest.first(std::min(at_once, rest.size()));
    if (!equipment.open_gpu) {
      all.push_back(family_without_results(rest.front(), "this build has no GPU backend"));
      continue;
    }
    const auto document =
        in_child<std::string>([&] { return do_in_child(next, equipment, job); }, limit_s(next.size()));
    auto said = model::run_from_json(document ? *document.value : std::string{});
    if (said && !said->families.empty()) {
      if (learned && !said->peak.ceilings.empty()) *learned = std::move(said->peak);
      for (auto& f : said->families) all.push_back(std::move(f));
    } else if (next.size() > 1) {
      at_once = 1;  // which of them took the process with it is found one by one
    } else {
      all.push_back(
          family_without_results(rest.front(), document ? "its results cannot be read" : document.why));
    }
  }
  return all;
}

}  // namespace ridge::harness
