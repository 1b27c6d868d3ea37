// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ridge/trace/cautions.hpp>
#include <ridge/trace/fleet.hpp>

namespace ridge::trace {

// One device of one rank in a survey.
struct surveyed_rank {
  fleet_member member{};  // its states in its window
  std::string path{};     // file, or archive and member
  std::string node{};     // "node 0", or the host as the trace records it; empty: not known
  // Over the whole recording; nullopt where no collective was seen on another rank as well.
  std::optional<nanoseconds> waited_ns{};       // it came first and waited for others
  std::optional<nanoseconds> kept_others_ns{};  // sum of the times that others waited for it
  nanoseconds inside_ns = 0;                    // sum of its collectives whose group lies in one node
  nanoseconds between_ns = 0;                   // sum of those whose group spans nodes
  std::vector<caution> cautions{};              // of its trace
};

// How long one participant waited for another.
struct waiting_pair {
  std::uint32_t causer = 0;  // into survey_report::ranks
  std::uint32_t sufferer = 0;
  nanoseconds waited_ns = 0;
};

// Where the ranks of a collective sit.
enum class node_reach : std::uint8_t { inside, between, unknown };
inline constexpr int node_reach_count = 3;
// Returns the name of a reach, as reports print it.
[[nodiscard]] std::string_view name(node_reach r);

// The collectives of one reach; times are sums over parts.
struct reach_sum {
  std::uint64_t instances = 0, parts = 0;
  nanoseconds total_ns = 0, waited_ns = 0;
  nanoseconds transfer_ns = 0;        // over the instances that several ranks recorded
  std::int64_t bytes = 0;             // over those of them that tell their size
  nanoseconds sized_transfer_ns = 0;  // their transfer
};

// Ranks side by side.
struct survey_report {
  std::vector<surveyed_rank> ranks{};  // by rank
  fleet_report fleet{};                // its members are those of `ranks`
  std::vector<waiting_pair> pairs{};   // all that waited, longest first
  nanoseconds waited_ns = 0;           // sum of pairs
  bool tells_waiting = false;          // some collective was recorded by several ranks
  std::array<reach_sum, node_reach_count> reaches{};
  std::uint64_t instances = 0;                // of collectives
  std::uint64_t unmatched = 0;                // parts that one rank alone has
  std::uint64_t incomplete = 0;               // instances that lack ranks of their group
  std::vector<std::string> without_device{};  // paths of traces in which no kernel ran
};

// How ranks are compared.
struct survey_options {
  communication_names names = communication_names::built_in();
  int ranks_per_node = 0;  // rank / ranks_per_node is the node; 0: the host that each trace records
};

// Compares many ranks in the memory of one trace and 40 bytes for each collective of each rank: a trace is
// taken and can be closed before the next one is opened.
class rank_survey {
 public:
  // Makes a survey without ranks.
  explicit rank_survey(survey_options options = {});
  ~rank_survey();
  rank_survey(rank_survey&&) noexcept;
  rank_survey& operator=(rank_survey&&) noexcept;

  // Takes the figures of a trace. States count in `window`; waiting always counts in the whole recording, for
  // a collective's parts lie in windows of their own.
  void take(const trace& t, const fleet_window& window);
  // Number of traces taken.
  [[nodiscard]] std::size_t size() const;
  // Returns the ranks side by side. Waiting is as communication_report tells it.
  [[nodiscard]] survey_report report() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace ridge::trace
