// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/report/document.hpp>
#include <ridge/trace/rank_survey.hpp>
#include <ridge/trace/roofline_place.hpp>
#include <ridge/trace/steps.hpp>
#include <ridge/trace/trace.hpp>
#include <ridge/trace/work_class.hpp>

namespace ridge::trace_report {

// The parts of pages.
using report::document;
using report::field;
using report::row;
using report::sheet;
using report::shown;
using report::unit;
using report::value;

// The part of a trace that a page shows, as the user chose it.
struct view {
  trace::communication_names names = trace::communication_names::built_in();
  std::string steps{};      // "2-5", "last"; empty: the whole trace
  std::size_t rows = 20;    // rows of tables of kernels, gaps and waits; 0: all
  bool full_names = false;  // names of kernels are shown whole, however long
};

// The steps and window that a view chooses in a trace, and the classes of its work.
struct scope {
  const trace::trace* source = nullptr;
  trace::step_windows all_steps{};
  std::vector<trace::step> steps{};           // the chosen steps; all where none were chosen
  std::optional<trace::time_range> window{};  // window of the chosen steps; nullopt: each device's own span
  std::vector<trace::work_class> classes{};   // one for each of the trace's works
  std::size_t rows = 20;
  bool full_names = false;
};

// Returns the scope of a view in a trace. Where the view's steps do not exist, the error names the steps of
// the trace.
[[nodiscard]] result<scope> scope_of(const trace::trace& t, const view& v);

// Returns an overview: source and quality, contents, and the partition of each device
// (ridge.trace.summary/1).
[[nodiscard]] document summary_page(const scope& s);
// Returns the kernels by total time, per name or (by_shape) per name and launch shape.
[[nodiscard]] document kernels_page(const scope& s, bool by_shape = false);
// Returns the idle time of each device by part and cause, and the largest gaps.
[[nodiscard]] document idle_page(const scope& s);
// Returns launch calls, delays, queues and graphs.
[[nodiscard]] document launches_page(const scope& s);
// Returns copies by direction, memory and size.
[[nodiscard]] document copies_page(const scope& s);
// Returns what the host waited for.
[[nodiscard]] document waits_page(const scope& s);
// Returns the steps, their partition and how steady they are.
[[nodiscard]] document steps_page(const scope& s);
// Returns the device time by phase of training or inference.
[[nodiscard]] document phases_page(const scope& s);
// Returns which classes of work ran at the same time.
[[nodiscard]] document overlap_page(const scope& s);
// Returns the memory of each device over time, its peak and its holders.
[[nodiscard]] document memory_page(const scope& s);

// Returns the critical path. `changes` are what-ifs such as "compute=0.5" or "kernel:NAME=0"; an error names
// the one that is wrong.
[[nodiscard]] result<document> critical_path_page(const scope& s, std::span<const std::string> changes = {});

// Returns the critical path over several ranks (ridge.trace.job_path/1), which goes from a collective to the
// rank that came last to it. An error names steps that a trace does not have.
[[nodiscard]] result<document> job_path_page(std::span<const trace::trace> traces, const view& v);

// Returns the operators on the roofline of the devices' peaks, and what could be fused.
[[nodiscard]] document ops_page(const scope& s, const trace::device_peaks& peaks);

// Returns the device time, the idle time caused, the FLOP and the share of the roof of each nn.Module
// (ridge.trace.modules/1) or of each range that the user named (ridge.trace.ranges/1).
[[nodiscard]] document modules_page(const scope& s, const trace::device_peaks& peaks);
[[nodiscard]] document ranges_page(const scope& s, const trace::device_peaks& peaks);

// Returns the counters of profiled kernels and what limits each.
[[nodiscard]] document counters_page(const scope& s, const trace::device_peaks& peaks);

// Returns the figures of Holistic Trace Analysis and why they differ from the exact ones. HTA leaves the last
// step out by default. `operator_part` asks for the sequences of works below operators whose names hold it.
[[nodiscard]] document hta_page(const scope& s, bool include_last_step, std::string_view operator_part = {});

// Returns the communication of one rank or many, and who waits for whom. It always covers whole traces,
// whatever steps are chosen.
[[nodiscard]] document communication_page(std::span<const trace::trace> traces, const view& v);

// Returns the ranks of one job side by side (ridge.trace.ranks/1): a row a rank, those that stand out, who
// waits longest for whom, collectives inside and between nodes. `rows` bounds the tables: of more ranks the
// worst and the best are shown and the rest counted; 0: all.
[[nodiscard]] document ranks_page(const trace::survey_report& survey, std::size_t rows);

// Returns what that page tells besides its row for each rank: those that stand out, the waits and the
// collectives, `rows` of each table (0: all), the sentences about all of them, and what to read with care.
[[nodiscard]] document beside_ranks_page(const trace::survey_report& survey, std::size_t rows);

// Returns what changed from one trace to another; causes add up to the difference.
[[nodiscard]] document diff_page(const scope& before, const scope& after);

}  // namespace ridge::trace_report
