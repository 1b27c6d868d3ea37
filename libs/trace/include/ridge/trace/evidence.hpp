// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/trace/communication.hpp>
#include <ridge/trace/contention.hpp>
#include <ridge/trace/copies.hpp>
#include <ridge/trace/counters.hpp>
#include <ridge/trace/data_quality.hpp>
#include <ridge/trace/device_partition.hpp>
#include <ridge/trace/fusable_chains.hpp>
#include <ridge/trace/idle.hpp>
#include <ridge/trace/kernel_table.hpp>
#include <ridge/trace/kernel_verdict.hpp>
#include <ridge/trace/known_device.hpp>
#include <ridge/trace/known_work.hpp>
#include <ridge/trace/launch_replay.hpp>
#include <ridge/trace/launches.hpp>
#include <ridge/trace/op_costs.hpp>
#include <ridge/trace/rule.hpp>
#include <ridge/trace/stability.hpp>
#include <ridge/trace/steps.hpp>
#include <ridge/trace/synchronization.hpp>
#include <ridge/trace/trace_diff.hpp>

namespace ridge::trace {

// What kernels' names reveal about a device that the trace does not describe.
struct device_hint {
  std::string architecture{};  // "": only the family is known
  int least_sms = 0;           // the family's smallest member
  std::string because{};       // the part of a kernel's name that shows it
};
// Returns what the kernels' names reveal about the device; nullopt where they reveal nothing.
[[nodiscard]] std::optional<device_hint> device_hint_of(const trace& t, std::int32_t device);

// What a diagnosis is based on besides the traces.
struct diagnose_options {
  std::vector<known_device> devices{};
  std::vector<known_work> work{};
  communication_names names = communication_names::built_in();
  rule_table rules = rule_table::built_in();
  const trace* baseline = nullptr;  // an earlier trace of the same program, for D1
  bool whole_trace = false;         // whether the first and last step count too
  double least_alarm_share = 0.02;  // share of the window: a finding that could save less is a note
  std::vector<std::string>
      inputs{};  // what the user named, for the commands that findings about ranks advise
};

// One device of one trace. `pool` is its index over all traces' devices; claims refer to it.
struct device_evidence {
  std::uint32_t pool = 0, trace = 0;
  std::int32_t device = 0;
  // The time of the works that the steady steps launched, where there are three or more steps; else of all of
  // its work.
  time_range window{};
  time_range host_window{};  // when the host launched them: the steps themselves
  std::size_t steps = 0;     // in the window; 0: not known
  device_partition partition{};
  interval_set compute{}, exposed_communication{}, exposed_copies{}, idle_time{};  // together tile the window
  idle_report idle{};
  host_line line{};
  // Absences of the host anywhere in the trace that are at least half as long as the longest one in the
  // window: what is there once, though the trace has several steps, need not be part of a step.
  std::size_t like_absences = 0;
  std::size_t steps_of_trace = 0;  // with those that are not in the window; 0: not known
  host_outlook outlook{};          // what changes of the host would save, without the profiler's cost
  copy_report copies{};
  std::vector<kernel_row> kernels{};  // one row per name and shape, longest first
  op_costs costs{};
  contention_report contention{};
  device_peaks peaks{};  // empty name: not known
  std::optional<known_device> known{};
  std::optional<device_hint> hint{};
  bool peaks_guessed = false;  // whether the peaks were guessed from the names of kernels
  int sms = 0;                 // multiprocessors; 0: not known
  int least_sms = 0;           // lower bound of the multiprocessors

  // part / the window that nobody recorded, 0..1
  [[nodiscard]] double share(nanoseconds part) const;
};

// What the analyses found in one trace.
struct trace_evidence {
  const trace* source = nullptr;
  std::vector<work_class> classes{};
  data_quality quality{};
  step_windows steps{};
  std::optional<step_stability> stability{};         // of the steady steps, where there are two or more
  std::optional<step_stability> stability_of_all{};  // the same with the first and last step
  synchronization_report waits{};
  launch_report launches{};
  op_tree ops{};
  std::vector<fusable_chain> chains{};
  std::vector<kernel_counters> counters{};
};

// A kernel with counters, or an operator with a model, and what limits it. Kernels with counters but without
// a timeline stand one after the other in a window of their own.
struct judged_kernel {
  std::uint32_t pool = 0, trace = 0;
  std::int32_t device = -1;
  std::string subject{};  // "aten::mm [[64, 64], [64, 64]]", or the kernel's name
  interval_set ranges{};
  nanoseconds time_ns = 0;
  double share = 0;  // share of its pool's window
  kernel_verdict verdict{};
  double footprint = 0;  // bytes that it touches; 0: not known
  const op_cost* cost = nullptr;
  const kernel_counters* counters = nullptr;
};

// Everything that the rules evaluate.
struct evidence {
  std::vector<trace_evidence> traces{};
  std::vector<device_evidence> devices{};
  std::vector<time_range> windows{};  // one per pool
  std::vector<judged_kernel> kernels{};
  std::optional<communication_report> communication{};
  std::optional<trace_diff> diff{};
  communication_names names{};
  std::vector<std::string> inputs{};  // files, folders and archives as the user named them

  // The evidence of the trace that the device belongs to.
  [[nodiscard]] const trace_evidence& of(const device_evidence& d) const { return traces[d.trace]; }
  // The trace that the device belongs to.
  [[nodiscard]] const trace& trace_of(const device_evidence& d) const { return *traces[d.trace].source; }
};

// Runs every analysis that the traces have the data for. The traces must outlive the evidence.
[[nodiscard]] evidence gather(std::span<const trace> traces, const diagnose_options& options);

// Returns the times at which work of the device that satisfies `wanted` ran, within the device's window.
template <class Wanted>
[[nodiscard]] interval_set times_of(const trace& t, const device_evidence& d, Wanted wanted) {
  std::vector<time_range> ranges;
  for (const auto& w : t.works_of(d.device)) {
    if (w.start_ns < d.window.end_ns && w.end_ns > d.window.start_ns && wanted(w))
      ranges.push_back({w.start_ns, w.end_ns});
  }
  return interval_set(std::move(ranges)).within(d.window);
}

}  // namespace ridge::trace
