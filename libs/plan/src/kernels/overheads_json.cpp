// SPDX-License-Identifier: Apache-2.0
#include "overheads_json.hpp"

namespace ridge::plan::kernels {

void read_overheads(json_members& from, engine_overheads& into) {
  constexpr double most_s = 10;
  from.text("engine", into.engine);
  from.number("step_s", into.step_s, 0, most_s);
  from.number("sequence_s", into.sequence_s, 0, most_s);
  from.number("hidden_step_s", into.hidden_step_s, 0, most_s);
  from.number("hidden_sequence_s", into.hidden_sequence_s, 0, most_s);
  from.number("request_s", into.request_s, 0, most_s);
  from.number("front_end_s", into.front_end_s, 0, most_s);
  from.number("kernel_launch_s", into.kernel_launch_s, 0, most_s);
  from.count("graph_tokens", into.graph_tokens);
}

void read_scaling(json_members& from, kernel_scaling& into) {
  from.number("bandwidth_scale", into.bandwidth, 0.05, 20);
  from.number("flop_scale", into.flop, 0.05, 20);
  from.number("collective_floor_s", into.collective_floor_s, 0, 1);
}

nlohmann::ordered_json overheads_json(const engine_overheads& o) {
  return {{"engine", o.engine},
          {"step_s", o.step_s},
          {"sequence_s", o.sequence_s},
          {"hidden_step_s", o.hidden_step_s},
          {"hidden_sequence_s", o.hidden_sequence_s},
          {"request_s", o.request_s},
          {"front_end_s", o.front_end_s},
          {"kernel_launch_s", o.kernel_launch_s},
          {"graph_tokens", o.graph_tokens}};
}

nlohmann::ordered_json scaling_json(const kernel_scaling& s) {
  return {
      {"bandwidth_scale", s.bandwidth}, {"flop_scale", s.flop}, {"collective_floor_s", s.collective_floor_s}};
}

}  // namespace ridge::plan::kernels
