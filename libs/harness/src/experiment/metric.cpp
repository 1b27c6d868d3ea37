// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/metric.hpp>

namespace ridge {
using model::better;

metric time_per_call() { return {}; }

metric cycles_per_call() {
  return {.definition = {.name = "cycles", .unit = "cycles"}, .reading = reading::cycles};
}

metric throughput(std::string unit) {
  return {.definition = {.name = "throughput", .unit = std::move(unit), .better = better::higher},
          .reading = reading::items_per_second};
}

metric goodput(phase useful) {
  return {.definition = {.name = "goodput", .unit = "1", .better = better::higher},
          .reading = reading::phase_share,
          .handle = std::string(useful.name)};
}

metric quantile(observable value, double q, std::string name) {
  return {.definition = {.name = name.empty() ? std::string(value.name) : std::move(name)},
          .reading = reading::quantile,
          .handle = std::string(value.name),
          .q = q};
}

metric peak_memory() {
  return {.definition = {.name = "memory", .unit = "B"}, .reading = reading::peak_bytes};
}

metric relative_error() { return {.definition = {.name = "error", .unit = ""}, .reading = reading::error}; }

metric relative_rms_error() {
  return {.definition = {.name = "rms_error", .unit = ""}, .reading = reading::rms_error};
}

model::goal goal_of(const metric& first) {
  switch (first.reading) {
    case reading::items_per_second:
    case reading::flop_per_second:
    case reading::bytes_per_second:
      return model::goal::throughput;
    case reading::phase_share:
      return model::goal::goodput;
    case reading::quantile:
      return model::goal::latency;
    case reading::peak_bytes:
      return model::goal::memory;
    case reading::error:
    case reading::rms_error:
      return model::goal::accuracy;
    case reading::time:
    case reading::cycles:
      break;
  }
  return model::goal::speed;
}

}  // namespace ridge
