// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/rank_survey.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <ridge/trace/waiting.hpp>

#include "communication/collective_series.hpp"
#include "communication/participants.hpp"

namespace ridge::trace {
namespace {

std::string path_of(const origin& source) {
  return source.member.empty() ? source.path : fmt::format("{}:{}", source.path, source.member);
}

std::string node_of(const origin& source, int ranks_per_node) {
  if (ranks_per_node > 0) return source.rank < 0 ? "" : fmt::format("node {}", source.rank / ranks_per_node);
  return source.host;
}

node_reach reach_of(const collective_instance& instance, std::span<const surveyed_rank> ranks) {
  const auto& first = ranks[instance.parts.front().participant];
  const auto same_trace = [&](const collective_part& p) {
    return ranks[p.participant].member.who.trace == first.member.who.trace;
  };
  const bool whole = instance.group_size == 0 || instance.parts.size() >= instance.group_size;
  if (whole && instance.parts.size() > 1 && std::ranges::all_of(instance.parts, same_trace))
    return node_reach::inside;
  bool apart = false;
  for (const auto& part : instance.parts) {
    const auto& node = ranks[part.participant].node;
    if (node.empty()) return node_reach::unknown;
    apart = apart || node != first.node;
  }
  if (apart) return node_reach::between;  // whatever ranks are lacking
  return whole && instance.parts.size() > 1 ? node_reach::inside : node_reach::unknown;
}

// Adds up the instances of a survey, none of which is kept.
class instance_sums {
 public:
  explicit instance_sums(survey_report& report)
      : report_(report), waiting_(static_cast<std::uint32_t>(report.ranks.size())) {}

  void add(const collective_instance& instance) {
    ++report_.instances;
    report_.incomplete += instance.complete() == false ? 1U : 0U;
    report_.unmatched += instance.parts.size() == 1 && report_.ranks.size() > 1 ? 1U : 0U;
    const auto reach = reach_of(instance, report_.ranks);
    auto& sum = report_.reaches.at(static_cast<std::size_t>(reach));
    ++sum.instances;
    for (const auto& part : instance.parts) add_part(sum, part, reach);
    if (instance.parts.size() > 1) add_waiting(sum, instance);
  }

  void finish() {
    if (!report_.tells_waiting) return;
    for (std::uint32_t causer = 0; causer < waiting_.size(); ++causer) {
      auto& rank = report_.ranks[causer];
      if (!rank.waited_ns) continue;
      rank.kept_others_ns = waiting_.caused_by(causer);
      report_.waited_ns += *rank.kept_others_ns;
      for (std::uint32_t sufferer = 0; sufferer < waiting_.size(); ++sufferer)
        if (const auto waited = waiting_.caused(causer, sufferer); waited > 0)
          report_.pairs.push_back({causer, sufferer, waited});
    }
    std::ranges::stable_sort(report_.pairs, std::greater{}, &waiting_pair::waited_ns);
  }

 private:
  void add_part(reach_sum& sum, const collective_part& part, node_reach reach) {
    ++sum.parts;
    sum.total_ns += part.duration_ns();
    auto& rank = report_.ranks[part.participant];
    if (reach == node_reach::inside) rank.inside_ns += part.duration_ns();
    if (reach == node_reach::between) rank.between_ns += part.duration_ns();
  }

  void add_waiting(reach_sum& sum, const collective_instance& instance) {
    report_.tells_waiting = true;
    const auto latest = *std::ranges::min_element(instance.parts, {}, &collective_part::duration_ns);
    sum.transfer_ns += latest.duration_ns();
    if (instance.bytes) {
      sum.bytes += *instance.bytes;
      sum.sized_transfer_ns += latest.duration_ns();
    }
    for (const auto& part : instance.parts) {
      const auto wait = part.duration_ns() - latest.duration_ns();
      auto& waited = report_.ranks[part.participant].waited_ns;
      waited = waited.value_or(0) + wait;
      sum.waited_ns += wait;
      waiting_.add(latest.participant, part.participant, wait);
    }
  }

  survey_report& report_;
  waiting_matrix waiting_;
};

// Puts ranks in the order of the fleet's members and lets pairs name them there.
void put_in_order(survey_report& report) {
  std::vector<std::uint32_t> order(report.ranks.size()), place(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) {
    const auto& who = report.ranks[i].member.who;
    return std::tuple(who.rank < 0, who.rank, who.trace, who.device);
  });
  std::vector<surveyed_rank> ranks;
  for (std::uint32_t at = 0; at < order.size(); ++at) {
    place[order[at]] = at;
    ranks.push_back(std::move(report.ranks[order[at]]));
  }
  report.ranks = std::move(ranks);
  for (auto& pair : report.pairs) {
    pair.causer = place[pair.causer];
    pair.sufferer = place[pair.sufferer];
  }
}

}  // namespace

struct rank_survey::state {
  survey_options options{};
  std::vector<trace_start> starts{};
  std::vector<surveyed_rank> ranks{};  // in the order taken: what parts call their participant
  std::vector<std::string> without_device{};
  collective_series series{};
};

rank_survey::rank_survey(survey_options options) : state_(std::make_unique<state>()) {
  state_->options = std::move(options);
}
rank_survey::~rank_survey() = default;
rank_survey::rank_survey(rank_survey&&) noexcept = default;
rank_survey& rank_survey::operator=(rank_survey&&) noexcept = default;

std::size_t rank_survey::size() const { return state_->starts.size(); }

void rank_survey::take(const trace& t, const fleet_window& window) {
  auto& s = *state_;
  const auto index = static_cast<std::uint32_t>(s.starts.size());
  s.starts.push_back(start_of(t));
  const auto devices =
      participants_in(t, index, [](const device_work& w) { return w.kind == category::kernel; });
  if (devices.empty()) return s.without_device.push_back(path_of(t.source));
  const auto classes = classes_of(t, s.options.names);
  pattern_cache patterns(t, s.options.names);
  const auto cautions = cautions_of(t, steps_of(t));
  for (const auto& who : devices) {
    s.series.take(t, who.device, static_cast<std::uint32_t>(s.ranks.size()), patterns, s.options.names);
    s.ranks.push_back({.member = member_of(t, who, classes, window),
                       .path = path_of(t.source),
                       .node = node_of(t.source, s.options.ranks_per_node),
                       .cautions = cautions});
  }
}

survey_report rank_survey::report() const {
  survey_report report{.ranks = state_->ranks, .without_device = state_->without_device};
  std::vector<participant> all;
  for (const auto& rank : report.ranks) all.push_back(rank.member.who);
  name_participants(all, state_->starts);
  std::vector<fleet_member> members;
  for (std::size_t i = 0; i < all.size(); ++i) {
    report.ranks[i].member.who = all[i];
    members.push_back(report.ranks[i].member);
  }
  instance_sums sums(report);
  state_->series.match(cohorts_of(all), [&](collective_instance&& instance) { sums.add(instance); });
  sums.finish();
  put_in_order(report);
  report.fleet = compare_members(std::move(members));
  return report;
}

std::string_view name(node_reach r) {
  constexpr std::array<std::string_view, node_reach_count> names{"inside a node", "between nodes",
                                                                 "not told"};
  return names.at(static_cast<std::size_t>(r));
}

}  // namespace ridge::trace
