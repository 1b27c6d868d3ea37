// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/trace/trace.hpp>

namespace ridge::trace {

// The calls that were captured as the nodes of graphs. A trace does not tell which call made which node; it
// tells the calls between the begin and the end of a capture, in order, and the numbers of a graph's nodes,
// which ascend in the order of capture. A graph is joined to a capture where exactly one capture has as many
// calls as the graph has nodes, or as many captures as graphs have that number (then in order); else its work
// has no captured call.
class captured_calls {
 public:
  explicit captured_calls(const trace& t);
  // Returns the call that was captured as the node of a work; `none` where the trace does not tell.
  [[nodiscard]] event_id call_of(work_id w) const { return w < call_.size() ? call_[w] : none; }

 private:
  std::vector<event_id> call_{};  // by work; empty where nothing was captured
};

}  // namespace ridge::trace
