// SPDX-License-Identifier: Apache-2.0
#include "session/experiment_session.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include <ridge/app/cache_folder.hpp>
#include <ridge/app/exit_code.hpp>
#include <ridge/app/interrupt.hpp>
#include <ridge/vendor/onednn.hpp>
#include <ridge/vendor/openblas.hpp>

#include "ceilings/ceilings_cache.hpp"
#include "session/build_warning.hpp"
#include "session/gpu_presence.hpp"
#include "session/run_header.hpp"

namespace ridge::app {

experiment_session::experiment_session(const context& program, std::vector<experiment> experiments,
                                       child_words words)
    : program_(program),
      experiments_(std::move(experiments)),
      words_(std::move(words)),
      laboratory_(program.equip),
      edges_(cache_folder()) {}

refusal experiment_session::nothing_planned() const {
  const auto wanted = [&](const auto& variant) {
    return !options_.backend || variant.backend == *options_.backend;
  };
  const bool any = std::ranges::any_of(
      experiments_, [&](const auto& entry) { return std::ranges::any_of(entry->variants, wanted); });
  if (!any)
    return {{fmt::format("no chosen experiment has a {}variant in this build",
                         options_.backend ? fmt::format("{} ", model::name(*options_.backend)) : ""),
             options_.backend == model::backend::cpu ? "leave --backend out"
                                                     : "build with the CUDA toolkit installed"},
            exit_code::unavailable};
  return {{"the chosen axes leave no problem", "see `ridge show ID`"}, exit_code::usage};
}

std::optional<refusal> experiment_session::prepare(const run_settings& settings) {
  auto options = options_of(settings, experiments_);
  if (!options) return refusal{options.why(), exit_code::usage};
  options_ = std::move(*options);
  auto families = harness::plan(experiments_, options_);
  if (!families) return refusal{families.why(), exit_code::usage};
  families_ = std::move(*families);
  if (families_.empty()) return nothing_planned();
  return without_missing_gpu();
}

// Leaves out what needs a GPU where there is none; refuses where nothing else is left.
std::optional<refusal> experiment_session::without_missing_gpu() {
  missing_gpu_ = leave_out_missing_gpu(families_, laboratory_.instruments());
  if (families_.empty())
    return refusal{{"on the GPU, " + missing_gpu_, "`ridge doctor` shows what this machine offers"},
                   exit_code::unavailable};
  return std::nullopt;
}

std::optional<refusal> experiment_session::prepare_verification(const run_settings& settings,
                                                                bool edges_only) {
  auto options = options_of(settings, experiments_);
  if (!options) return refusal{options.why(), exit_code::usage};
  options_ = std::move(*options);
  options_.edges_only = edges_only;
  auto families = harness::plan_verification(experiments_, options_);
  if (!families) return refusal{families.why(), exit_code::usage};
  families_ = std::move(*families);
  if (families_.empty()) return nothing_planned();
  return without_missing_gpu();
}

std::vector<model::family> experiment_session::verify(
    const experiment& entry, const std::function<void(const harness::planned_family& first)>& started) {
  std::vector<model::family> seen;
  std::vector<harness::planned_family> on_gpu;
  for (const auto& family : families_) {
    if (&*family.experiment != &*entry) continue;
    if (interrupted()) return seen;
    if (family.backend == model::backend::cuda) {
      on_gpu.push_back(family);
      continue;
    }
    started(family);
    seen.push_back(harness::verify_or_record(family, laboratory_.instruments(), options_));
  }
  if (on_gpu.empty()) return seen;
  started(on_gpu.front());
  std::ranges::move(harness::verify_gpu_families(on_gpu, laboratory_.instruments(), options_),
                    std::back_inserter(seen));
  return seen;
}

// Says which kernels the libraries use that variants are compared with.
void experiment_session::add_libraries(model::environment& environment) const {
  const auto compared = [&](std::string_view library) {
    return std::ranges::any_of(families_, [&](const auto& family) {
      return std::ranges::any_of(family.experiment->variants, [&](const auto& v) {
        return v.is == model::role::comparator && v.backend == family.backend && v.name.starts_with(library);
      });
    });
  };
  const auto add = [&](const char* name, result<std::string> (*find)()) {
    if (!compared(name)) return;
    if (const auto found = find()) environment.facts.emplace_back(name, *found);
  };
  add("openblas", vendor::find_openblas);
  add("onednn", vendor::find_onednn);
}

model::run experiment_session::measure(harness::listener& listener) {
  warn_of_build(program_);
  laboratory_.load_ceilings();
  auto header = run_header(program_, options_.profile.name, options_.protocol.seed);
  add_libraries(header.environment);
  if (!missing_gpu_.empty()) header.environment.facts.emplace_back("gpu", missing_gpu_);
  auto instruments = laboratory_.instruments();
  instruments.edges = &edges_;
  if (options_.profile.forks > 1)
    return run_forked(std::move(header), families_, instruments, options_, words_, listener);
  return harness::run_all(std::move(header), families_, instruments, options_, listener);
}

}  // namespace ridge::app
