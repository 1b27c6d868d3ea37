// SPDX-License-Identifier: Apache-2.0
#include <ridge/profile/address_spaces.hpp>

namespace ridge::profile {

void address_spaces::add(const mapping_made& m) {
  auto& space = spaces_[m.process];
  const auto end = m.begin + m.length;
  auto at = space.lower_bound(m.begin);
  if (at != space.begin() && std::prev(at)->second.end > m.begin) {
    auto& before = *std::prev(at);
    if (before.second.end > end)
      space.emplace(
          end, mapping{before.second.end, before.second.offset + (end - before.first), before.second.file});
    before.second.end = m.begin;
  }
  while (at != space.end() && at->second.end <= end) at = space.erase(at);
  if (at != space.end() && at->first < end) {
    auto rest = at->second;
    rest.offset += end - at->first;
    space.erase(at);
    space.emplace(end, rest);
  }
  space[m.begin] = {end, m.offset, m.file};
}

void address_spaces::add(const thread_started& t) {
  if (t.process == t.parent_process) return;
  const auto parent = spaces_.find(t.parent_process);
  if (parent != spaces_.end()) spaces_[t.process] = parent->second;
}

void address_spaces::add(const thread_named& n) {
  if (n.by_exec) spaces_.erase(n.process);
}

std::optional<code_place> address_spaces::place_of(pid_t process, std::uint64_t address) const {
  const auto space = spaces_.find(process);
  if (space == spaces_.end()) return std::nullopt;
  const auto after = space->second.upper_bound(address);
  if (after == space->second.begin()) return std::nullopt;
  const auto& [begin, m] = *std::prev(after);
  if (address >= m.end) return std::nullopt;
  return code_place{m.file, address - begin + m.offset};
}

}  // namespace ridge::profile
