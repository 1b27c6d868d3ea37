// SPDX-License-Identifier: Apache-2.0
#include "rules/idle_cause_text.hpp"

namespace ridge::trace {

std::string_view idle_cause_text(idle_cause c) {
  switch (c) {
    case idle_cause::code_loading:
      return "the host loads or compiles code";
    case idle_cause::garbage_collection:
      return "the interpreter collects garbage";
    case idle_cause::allocation:
      return "the host allocates or frees memory";
    case idle_cause::copy_call:
      return "the host is in a call that copies";
    case idle_cause::synchronization:
      return "the host waits for the device";
    case idle_cause::data_loading:
      return "the host fetches its next batch";
    case idle_cause::lock:
      return "the host waits for a lock";
    case idle_cause::off_cpu:
      return "the host's thread does not run";
    case idle_cause::other_api:
      return "the host is in another call";
    case idle_cause::framework:
      return "the framework prepares the next launch";
    case idle_cause::python:
      return "the interpreter runs";
    case idle_cause::unknown:
      return "the host does something that was not recorded";
    case idle_cause::launch_api:
      return "the call that launches runs";
    case idle_cause::launch_latency:
      return "a launch is on its way";
    case idle_cause::event_wait:
      return "a stream waits for another";
    case idle_cause::graph_internal:
      return "a graph's works wait for each other";
    case idle_cause::pipeline:
      return "work was launched and had not begun";
    case idle_cause::micro:
      return "from kernel to kernel";
    case idle_cause::graph_micro:
      return "from kernel to kernel of a graph";
    case idle_cause::profiler:
      return "the profiler does its own work";
    case idle_cause::no_launch:
      return "before works whose launch is not recorded";
  }
  return "";
}

}  // namespace ridge::trace
