// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include <ridge/trace_report/perfetto.hpp>

#include "perfetto_text.hpp"
#include "perfetto_tracks.hpp"

namespace ridge::trace_report {

// Writes a trace whose file is no Chrome JSON: all that the trace holds of it.
class perfetto_model {
 public:
  perfetto_model(const placed_trace& placed, std::uint32_t index, perfetto_text& text,
                 perfetto_counts& counts);
  void write();

 private:
  void describe(std::string_view kind, perfetto_place place, std::string_view name);
  void event(trace::event_id e, perfetto_place place);
  void arguments(trace::event_id e);
  void work_arguments(const trace::device_work& w);
  void op_arguments(const trace::op_detail& op);
  void sync_arguments(const trace::sync_detail& s);
  void collective_arguments(std::uint32_t index);
  void name_argument(std::string_view key, trace::name_id name);
  void arrows();
  void arrow(std::uint64_t id, std::string_view name, perfetto_place start, trace::nanoseconds from_ns,
             perfetto_place end, trace::nanoseconds to_ns);
  void counters();
  void memory();
  [[nodiscard]] trace::nanoseconds common(trace::nanoseconds t) const { return placed_.clock.to_common(t); }

  const placed_trace& placed_;
  const trace::trace& trace_;
  std::uint32_t index_;
  perfetto_text& text_;
  perfetto_counts& counts_;
  perfetto_tracks tracks_;
};

}  // namespace ridge::trace_report
