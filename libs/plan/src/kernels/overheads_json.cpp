// SPDX-License-Identifier: Apache-2.0
#include "overheads_json.hpp"

namespace ridge::plan::kernels {

void read_overheads(json_members& members, engine_overheads& overheads) {
  constexpr double most_s = 10;
  members.text("engine", overheads.engine);
  members.number("step_s", overheads.step_s, 0, most_s);
  members.number("sequence_s", overheads.sequence_s, 0, most_s);
  members.number("hidden_step_s", overheads.hidden_step_s, 0, most_s);
  members.number("hidden_sequence_s", overheads.hidden_sequence_s, 0, most_s);
  members.number("request_s", overheads.request_s, 0, most_s);
  members.number("front_end_s", overheads.front_end_s, 0, most_s);
  members.number("kernel_launch_s", overheads.kernel_launch_s, 0, most_s);
  members.count("graph_tokens", overheads.graph_tokens);
}

void read_scaling(json_members& members, kernel_scaling& scaling) {
  members.number("bandwidth_scale", scaling.bandwidth, 0.05, 20);
  members.number("flop_scale", scaling.flop, 0.05, 20);
  members.number("collective_floor_s", scaling.collective_floor_s, 0, 1);
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
