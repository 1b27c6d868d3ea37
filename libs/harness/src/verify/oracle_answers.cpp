// SPDX-License-Identifier: Apache-2.0
#include "verify/oracle_answers.hpp"

#include <algorithm>
#include <limits>

#include <ridge/base/error.hpp>
#include <ridge/harness/session.hpp>

#include "child/in_child.hpp"
#include "data/fingerprint.hpp"

namespace ridge::harness {
namespace {

constexpr double oracle_limit_s = 600;

constexpr int most_runs = 5;
constexpr double repeated_for_s = 0.01;
constexpr std::size_t evicting_bytes = std::size_t{8} << 20, cache_line = 64;

// Reads so much that small arrays leave the near caches.
void evict(const std::vector<unsigned char>& others) {
  unsigned sum = 0;
  for (std::size_t i = 0; i < others.size(); i += cache_line) sum += others[i];
  asm volatile("" : : "r"(sum) : "memory");
}

// The least time of a few runs, each on arrays that are no nearer than those of a sample: the first one alone
// also pays for pages that it touches first.
double seconds_of_oracle(const experiment::definition& definition, keyed_member& member) {
  const std::vector<unsigned char> others(evicting_bytes, 1);
  double least = std::numeric_limits<double>::infinity(), spent = 0;
  for (int run = 0; run < most_runs && (run == 0 || spent < repeated_for_s); ++run) {
    member.restore_inouts();
    evict(others);
    const double start = monotonic_seconds();
    definition.oracle(member.get());
    const double taken = monotonic_seconds() - start;
    least = std::min(least, taken);
    spent += taken;
  }
  return least;
}

std::size_t bytes_of_results(const memory& arrays) {
  std::size_t bytes = 0;
  for (const auto& a : arrays.arrays()) bytes += is_result(a) ? a.bytes().size() : 0;
  return bytes;
}

// The parts of `whole` that hold each result array.
result_views parts_of(std::span<std::byte> whole, const memory& arrays) {
  result_views all;
  std::size_t next = 0;
  for (const auto& a : arrays.arrays()) {
    if (!is_result(a)) continue;
    all.push_back(whole.subspan(next, a.bytes().size()));
    next += a.bytes().size();
  }
  return all;
}

void write_results(const memory& arrays, std::span<std::byte> target) {
  for (const auto& a : arrays.arrays()) {
    if (!is_result(a)) continue;
    std::ranges::copy(a.bytes(), target.begin());
    target = target.subspan(a.bytes().size());
  }
}

}  // namespace

oracle_answers oracle_answers::of_a_child(const experiment::definition& definition, keyed_member& member) {
  oracle_answers made;
  const auto& arrays = member.get().memory;
  made.hidden_.emplace(bytes_of_results(arrays));
  const auto work = [&]() -> double {
    const double seconds = seconds_of_oracle(definition, member);
    write_results(arrays, made.hidden_->bytes());
    return seconds;
  };
  const auto done = in_child<double>(work, oracle_limit_s);
  if (!done) throw failure({"the oracle of " + definition.id + " gave no answer: it " + done.why, {}});
  made.hidden_->hide_from_children();
  made.results_ = parts_of(made.hidden_->bytes(), arrays);
  made.seconds_ = *done.value;
  return made;
}

oracle_answers oracle_answers::of_this_process(const experiment::definition& definition,
                                               keyed_member& member) {
  oracle_answers made;
  made.seconds_ = seconds_of_oracle(definition, member);
  made.copies_ = copy_results(member.get().memory);
  for (const auto& copy : made.copies_) made.results_.emplace_back(copy);
  return made;
}

}  // namespace ridge::harness
