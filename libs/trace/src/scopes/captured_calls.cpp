// SPDX-License-Identifier: Apache-2.0
#include "scopes/captured_calls.hpp"

#include <algorithm>
#include <map>
#include <string_view>

namespace ridge::trace {
namespace {

bool holds(std::string_view name, std::string_view part) { return name.find(part) != std::string_view::npos; }

// A call that becomes a node with device work: launches, copies and fills in a stream.
bool makes_work(std::string_view name) {
  if (holds(name, "GraphLaunch")) return false;
  return holds(name, "LaunchKernel") || holds(name, "LaunchCooperativeKernel") ||
         holds(name, "ModuleLaunch") || (holds(name, "Memcpy") && holds(name, "Async")) ||
         (holds(name, "Memset") && holds(name, "Async"));
}

struct capture {
  nanoseconds start_ns = 0;
  std::vector<event_id> calls{};
};

void add_captures(const trace& t, const track& thread, std::vector<capture>& all) {
  bool open = false;
  for (auto e = thread.first; e < thread.first + thread.count; ++e) {
    if (t.events.kind[e] != category::api) continue;
    const auto name = t.name_of(e);
    if (holds(name, "StreamBeginCapture")) {
      all.push_back({t.events.start_ns[e], {}});
      open = true;
    } else if (holds(name, "StreamEndCapture")) {
      open = false;
    } else if (open && makes_work(name)) {
      all.back().calls.push_back(e);
    }
  }
}

using graph_nodes = std::map<std::uint32_t, std::vector<std::uint64_t>>;  // by graph, ascending

graph_nodes nodes_of(const trace& t) {
  graph_nodes graphs;
  for (const auto& w : t.works)
    if (w.graph_node != 0) graphs[w.graph].push_back(w.graph_node);
  for (auto& [graph, nodes] : graphs) {
    std::ranges::sort(nodes);
    const auto rest = std::ranges::unique(nodes);
    nodes.erase(rest.begin(), rest.end());
  }
  return graphs;
}

// Returns the capture of each graph that can be told.
std::map<std::uint32_t, const capture*> captures_of(const graph_nodes& graphs,
                                                    const std::vector<capture>& captures) {
  std::map<std::size_t, std::vector<std::uint32_t>> graphs_of_size;
  std::map<std::size_t, std::vector<const capture*>> captures_of_size;
  for (const auto& [graph, nodes] : graphs) graphs_of_size[nodes.size()].push_back(graph);
  for (const auto& c : captures) captures_of_size[c.calls.size()].push_back(&c);
  std::map<std::uint32_t, const capture*> joined;
  for (const auto& [size, ids] : graphs_of_size) {
    const auto& candidates = captures_of_size[size];
    for (std::size_t i = 0; candidates.size() == ids.size() && i < ids.size(); ++i)
      joined[ids[i]] = candidates[i];
  }
  return joined;
}

}  // namespace

captured_calls::captured_calls(const trace& t) {
  std::vector<capture> captures;
  for (const auto& thread : t.tracks)
    if (thread.kind == track_kind::thread) add_captures(t, thread, captures);
  if (captures.empty()) return;
  std::ranges::stable_sort(captures, {}, &capture::start_ns);
  const auto graphs = nodes_of(t);
  const auto joined = captures_of(graphs, captures);
  call_.assign(t.works.size(), none);
  for (work_id w = 0; w < t.works.size(); ++w) {
    const auto& work = t.works[w];
    const auto at = joined.find(work.graph);
    if (work.graph_node == 0 || at == joined.end()) continue;
    const auto& nodes = graphs.at(work.graph);
    const auto place = std::ranges::lower_bound(nodes, work.graph_node) - nodes.begin();
    call_[w] = at->second->calls[static_cast<std::size_t>(place)];
  }
}

}  // namespace ridge::trace
