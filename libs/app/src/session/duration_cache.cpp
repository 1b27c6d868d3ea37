// SPDX-License-Identifier: Apache-2.0
#include "session/duration_cache.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include <ridge/base/read_file.hpp>
#include <ridge/base/text.hpp>
#include <ridge/host/topology.hpp>

#include "machine/machine.hpp"

namespace ridge::app {
namespace {

constexpr double alike = 0.1;  // a duration this close to the kept one is not written again

std::string key(const std::string& experiment, model::backend backend, const model::problem_point& problem,
                std::size_t variants, const harness::run_options& options) {
  return fmt::format("{}\t{}\t{}\t{}\t{:g}\t{}", experiment, model::name(backend), model::text(problem),
                     variants, options.profile.budget_per_arm_s, options.profile.forks);
}

// "key\tseconds"
void read_line(std::string_view line, std::map<std::string, double>& all) {
  const auto tab = line.rfind('\t');
  if (tab == std::string_view::npos) return;
  double seconds = 0;
  const auto number = line.substr(tab + 1);
  const auto read = std::from_chars(number.data(), number.data() + number.size(), seconds);
  if (read.ec == std::errc{} && std::isfinite(seconds) && seconds > 0)
    all[std::string(line.substr(0, tab))] = seconds;
}

}  // namespace

duration_cache::duration_cache(const std::filesystem::path& folder)
    : file_(folder / ("durations-" + machine_name(host::read_topology()))) {}

std::map<std::string, double>& duration_cache::all() {
  if (read_) return *read_;
  auto& durations = read_.emplace();
  if (const auto text = read_file(file_)) {
    for (const auto line : split(*text, '\n')) read_line(line, durations);
  }
  return durations;
}

std::optional<double> duration_cache::find(const harness::planned_family& family,
                                           const harness::run_options& options) {
  if (options.suite_budget_s > 0) return std::nullopt;
  const auto variants = std::ranges::count_if(family.experiment->variants, [&](const variant_facts& v) {
    return harness::takes_part(v, family.backend, options);
  });
  const auto found = all().find(key(family.experiment->id, family.backend, family.problem.point(),
                                    static_cast<std::size_t>(variants), options));
  return found == all().end() ? std::nullopt : std::optional(found->second);
}

void duration_cache::keep(const model::family& measured, const harness::run_options& options,
                          double seconds) {
  if (options.suite_budget_s > 0 || measured.comparisons.empty() || seconds <= 0) return;
  const auto of =
      key(measured.experiment, measured.backend, measured.problem, measured.measurements.size(), options);
  auto& kept = all()[of];
  if (std::abs(kept - seconds) <= alike * seconds) return;
  kept = seconds;
  // A line is written at once, so that processes that measure at the same time do not mix their lines.
  const auto line = fmt::format("{}\t{:.3g}\n", of, kept);
  const int opened = open(file_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (opened < 0) return;
  (void)!write(opened, line.data(), line.size());
  close(opened);
}

}  // namespace ridge::app
