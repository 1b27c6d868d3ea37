// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace_report/speedscope.hpp>

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "json_string.hpp"
#include "markup_text.hpp"
#include "page_parts.hpp"

namespace ridge::trace_report {
namespace {

using trace::event_id;
using trace::nanoseconds;

constexpr std::size_t longest_frame = 2000;

class frame_table {
 public:
  std::size_t of(std::string_view name) {
    const auto [at, fresh] = numbers_.try_emplace(std::string(name), numbers_.size());
    if (fresh) {
      text_ += text_.empty() ? "{\"name\":" : ",\n{\"name\":";
      append_json_text(text_, clean_text(name, longest_frame));
      text_ += '}';
    }
    return at->second;
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::unordered_map<std::string, std::size_t> numbers_{};
  std::string text_{};
};

std::string file_of(const frame_table& frames, const std::string& profiles, const std::string& title) {
  std::string text =
      "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"ridge\",\"name\":";
  append_json_text(text, clean_text(title));
  return text + ",\"shared\":{\"frames\":[" + frames.text() + "]},\n\"profiles\":[" + profiles + "]}\n";
}

std::string profile_head(std::string_view type, std::string_view name, std::string_view unit,
                         nanoseconds start, nanoseconds end) {
  std::string text = fmt::format("{{\"type\":\"{}\",\"name\":", type);
  append_json_text(text, clean_text(name));
  return text + fmt::format(",\"unit\":\"{}\",\"startValue\":{},\"endValue\":{}", unit, start, end);
}

std::string stack_of(const trace::flame_tree& tree, std::uint32_t node, frame_table& frames) {
  std::vector<std::string> path;
  for (; node != 0; node = tree.nodes[node].parent)
    path.push_back(fmt::format("{}", frames.of(tree.nodes[node].name)));
  std::ranges::reverse(path);
  return fmt::format("[{}]", fmt::join(path, ","));
}

// Writes the open and close events of one thread.
class event_writer {
 public:
  event_writer(const trace::trace& t, std::optional<trace::time_range> window, frame_table& frames)
      : t_(t), window_(window), frames_(frames) {}

  void track(const trace::track& track) {
    for (auto e = track.first; e < track.first + track.count; ++e) event(e);
    close_until(std::numeric_limits<nanoseconds>::max());
  }
  [[nodiscard]] bool empty() const { return text_.empty(); }
  [[nodiscard]] std::string profile(std::string_view name) const {
    return profile_head("evented", name, "nanoseconds", first_, last_) + ",\"events\":[" + text_ + "]}";
  }

 private:
  struct open_frame {
    std::size_t frame = 0;
    nanoseconds end = 0;
  };
  void event(event_id e) {
    auto start = t_.events.start_ns[e], end = t_.events.end_ns(e);
    if (window_) {
      start = std::max(start, window_->start_ns);
      end = std::min(end, window_->end_ns);
    }
    close_until(start);
    if (!open_.empty()) end = std::min(end, open_.back().end);
    if (end <= start) return;
    open_.push_back({frames_.of(t_.name_of(e)), end});
    put('O', open_.back().frame, start);
  }
  void close_until(nanoseconds now) {
    while (!open_.empty() && open_.back().end <= now) {
      put('C', open_.back().frame, open_.back().end);
      open_.pop_back();
    }
  }
  void put(char type, std::size_t frame, nanoseconds time_ns) {
    if (text_.empty()) first_ = time_ns;
    last_ = time_ns;
    fmt::format_to(std::back_inserter(text_), "{}{{\"type\":\"{}\",\"frame\":{},\"at\":{}}}",
                   text_.empty() ? "" : ",", type, frame, time_ns);
  }

  const trace::trace& t_;
  std::optional<trace::time_range> window_;
  frame_table& frames_;
  std::vector<open_frame> open_{};
  std::string text_{};
  nanoseconds first_ = 0, last_ = 0;
};

}  // namespace

std::string speedscope_of(const trace::flame_tree& tree, const std::string& title, bool samples) {
  frame_table frames;
  std::vector<std::string> stacks, weights;
  std::int64_t total = 0;
  for (std::uint32_t node = 1; node < tree.nodes.size(); ++node) {
    if (tree.nodes[node].self <= 0) continue;
    stacks.push_back(stack_of(tree, node, frames));
    weights.push_back(fmt::format("{}", tree.nodes[node].self));
    total += tree.nodes[node].self;
  }
  const auto profile =
      profile_head("sampled", title, samples ? "none" : "nanoseconds", 0, total) +
      fmt::format(",\"samples\":[{}],\"weights\":[{}]}}", fmt::join(stacks, ",\n"), fmt::join(weights, ","));
  return file_of(frames, profile, title);
}

std::string speedscope_of(const trace::trace& t, const std::string& title,
                          std::optional<trace::time_range> window) {
  frame_table frames;
  std::vector<std::string> profiles;
  for (trace::track_id track = 0; track < t.tracks.size(); ++track) {
    const auto kind = t.tracks[track].kind;
    if (kind != trace::track_kind::thread && kind != trace::track_kind::python) continue;
    event_writer events(t, window, frames);
    events.track(t.tracks[track]);
    const auto name = thread_name(t, track) + (kind == trace::track_kind::python ? " python" : "");
    if (!events.empty()) profiles.push_back(events.profile(name));
  }
  return file_of(frames, fmt::format("{}", fmt::join(profiles, ",\n")), title);
}

}  // namespace ridge::trace_report
