// SPDX-License-Identifier: Apache-2.0
#include "xplane.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/base/text.hpp>
#include <ridge/trace/whole_content.hpp>

#include "xplane_reading.hpp"

namespace ridge::backends::trace_xplane {
namespace {

// Whether a message is a plane, as far as it goes: an id, then a name that people read, or lines.
bool begins_a_plane(std::string_view message) {
  trace::wire_message fields(message);
  trace::wire_field f;
  while (fields.next(f)) {
    if (f.number == 1 && f.type == trace::wire_type::varint) continue;
    if (f.type != trace::wire_type::bytes || f.number < 2 || f.number > 6) return false;
    if (f.number != 2) return true;
    return f.bytes.size() > 1 && std::ranges::all_of(f.bytes, [](char c) { return c >= ' ' && c <= '~'; });
  }
  return fields.take_cut(f) && f.number >= 2 && f.number <= 6;
}

// A text may begin with a line feed and a letter that reads as a length.
bool is_text(std::string_view head) {
  return std::ranges::none_of(head.substr(0, 256), [](char c) {
    return c >= '\0' && c < ' ' && c != '\t' && c != '\n' && c != '\r';
  });
}

// What an XSpace holds besides events.
struct space {
  std::vector<plane> planes{};
  std::vector<std::string_view> warnings{};
  std::string_view host{};
};

space read_space(xplane_reading& reading, std::string_view content) {
  space s;
  trace::wire_message fields(content);
  const auto take = [&](const trace::wire_field& f) {
    if (f.type != trace::wire_type::bytes) return;
    if (f.number == 1) s.planes.push_back(read_plane(f.bytes));
    if (f.number == 2 || f.number == 3) s.warnings.push_back(f.bytes);
    if (f.number == 4 && s.host.empty()) s.host = f.bytes;
  };
  trace::wire_field f;
  while (fields.next(f)) take(f);
  if (fields.damaged()) {
    reading.note(trace::flaw::truncated, fields.position(),
                 "the file ends within a plane, or is damaged there");
    if (fields.take_cut(f)) take(f);
  }
  return s;
}

bool is_host_plane(const plane& p) {
  constexpr std::array others{"/host:metadata", "/host:tfstreamz", "/host:__ScopeRangeCallStack__"};
  return p.name.starts_with("/host:") && std::ranges::find(others, p.name) == others.end();
}

// Threads come first: whether they mark steps decides what a device's are.
void read_planes(xplane_reading& reading, const std::vector<plane>& planes) {
  for (const auto& p : planes) {
    if (is_host_plane(p)) read_host(reading, p);
    if (p.name == "Task Environment") read_start_time(reading, p);
  }
  for (const auto& p : planes) {
    const auto gpu = number_behind(p.name, "/device:GPU:"), tpu = number_behind(p.name, "/device:TPU:");
    if (gpu) read_gpu(reading, p, *gpu);
    if (tpu) read_tpu(reading, p, *tpu);
    if (gpu || tpu) read_device_facts(reading, p, gpu ? *gpu : *tpu);
    if (p.damaged) reading.note(trace::flaw::unreadable_event, 0, fmt::format("plane {}: its end", p.name));
  }
}

void read_all(xplane_reading& reading, std::string_view content) {
  const auto s = read_space(reading, content);
  read_planes(reading, s.planes);
  for (const auto text : s.warnings) {
    if (contains_ignoring_case(text, "drop") || contains_ignoring_case(text, "lost"))
      reading.note(trace::flaw::dropped_records, 0, text);
  }
  auto& facts = reading.builder.facts();
  facts.epoch_ns = reading.trace_zero();
  facts.source.producer = "XLA profiler";
  facts.source.host = s.host;
  facts.processes[reading.process].name = s.host;
}

class importer final : public trace::importer {
 public:
  std::string_view format() const override { return "xplane"; }
  bool recognises(std::string_view head) const override {
    trace::wire_message fields(head);
    trace::wire_field f;
    if (is_text(head) || (!fields.next(f) && !fields.take_cut(f))) return false;
    return f.number == 1 && f.type == trace::wire_type::bytes && begins_a_plane(f.bytes);
  }

  result<trace::trace> read(trace::byte_source& source, trace::origin origin,
                            const trace::read_limits& limits) const override {
    const auto content = trace::whole_content(source, limits.memory_bytes);
    if (!content)
      return error{
          fmt::format("{}: this XSpace needs more memory than {} bytes", origin.path, limits.memory_bytes),
          "raise --max-memory, or profile a shorter time"};
    xplane_reading reading(content->view(), limits);
    const auto path = origin.path;
    reading.builder.facts().source = std::move(origin);
    read_all(reading, content->view());
    auto made = std::move(reading.builder).finish();
    if (made.events.size() == 0 && made.quality.truncated())
      return error{path + ": this XSpace is damaged before its first event", "copy it, or profile, again"};
    return made;
  }
};

}  // namespace

const trace::importer& xplane() {
  static const importer the_one;
  return the_one;
}

}  // namespace ridge::backends::trace_xplane
