// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/report/document.hpp>
#include <ridge/trace/roofline.hpp>
#include <ridge/trace/steps.hpp>
#include <ridge/trace/trace.hpp>
#include <ridge/trace/work_class.hpp>

namespace ridge::trace_report {

// What pages are made of.
using report::document;
using report::field;
using report::row;
using report::sheet;
using report::shown;
using report::unit;
using report::value;

// What of a trace a page is about.
struct view {
  trace::communication_names names = trace::communication_names::built_in();
  std::string steps{};    // "2-5", "last"; empty: the whole trace
  std::size_t rows = 20;  // of tables of kernels, gaps, waits; 0: all
};

// The steps and window that a view chooses in a trace, and the classes of its work.
struct scope {
  const trace::trace* of = nullptr;
  trace::step_windows all_steps{};
  std::vector<trace::step> steps{};           // chosen; all where none were chosen
  std::optional<trace::time_range> window{};  // of the chosen; empty: each device's own span
  std::vector<trace::work_class> classes{};   // one for each of its works
  std::size_t rows = 20;
};

// An error names the steps there are where the view's make no sense.
[[nodiscard]] result<scope> scope_of(const trace::trace& t, const view& v);

[[nodiscard]] document summary_page(const scope& s);  // ridge.trace.summary/1
[[nodiscard]] document kernels_page(const scope& s, bool by_shape = false);
[[nodiscard]] document idle_page(const scope& s);
[[nodiscard]] document launches_page(const scope& s);
[[nodiscard]] document copies_page(const scope& s);
[[nodiscard]] document waits_page(const scope& s);  // synchronization
[[nodiscard]] document steps_page(const scope& s);
[[nodiscard]] document phases_page(const scope& s);
[[nodiscard]] document overlap_page(const scope& s);
[[nodiscard]] document memory_page(const scope& s);

// The critical path. `changes`: what-ifs to try, as "compute=0.5", "kernel:NAME=0"; an error names what is
// wrong.
[[nodiscard]] result<document> critical_path_page(const scope& s, std::span<const std::string> changes = {});

// Operators on the roofline of the devices' peaks, and what could be fused.
[[nodiscard]] document ops_page(const scope& s, const trace::device_peaks& peaks);

// Profiled kernels: their counters and what limits each.
[[nodiscard]] document counters_page(const scope& s, const trace::device_peaks& peaks);

// HTA's own figures and why they differ from the exact ones. HTA leaves the last step out unless told
// otherwise.
[[nodiscard]] document hta_page(const scope& s, bool include_last_step);

// Communication of one rank or many: who waits for whom. With `--steps` chosen it is of whole traces all the
// same.
[[nodiscard]] document communication_page(std::span<const trace::trace> traces, const view& v);

// What changed from one trace to another; causes add up to the difference.
[[nodiscard]] document diff_page(const scope& before, const scope& after);

}  // namespace ridge::trace_report
