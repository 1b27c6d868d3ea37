// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/phase.hpp>

#include <algorithm>
#include <array>

#include "events/name_match.hpp"

namespace ridge::trace {
namespace {

bool equals_any_case(std::string_view word, std::string_view wanted) {
  return std::ranges::equal(word, wanted, same_letter);
}

bool ends_with(std::string_view word, std::string_view wanted) {
  return word.size() >= wanted.size() && equals_any_case(word.substr(word.size() - wanted.size()), wanted);
}

struct told_phases {
  std::array<bool, phase_count> phases{};
  [[nodiscard]] bool has(phase p) const { return phases[static_cast<std::size_t>(p)]; }
  void set(phase p) { phases[static_cast<std::size_t>(p)] = true; }
};

void read_word(std::string_view word, told_phases& phases) {
  if (equals_any_case(word, "forward") || equals_any_case(word, "fwd")) phases.set(phase::forward);
  if (ends_with(word, "backward") || equals_any_case(word, "bwd")) phases.set(phase::backward);
  if (equals_any_case(word, "optimizer") || equals_any_case(word, "optim")) phases.set(phase::optimizer);
  if (equals_any_case(word, "prefill")) phases.set(phase::prefill);
  if (equals_any_case(word, "decode") || equals_any_case(word, "decoding")) phases.set(phase::decode);
}

// The number right after the text; 0 where there is none.
long count_after(std::string_view name, std::string_view text) {
  const auto at = name.find(text);
  if (at == std::string_view::npos) return 0;
  long value = 0;
  for (auto c : name.substr(at + text.size())) {
    if (c < '0' || c > '9') break;
    value = value * 10 + (c - '0');
  }
  return value;
}

// "execute_32_context_0(...)_generation_32(...)": how many sequences are in which phase (vLLM, SGLang).
std::optional<phase> phase_of_batch(std::string_view name) {
  if (count_after(name, "context_") > 0) return phase::prefill;
  if (count_after(name, "generation_") > 0) return phase::decode;
  return {};
}

}  // namespace

std::string_view name(phase p) {
  constexpr std::array<std::string_view, phase_count> names{"forward", "backward", "optimizer",
                                                            "prefill", "decode",   "other"};
  return names.at(static_cast<std::size_t>(p));
}

std::string_view name(phase_source s) {
  constexpr std::array<std::string_view, 4> names{"not_told", "annotations", "sequence", "graph_launches"};
  return names.at(static_cast<std::size_t>(s));
}

std::optional<phase> phase_of_name(std::string_view range) {
  if (range.starts_with("execute_")) return phase_of_batch(range);
  if (range.starts_with("step[EXTEND")) return phase::prefill;
  if (range.starts_with("autograd::engine::evaluate_function")) return phase::backward;
  told_phases words;
  for (auto at = range.begin(); at != range.end();) {
    at = std::find_if(at, range.end(), is_letter);
    const auto end = std::find_if_not(at, range.end(), is_letter);
    read_word({at, end}, words);
    at = end;
  }
  if (words.has(phase::prefill)) return phase::prefill;
  if (words.has(phase::decode)) return phase::decode;
  if (words.has(phase::optimizer)) return phase::optimizer;
  if (words.has(phase::forward) == words.has(phase::backward)) return {};
  return words.has(phase::forward) ? phase::forward : phase::backward;
}

}  // namespace ridge::trace
