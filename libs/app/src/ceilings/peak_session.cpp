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
  session(const peak_settings& how, const on_probed& tell) : how_(how), tell_(tell), clock_(best_clock()) {
    report_.peak.measured_at = now_utc();
    report_.environment = read_environment();
    report_.depth = name(how.how);
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
  void measure(probe::prober& with, measure::gpu_meter* meter) {
    const probe::request what{.clock = *clock_,
                              .gpu_state = meter,
                              .scratch = how_.scratch,
                              .threads = how_.threads,
                              .how = how_.how,
                              .complete = [this](model::ceiling& row) { complete(row); },
                              .over = interrupted};
    (void)probe::measure_peaks(with, what, how_.only, [this](const probe::outcome& o) { add(o); });
  }

  void complete(model::ceiling& row) const {
    limits_.add_to(row);
    probe::explain(row);
  }

  void add(const probe::outcome& of) {
    add({.id = of.of->id,
         .title = of.of->title,
         .means = of.of->means,
         .skipped = of.skipped,
         .rows = static_cast<int>(of.rows.size()),
         .wall_s = of.seconds},
        of.rows);
  }

  void no_gpu(std::string why) {
    if (!how_.only.may_want("cuda")) return;
    add({.id = "cuda", .title = "GPU", .means = "what its probes would tell", .skipped = std::move(why)}, {});
  }

  void add(model::probed subject, const std::vector<model::ceiling>& rows) {
    if (tell_) tell_(subject, rows);
    report_.probes.push_back(std::move(subject));
    report_.peak.ceilings.insert(report_.peak.ceilings.end(), rows.begin(), rows.end());
  }

  const peak_settings& how_;
  const on_probed& tell_;
  std::unique_ptr<measure::clock> clock_;
  specified_limits limits_{};
  model::peak_report report_{};
};

}  // namespace

model::peak_report measure_peaks_here(const peak_settings& how, const on_probed& tell) {
  session all(how, tell);
  const auto begin = all.now();
  if (how.cpu) all.measure_host();
  if (how.gpu && !interrupted()) all.measure_gpu();
  return all.finish(begin);
}

std::vector<listed_probe> probes_here(const peak_settings& how) {
  std::vector<listed_probe> all;
  const auto add = [&](probe::prober& with) {
    for (const auto& one : with.probes()) {
      if (how.only.may_want(one.id)) all.push_back({one.id, one.title, one.from});
    }
  };
  if (how.cpu) add(*find_factory<prober_maker>(probe_backends(), "host")());
  const auto make_gpu_prober = find_factory<prober_maker>(probe_backends(), "cuda");
  if (!how.gpu || make_gpu_prober == nullptr) return all;
  try {
    add(*make_gpu_prober());
  } catch (const failure&) {  // no GPU, no probes
  }
  return all;
}

std::string_view name(probe::depth how) {
  switch (how) {
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
