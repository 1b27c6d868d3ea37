// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/work_class.hpp>

#include <array>
#include <unordered_map>

namespace ridge::trace {
namespace {

work_class class_of(const trace& t, const device_work& w, const communication_names& names) {
  if (w.kind == category::copy) return work_class::copy;
  if (w.kind == category::fill) return work_class::fill;
  return names.match(t.names[w.name]) == nullptr ? work_class::compute : work_class::communication;
}

}  // namespace

std::string_view name(work_class c) {
  constexpr std::array<std::string_view, 4> names{"compute", "communication", "copy", "fill"};
  return names.at(static_cast<std::size_t>(c));
}

std::vector<work_class> classes_of(const trace& t, const communication_names& names) {
  std::unordered_map<std::uint64_t, work_class> known;
  std::vector<work_class> classes;
  classes.reserve(t.works.size());
  for (const auto& w : t.works) {
    const auto key = std::uint64_t{w.name} << 8 | static_cast<std::uint64_t>(w.kind);
    const auto at = known.find(key);
    classes.push_back(at != known.end() ? at->second
                                        : known.emplace(key, class_of(t, w, names)).first->second);
  }
  return classes;
}

}  // namespace ridge::trace
