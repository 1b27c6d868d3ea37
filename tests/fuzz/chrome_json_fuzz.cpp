// SPDX-License-Identifier: Apache-2.0
// Any bytes: they are refused with a reason, or read as a trace whose columns hold together, the same whether
// they come at once or in small pieces.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <ridge/trace/importer.hpp>

#include "document_reader.hpp"

namespace ridge::backends::trace_chrome_json {
const trace::importer& chrome_json();
}  // namespace ridge::backends::trace_chrome_json

namespace {

using namespace ridge::trace;

class dripping_source final : public byte_source {
 public:
  explicit dripping_source(std::string_view bytes) : left_(bytes) {}
  std::size_t read(std::span<char> into) override {
    const auto n = left_.copy(into.data(), std::min<std::size_t>(into.size(), 7));
    left_.remove_prefix(n);
    return n;
  }

 private:
  std::string_view left_;
};

void check(bool holds) {
  if (!holds) std::abort();
}

void check_columns(const trace& t) {
  std::size_t events = 0;
  for (const auto& k : t.tracks) {
    check(k.first == events);
    events += k.count;
  }
  check(events == t.events.size());
  for (event_id e = 0; e < t.events.size(); ++e) {
    check(t.events.track[e] < t.tracks.size() && t.events.name[e] < t.names.size());
    check(t.events.duration_ns[e] >= 0);
  }
  for (const auto& w : t.works)
    check(w.event < t.events.size() && (w.launch == none || w.launch < t.events.size()));
}

void check_same(const trace& a, const trace& b) {
  check(a.events.size() == b.events.size() && a.names.size() == b.names.size());
  check(std::ranges::equal(a.events.start_ns, b.events.start_ns));
  check(std::ranges::equal(a.events.offset, b.events.offset));
  check(std::ranges::equal(a.events.name, b.events.name));
  check(std::ranges::equal(a.quality.defects, b.quality.defects, {}, &defect::count, &defect::count));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto& importer = ridge::backends::trace_chrome_json::chrome_json();
  static_cast<void>(importer.recognises(text));
  const auto whole = importer.read(*source_of(text), {}, {});
  dripping_source drops(text);
  const auto dripped = ridge::backends::trace_chrome_json::read_trace(
      drops, {}, {}, {.window_bytes = 1 + size % 97, .threads = 1});
  check(whole.ok() == dripped.ok());
  if (!whole) {
    check(!whole.why().message.empty() && !whole.why().remedy.empty());
    return 0;
  }
  check_columns(*whole);
  check_same(*whole, *dripped);
  return 0;
}
