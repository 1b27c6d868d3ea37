// SPDX-License-Identifier: Apache-2.0
#include <ridge/profile/cpu_profile.hpp>

#include <ranges>

#include <fmt/format.h>

namespace ridge::profile {
namespace {

constexpr std::int64_t shortest_wait_ns = 50'000;

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

void cpu_profile::add(const sampler_record& record) {
  std::visit([this](const auto& r) { take(r); }, record);
}

void cpu_profile::take(const stack_seen& s) {
  sample made{.time_ns = s.time_ns, .process = s.process, .thread = s.thread, .weight = s.weight};
  bool innermost = true;
  std::uint32_t caller = made.stack;
  for (std::size_t i = s.addresses.size(); i-- > 0;) {
    innermost = i == 0;
    // A return address follows its call; one byte less lies in the call, even at a function's end.
    caller = frame_of(caller, s.process, s.addresses[i] - (innermost ? 0 : 1));
  }
  made.stack = caller;
  samples_.push_back(made);
}

std::uint32_t cpu_profile::frame_of(std::uint32_t caller, pid_t process, std::uint64_t address) {
  const auto place = spaces_.place_of(process, address);
  auto function = place ? symbols_.function_at(place->file, place->offset) : "";
  auto module = place ? base_name(place->file) : "";
  if (function.empty()) function = module.empty() ? "[unknown]" : "[" + module + "]";
  const auto [at, fresh] =
      known_.try_emplace({caller, function, module}, static_cast<std::uint32_t>(frames_.size()));
  if (fresh) frames_.push_back({caller, std::move(function), std::move(module)});
  return at->second;
}

void cpu_profile::take(const thread_named& n) {
  spaces_.add(n);
  threads_[{n.process, n.thread}] = n.name;
}

void cpu_profile::take(const thread_started& t) {
  spaces_.add(t);
  const auto parent = threads_.find({t.parent_process, t.parent_process});
  if (parent != threads_.end()) threads_.try_emplace({t.process, t.thread}, parent->second);
}

void cpu_profile::take(const thread_switched& s) {
  const auto key = std::pair(s.process, s.thread);
  if (s.out) {
    away_[key] = s;
    return;
  }
  const auto left = away_.find(key);
  if (left == away_.end()) return;
  if (s.time_ns - left->second.time_ns >= shortest_wait_ns)
    waits_.push_back({left->second.time_ns, s.time_ns, s.process, s.thread, left->second.preempted});
  away_.erase(left);
}

}  // namespace ridge::profile
