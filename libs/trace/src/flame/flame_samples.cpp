// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <unordered_map>

#include <ridge/trace/flame.hpp>

namespace ridge::trace {
namespace {

std::string name_of_frame(const trace& t, const stack_frame& frame) {
  if (frame.function != 0) return std::string(t.names[frame.function]);
  return frame.module == 0 ? "[unknown]" : "[" + std::string(t.names[frame.module]) + "]";
}

class sample_flame {
 public:
  sample_flame(const trace& t, flame_builder& builder) : t_(t), builder_(builder) {}

  void take(const stack_sample& s) {
    const bool named = s.track != none && !t_.tracks[s.track].name.empty();
    const auto base = named ? builder_.child(0, t_.tracks[s.track].name) : 0;
    builder_.add(s.stack == none ? builder_.child(base, "[unknown]") : node(base, s.stack),
                 static_cast<std::int64_t>(s.weight));
  }

 private:
  std::uint32_t node(std::uint32_t base, std::uint32_t stack) {
    const auto key = std::uint64_t{base} << 32 | stack;
    if (const auto at = known_.find(key); at != known_.end()) return at->second;
    std::vector<std::uint32_t> frames;  // innermost first
    for (auto at = stack; at != none; at = t_.stacks[at].caller) frames.push_back(at);
    auto at = base;
    for (auto f = frames.rbegin(); f != frames.rend(); ++f)
      at = builder_.child(at, name_of_frame(t_, t_.stacks[*f]));
    return known_.emplace(key, at).first->second;
  }

  const trace& t_;
  flame_builder& builder_;
  std::unordered_map<std::uint64_t, std::uint32_t> known_{};
};

}  // namespace

flame_tree flame_of_samples(const trace& t, const flame_options& options) {
  flame_builder made;
  sample_flame to(t, made);
  for (const auto& s : t.samples) {
    if (options.track && s.track != *options.track) continue;
    if (options.window && (s.time_ns < options.window->start_ns || s.time_ns >= options.window->end_ns))
      continue;
    to.take(s);
  }
  return std::move(made).finish();
}

}  // namespace ridge::trace
