// SPDX-License-Identifier: Apache-2.0
#include <ridge/app/command_group.hpp>

#include <utility>

namespace ridge::app {

command_group linked_group(std::string name, group_commands commands) {
  return {.name = std::move(name), .open = [commands] { return result(commands); }};
}

const std::vector<known_group>& known_groups() {
  static const std::vector<known_group> all{
      {"trace",
       {{"profile", "Profile a program or an experiment into a trace that `ridge trace` opens"},
        {"trace", "Show where the time of a profile went"},
        {"diagnose", "List what slows a profiled program down, by the seconds that a change would save"}}},
      {"plan",
       {{"plan", "Answer from models: what fits, what it costs, how to spread it, how it will serve"}}},
      {"results",
       {{"analyze", "Rank the variants of each stored workload, and weigh what they gain and cost"},
        {"whatif", "List stored variants that meet limits of memory, time, throughput, energy and power"},
        {"stacking", "Show which techniques combine: measured together, derived or unknown"},
        {"power", "Rank the variants of each stored workload by the work that a joule does"},
        {"cost", "Price the calls of stored variants on the GPU they ran on, or on another by a model"},
        {"scaling", "Fit laws to stored results over an axis: how time and gain grow with size"},
        {"store", "Copy a store of results, or measure how fast one is"},
        {"tui", "Look at results, comparisons, series, rooflines and the machine on full screens"}}},
      {"serve", {{"serve", "Serve stored results, analyses and pages over HTTP to this machine"}}},
  };
  return all;
}

}  // namespace ridge::app
