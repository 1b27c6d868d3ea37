// SPDX-License-Identifier: Apache-2.0
#include "audit/audit_pass.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <random>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/base/text.hpp>
#include <ridge/harness/session.hpp>

#include "audit/call_window.hpp"
#include "audit/gpu_audit.hpp"
#include "data/keyed_member.hpp"
#include "plan/affinity_plan.hpp"
#include "plan/family_frame.hpp"
#include "plan/variant_resources.hpp"
#include "run/progress_mark.hpp"
#include "run/refusal.hpp"
#include "verify/verification.hpp"

namespace ridge::harness {
namespace {

constexpr std::size_t fewest_untraced_calls = 64;
constexpr double least_untraced_s = 0.03, most_untraced_s = 0.2;  // the GPU's clocks rise meanwhile

int own_threads() {
  const std::filesystem::directory_iterator all("/proc/self/task");
  return static_cast<int>(std::distance(begin(all), end(all)));
}

bool waits(const measure::gpu_trace& trace) {
  const auto window = window_of(trace);
  return !window || std::ranges::any_of(window->calls, [](const auto& call) {
    return measure::effect_of(call.name) == measure::api_effect::waits;
  });
}

std::uint64_t calls_making_streams(const measure::gpu_trace& trace) {
  return static_cast<std::uint64_t>(std::ranges::count_if(
      trace.calls, [](const auto& call) { return call.name.find("StreamCreate") != std::string::npos; }));
}

// One variant on a member of its own, since its setup may leave its workspace in the workload.
class traced_run {
 public:
  traced_run(const planned_family& family, std::size_t variant, const instruments& equipment,
             measure::gpu_tracer& tracer, std::uint64_t seed)
      : definition_(*family.experiment),
        variant_(variant),
        equipment_(equipment),
        tracer_(tracer),
        threads_(threads_of(definition_.variants[variant], family.problem)),
        member_(make_member(definition_, family.problem, equipment, device::guard::red_zones,
                            definition_.variants[variant].placement)),
        marks_(equipment.device->allocate({.bytes = end_mark_bytes})),
        queues_(traced_queues()),
        resources_{*equipment.device, queues_.get(), plan_.team(threads_), threads_},
        setup_(resources_),
        context_(call_resources_of(
            definition_,
            {[](void*) { return static_cast<std::uint64_t>(monotonic_seconds() * 1e9); }, nullptr, 1e-9},
            resources_)) {
    seen_.name = definition_.variants[variant].name;
    seen_.gpus = definition_.variants[variant].needs.gpus;
    bind(seed);
  }

  // `streams`: those that are known of the variants before it; this one's are added.
  traced_variant run(std::set<std::uint32_t>& streams) {
    streams.insert(known_streams_.begin(), known_streams_.end());
    seen_.streams_made = streams;
    seen_.first = traced_call(false);
    const bool hold = !waits(seen_.first);
    const int before = own_threads();
    seen_.second = traced_call(hold);
    seen_.threads_left = std::max(0, own_threads() - before);
    return std::move(seen_);
  }

 private:
  // The tracer sees the queues that the variant declares being made, so that the audit knows their streams;
  // it goes on until the variant is bound.
  std::unique_ptr<device::queue_set> traced_queues() {
    tracer_.start();
    return queues_of(definition_, variant_, *equipment_.device);
  }

  void bind(std::uint64_t seed) {
    member_.poison_all();
    body_ = definition_.bind(variant_, member_.get(), setup_);
    member_.rekey(mix_keys(seed, 0x617564));
    if (definition_.variants[variant_].stages) definition_.stage(variant_, member_.get(), setup_);
    plan_.place(threads_);
    make_ready();
    body_->run(context_, 1);
    equipment_.device->synchronize();
    const auto trace = tracer_.stop();
    known_streams_ = trace.streams_made;
    seen_.stream_calls = calls_making_streams(trace);
    call_untraced();
  }

  // Calls that nobody traces, so that a body cannot tell by their number which are.
  void call_untraced() {
    const double start = monotonic_seconds();
    const auto calls = fewest_untraced_calls + std::random_device{}() % fewest_untraced_calls;
    const auto more = [&](std::size_t made) {
      const double gone_s = monotonic_seconds() - start;
      return gone_s < most_untraced_s && (made < calls || gone_s < least_untraced_s);
    };
    for (std::size_t made = 0; more(made); ++made) {
      make_ready();
      body_->run(context_, 1);
      equipment_.device->synchronize();
    }
  }

  void make_ready() {
    member_.poison_outputs();
    member_.restore_inouts();
    member_.drop_files_from_cache();
    context_.clear();
  }

  measure::gpu_trace traced_call(bool hold) {
    auto& where = *equipment_.device;
    make_ready();
    where.synchronize();
    tracer_.start();
    if (hold) where.hold();
    where.poison(marks_->bytes().first(begin_mark_bytes));
    body_->run(context_, 1);
    where.poison(marks_->bytes().first(end_mark_bytes));
    if (hold) seen_.held = where.release();
    where.synchronize();
    return tracer_.stop();
  }

  const experiment::definition& definition_;
  std::size_t variant_;
  const instruments& equipment_;
  measure::gpu_tracer& tracer_;
  traced_variant seen_;
  std::vector<std::uint32_t> known_streams_;  // declared, or made by the setup
  affinity_plan plan_;
  int threads_;
  keyed_member member_;
  std::unique_ptr<device::array> marks_;
  std::unique_ptr<device::queue_set> queues_;
  setup_resources resources_;
  setup setup_;
  call context_;
  std::unique_ptr<bound_body> body_;
};

bool is_refused(const run_options& options, const std::string& variant) {
  return std::ranges::find(options.refused, variant, &refused_variant::name) != options.refused.end();
}

model::check skipped_check(std::string why) { return {.id = "audit", .evidence = std::move(why)}; }

// What a finding or a reason means for the measurement: only failures refuse it.
void note(model::measurement& m, const variant_audit& audit) {
  m.skipped = audit.skipped;
  m.kernels = audit.kernels;
  if (audit.busy_s > 0)
    m.metrics.push_back({.metric = {.name = std::string(traced_metric)}, .median = audit.busy_s});
  for (const auto& c : audit.findings) {
    if (c.result == model::outcome::fail && m.refused.empty())
      refuse(m, {c.evidence}, progress_mark::stage::audit);
  }
}

void say_passed(model::family& f, const std::vector<std::string>& clean,
                const std::vector<std::string>& remarks, double seconds) {
  if (clean.empty() && remarks.empty()) return;
  auto text = clean.empty()
                  ? std::string()
                  : fmt::format(
                        "{}: all work on declared streams within the call, two calls alike, nothing "
                        "taken or made ({:.1f} s under CUPTI)",
                        join(clean, ", "), seconds);
  for (const auto& remark : remarks) text += (text.empty() ? "" : "; ") + remark;
  f.checks.push_back({.id = "audit", .result = model::outcome::pass, .evidence = std::move(text)});
}

}  // namespace

model::family audit_family(const planned_family& family, const instruments& equipment,
                           measure::gpu_tracer& tracer, const run_options& options) {
  std::vector<std::size_t> variants;
  auto f = frame_of(family, equipment, options, variants);
  std::set<std::uint32_t> streams;
  std::vector<std::string> clean, remarks;
  const double start = monotonic_seconds();
  for (std::size_t i = 0; i < variants.size(); ++i) {
    auto& m = f.measurements[i];
    if (!m.skipped.empty() || is_refused(options, m.variant)) continue;
    const variant_at_work at_work(equipment.progress, progress_mark::stage::audit, variants[i]);
    variant_audit audit;
    try {
      audit =
          audit_of(traced_run(family, variants[i], equipment, tracer, options.protocol.seed).run(streams));
    } catch (const unavailable& missing) {
      m.skipped = missing.why().text();  // the family says so itself
      continue;
    } catch (const failure& thrown) {
      equipment.device->synchronize();  // throws where a kernel's fault took the GPU away
      audit.skipped = fmt::format("{}: threw: {}", m.variant, thrown.what());
    }
    note(m, audit);
    if (!audit.skipped.empty()) f.checks.push_back(skipped_check(audit.skipped));
    if (audit.skipped.empty() && audit.findings.empty()) clean.push_back(m.variant);
    f.checks.insert(f.checks.end(), audit.findings.begin(), audit.findings.end());
    remarks.insert(remarks.end(), audit.remarks.begin(), audit.remarks.end());
  }
  say_passed(f, clean, remarks, monotonic_seconds() - start);
  return f;
}

}  // namespace ridge::harness
