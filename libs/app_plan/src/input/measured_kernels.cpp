// SPDX-License-Identifier: Apache-2.0
#include "input/measured_kernels.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <memory>
#include <mutex>

#include <fmt/format.h>

#include <ridge/app/cache_folder.hpp>
#include <ridge/base/text.hpp>
#include <ridge/plan/kernels/kernel_measurements.hpp>

namespace ridge::app_plan {
namespace {

namespace kernels = plan::kernels;

// The shipped coefficients with what a file holds of this GPU, read once.
result<const kernels::efficiency_catalogue*> read_once(const std::filesystem::path& file,
                                                       const std::string& gpu) {
  static std::mutex one_at_a_time;
  static std::map<std::pair<std::filesystem::path, std::string>,
                  std::unique_ptr<kernels::efficiency_catalogue>>
      all;
  const std::lock_guard alone(one_at_a_time);
  auto& made = all[{file, gpu}];
  if (made) return made.get();
  const auto found = kernels::load_measurements(file);
  if (!found) return found.why();
  if (found->gpu != gpu)
    return error{fmt::format("{} holds the kernels of {}, not of {}", file.string(), found->gpu, gpu),
                 "give a file of this GPU, or leave --kernels out"};
  made = std::make_unique<kernels::efficiency_catalogue>(
      kernels::with_measured(kernels::embedded_efficiencies(), *found));
  return made.get();
}

}  // namespace

std::filesystem::path kept_kernels_of(std::string_view gpu) {
  std::string name;
  for (const char c : gpu) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? lower_case(c) : '-';
  return app::cache_folder() / ("plan-kernels-" + name + ".json");
}

bool has_measured(const kernels::efficiency_catalogue& coefficients) {
  return std::ranges::any_of(coefficients.entries, &kernels::efficiency_entry::measured_here);
}

void add_kernels_choice(app::command& command, std::string& choice) {
  command.option(
      "--kernels", choice, "FILE",
      "Kernel times that `ridge plan measure` wrote; \"shipped\": none of them (those measured here)");
}

result<const kernels::efficiency_catalogue*> coefficients_of(const std::string& choice,
                                                             const std::string& gpu) {
  if (choice == "shipped") return &kernels::embedded_efficiencies();
  if (!choice.empty()) return read_once(choice, gpu);
  const auto kept = kept_kernels_of(gpu);
  return std::filesystem::exists(kept) ? read_once(kept, gpu) : &kernels::embedded_efficiencies();
}

}  // namespace ridge::app_plan
