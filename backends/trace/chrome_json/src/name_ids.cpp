// SPDX-License-Identifier: Apache-2.0
#include "name_ids.hpp"

#include "unescape.hpp"

namespace ridge::backends::trace_chrome_json {

trace::name_id name_ids::of(const token& raw) {
  if (!raw.told() || raw.size() == 0) return 0;
  if (raw.size() > recent_texts::longest) return missed(raw.text());
  if (const auto known = recent_.find(raw)) return *known;
  const auto id = missed(raw.text());
  recent_.keep(raw, id);
  return id;
}

trace::name_id name_ids::missed(std::string_view raw) {
  if (says_itself(raw)) return builder_.intern(raw);
  const auto [at, fresh] = mended_.try_emplace(std::string(raw));
  if (fresh) {
    const auto mended = unescape(raw);
    broken_ += mended.broken;
    at->second = builder_.intern(mended.text);
  }
  return at->second;
}

}  // namespace ridge::backends::trace_chrome_json
