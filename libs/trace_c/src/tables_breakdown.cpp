// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>

#include <ridge_trace.h>
#include <ridge/trace/hta_programs.hpp>

#include "hta_columns.hpp"
#include "refused.hpp"
#include "tables.hpp"

namespace ridge::trace_c {
namespace {

constexpr std::array kernel_types{"COMPUTATION", "COMMUNICATION", "MEMORY", "OTHER"};

trace::hta_options folding_of(const trace_set& traces, const arguments& given) {
  auto options = traces.options();
  options.names_shown = static_cast<std::size_t>(std::max<std::int64_t>(given.integer("names_shown", 10), 0));
  options.sums_shown = given.real("sums_shown", 0.8);
  if (!(options.sums_shown >= 0 && options.sums_shown <= 1))
    throw wrong_use("the argument sums_shown is " + std::to_string(options.sums_shown), "0 to 1 is wanted");
  options.memory_kernels = given.flag("memory_kernels", true);
  return options;
}

table temporal_breakdown(const trace_set& traces, const arguments& given) {
  table out;
  auto& rank = out.add_integers("rank");
  auto &idle = out.add_doubles("idle_us"), &compute = out.add_doubles("compute_us"),
       &rest = out.add_doubles("non_compute_us"), &all = out.add_doubles("kernel_us"),
       &overlap = out.add_doubles("overlap_pct");
  for (const auto r : ranks_of(traces, given)) {
    const auto f = trace::hta_figures_of(traces.ranks().at(r), traces.options());
    rank.push_back(r);
    idle.push_back(microseconds(f.temporal.idle_ns));
    compute.push_back(microseconds(f.temporal.compute_ns));
    rest.push_back(microseconds(f.temporal.non_compute_ns));
    all.push_back(microseconds(f.temporal.kernel_ns));
    overlap.push_back(f.overlap_percent.value_or(std::nan("")));
  }
  return out;
}

table kernel_types_table(const trace_set& traces, const arguments& given) {
  const auto options = folding_of(traces, given);
  std::vector<trace::hta_figures> all;
  for (const auto r : ranks_of(traces, given))
    all.push_back(trace::hta_figures_of(traces.ranks().at(r), options));
  table out;
  auto& type = out.add_texts("kernel_type");
  auto& sum = out.add_integers("sum_us");
  for (const auto& t : trace::hta_types_of(all)) {
    type.add(t.types);
    sum.push_back(t.sum_ns / 1000);
  }
  return out;
}

table kernels(const trace_set& traces, const arguments& given) {
  const auto options = folding_of(traces, given);
  table out;
  auto& rank = out.add_integers("rank");
  auto& type = out.add_texts("kernel_type");
  kernel_time_columns times(out);
  for (const auto r : ranks_of(traces, given)) {
    for (const auto& k : trace::hta_figures_of(traces.ranks().at(r), options).kernels) {
      rank.push_back(r);
      type.add(kernel_types.at(static_cast<std::size_t>(k.type)));
      times.add(k);
    }
  }
  return out;
}

[[noreturn]] void refuse_without_annotations(std::string_view where) {
  throw refused(ridge_trace_no_answer, {"the traces hold no annotation of the " + std::string(where),
                                        "record with torch.profiler.record_function"});
}

std::string_view category_of(const trace::device_work& w) {
  if (w.kind == trace::category::copy) return "gpu_memcpy";
  return w.kind == trace::category::fill ? "gpu_memset" : "kernel";
}

table annotated_works(const trace_set& traces, const arguments& given) {
  table out;
  auto& rank = out.add_integers("rank");
  auto &start = out.add_doubles("start_us"), &length = out.add_doubles("duration_us");
  auto &stream = out.add_integers("stream"), &correlation = out.add_integers("correlation");
  auto &work = out.add_texts("name"), &category = out.add_texts("category"),
       &annotation = out.add_texts("annotation");
  bool any = false;
  for (const auto r : ranks_of(traces, given)) {
    const auto& t = traces.ranks().at(r);
    const auto found = trace::hta_annotated_works(t, traces.options());
    if (!found) continue;
    any = true;
    for (const auto& row : *found) {
      const auto& w = t.works[row.work];
      rank.push_back(r);
      start.push_back(microseconds(row.times.start_ns - traces.zero_ns()));
      length.push_back(microseconds(row.times.end_ns - row.times.start_ns));
      stream.push_back(w.stream);
      correlation.push_back(w.correlation);
      work.add(t.names[w.name]);
      category.add(category_of(w));
      annotation.add(row.annotation == trace::none ? "" : t.name_of(row.annotation));
    }
  }
  if (!any) refuse_without_annotations("device");
  return out;
}

table annotations(const trace_set& traces, const arguments& given) {
  const trace::hta_annotation_options which{
      .of_device = given.flag("of_device", true),
      .names_shown = static_cast<std::size_t>(std::max<std::int64_t>(given.integer("names_shown", 1000), 0)),
      .sums_shown = given.real("sums_shown", 0.8),
      .kept_parts = given.text_list("kept_parts")};
  table out;
  auto& rank = out.add_integers("rank");
  kernel_time_columns times(out);
  bool any = false;
  for (const auto r : ranks_of(traces, given)) {
    const auto found = trace::hta_annotations(traces.ranks().at(r), which, traces.options());
    if (!found) continue;
    any = true;
    for (const auto& row : *found) {
      rank.push_back(r);
      times.add(row);
    }
  }
  if (!any) refuse_without_annotations(which.of_device ? "device" : "host");
  return out;
}

}  // namespace

void add_breakdown_tables(answers& all) {
  all["temporal_breakdown"] = temporal_breakdown;
  all["kernel_types"] = kernel_types_table;
  all["kernels"] = kernels;
  all["annotations"] = annotations;
  all["annotated_works"] = annotated_works;
}

}  // namespace ridge::trace_c
