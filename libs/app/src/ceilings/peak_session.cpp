// SPDX-License-Identifier: Apache-2.0
#include "ceilings/peak_session.hpp"

#include <memory>
#include <optional>

#include <ridge/app/backends.hpp>
#include <ridge/app/interrupt.hpp>
#include <ridge/base/error.hpp>
#include <ridge/probe/why_low.hpp>

#include "ceilings/specified_limits.hpp"
#include "machine/machine.hpp"
#include "session/laboratory.hpp"
#include "session/run_header.hpp"

namespace ridge::app {
namespace {

using prober_maker = std::unique_ptr<probe::prober>();
using gpu_meter_maker = std::unique_ptr<measure::gpu_meter>();

class session final {
 public:
  session(const peak_settings& settings, const on_probed& tell)
      : settings_(settings), tell_(tell), clock_(best_clock()) {
    report_.peak.measured_at = now_utc();
    report_.environment = read_environment();
    report_.depth = name(settings.depth);
  }

  void measure_host() {
    const auto with = find_factory<prober_maker>(probe_backends(), "host")();
    measure(*with, nullptr);
  }

  void measure_gpu() {
    const auto make_prober = find_factory<prober_maker>(probe_backends(), "cuda");
    if (make_prober == nullptr) return no_gpu("this build has no CUDA");
    try {
      const auto with = make_prober();
      (void)with->probes();
      const auto meter = find_factory<gpu_meter_maker>(measure_backends(), "nvml")();
      measure(*with, meter.get());
    } catch (const failure& lacking) {
      no_gpu(lacking.why().text());
    }
  }

  model::peak_report finish(std::int64_t begin) {
    report_.wall_s = clock_->seconds(clock_->now() - begin);
    return std::move(report_);
  }
  [[nodiscard]] std::int64_t now() const { return clock_->now(); }

 private:
  void measure(probe::prober& prober, measure::gpu_meter* meter) {
    const probe::request what{.clock = *clock_,
                              .gpu_state = meter,
                              .scratch = settings_.scratch,
                              .threads = settings_.threads,
                              .depth = settings_.depth,
                              .complete = [this](model::ceiling& row) { complete(row); },
                              .over = interrupted};
    (void)probe::measure_peaks(prober, what, settings_.only, [this](const probe::outcome& o) { add(o); });
  }

  void complete(model::ceiling& row) const {
    limits_.add_to(row);
    probe::explain(row);
  }

  void add(const probe::outcome& outcome) {
    add({.id = outcome.probe->id,
         .title = outcome.probe->title,
         .means = outcome.probe->means,
         .skipped = outcome.skipped,
         .rows = static_cast<int>(outcome.rows.size()),
         .wall_s = outcome.seconds},
        outcome.rows);
  }

  void no_gpu(std::string why) {
    if (!settings_.only.may_want("cuda")) return;
    add({.id = "cuda", .title = "GPU", .means = "what its probes would measure", .skipped = std::move(why)},
        {});
  }

  void add(model::probed subject, const std::vector<model::ceiling>& rows) {
    if (tell_) tell_(subject, rows);
    report_.probes.push_back(std::move(subject));
    report_.peak.ceilings.insert(report_.peak.ceilings.end(), rows.begin(), rows.end());
  }

  const peak_settings& settings_;
  const on_probed& tell_;
  std::unique_ptr<measure::clock> clock_;
  specified_limits limits_{};
  model::peak_report report_{};
};

}  // namespace

model::peak_report measure_peaks_here(const peak_settings& settings, const on_probed& tell) {
  session all(settings, tell);
  const auto begin = all.now();
  if (settings.cpu) all.measure_host();
  if (settings.gpu && !interrupted()) all.measure_gpu();
  return all.finish(begin);
}

std::vector<listed_probe> probes_here(const peak_settings& settings) {
  std::vector<listed_probe> all;
  const auto add = [&](probe::prober& prober) {
    for (const auto& one : prober.probes()) {
      if (settings.only.may_want(one.id)) all.push_back({one.id, one.title, one.least_depth});
    }
  };
  if (settings.cpu) add(*find_factory<prober_maker>(probe_backends(), "host")());
  const auto make_gpu_prober = find_factory<prober_maker>(probe_backends(), "cuda");
  if (!settings.gpu || make_gpu_prober == nullptr) return all;
  try {
    add(*make_gpu_prober());
  } catch (const failure&) {  // no GPU, no probes
  }
  return all;
}

std::string_view name(probe::depth depth) {
  switch (depth) {
    case probe::depth::essential:
      return "essential";
    case probe::depth::quick:
      return "quick";
    case probe::depth::standard:
      return "standard";
    default:
      return "deep";
  }
}

}  // namespace ridge::app
