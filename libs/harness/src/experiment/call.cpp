// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/call.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ridge/base/expects.hpp>
#include <ridge/base/text.hpp>

#include "experiment/declared_queue.hpp"

namespace ridge {
namespace {

// The place of `name` among the names that an experiment lists under `list`.
std::size_t listed_index(std::span<const std::string> names, std::string_view name, std::string_view list) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) {
    expects(false, fmt::format("call: \"{}\" is not among the experiment's .{}, which lists {}", name, list,
                               names.empty() ? "none" : join(names, ", ")));
  }
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace

moment moment::after(double seconds) const {
  return {ticks_ + static_cast<std::uint64_t>(std::llround(seconds / seconds_per_tick_)), seconds_per_tick_,
          true};
}

call::call(const call_resources& resources)
    : clock_(resources.clock),
      team_(resources.team),
      queues_(resources.queues),
      queue_(queues_ == nullptr ? stream{} : queues_->at(0, 0)),
      threads_(resources.threads),
      forks_(queues_ != nullptr && queues_->size() > 1),
      phase_names_(resources.phases),
      observed_names_(resources.observed) {
  expects(phase_names_.size() <= max_phases && observed_names_.size() <= max_observed,
          "call: an experiment lists at most 8 phases and 4 observables");
}

stream call::queue_on(int gpu, int index) const { return declared_queue(queues_, gpu, index); }

host::team& call::team() const {
  expects(team_ != nullptr, "call: this variant declares one thread; set .threads to use a team");
  return *team_;
}

void call::observe(observable value, moment start, moment end) {
  expects(!end.shifted_ && start.ticks_ <= end.ticks_,
          "call: an observed duration was made up, not read from the clock");
  const auto ticks = static_cast<double>(end.ticks_) - static_cast<double>(start.ticks_);
  observed_[listed_index(observed_names_, value.name, "observed")].push_back(ticks * clock_.seconds_per_tick);
}

void call::clear() {
  for (auto& list : observed_) list.clear();
  spent_.fill(0);
  depth_ = 0;
}

double call::phase_seconds(std::size_t index) const {
  return static_cast<double>(spent_[index]) * clock_.seconds_per_tick;
}

std::size_t call::index_of(phase wanted) const { return listed_index(phase_names_, wanted.name, "phases"); }

void call::enter(std::size_t index) {
  expects(depth_ < max_phases, "call: more than 8 phases are open at once");
  const auto now = clock_.now();
  if (depth_ > 0) spent_[open_[depth_ - 1]] += now - since_;
  open_[depth_++] = index;
  since_ = now;
}

void call::leave() {
  const auto now = clock_.now();
  spent_[open_[--depth_]] += now - since_;
  since_ = now;
}

}  // namespace ridge
