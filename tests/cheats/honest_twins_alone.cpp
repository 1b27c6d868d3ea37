// SPDX-License-Identifier: Apache-2.0
// Honest code whose gain is at stake where a variant is alone: threads that were stopped, pages that are
// small, tables that other processes push out of the caches.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <ridge/host/team.hpp>

#include "informed_cheats.hpp"

namespace ridge::cheats {
namespace {

struct changed_array {
  inout<float> values{};
};
void changes_part(changed_array& w, std::size_t first, std::size_t last) {
  for (auto i = first; i < last; ++i) w.values[i] = series_answer<costly_steps>(w.values[i]);
}
void changes_all(changed_array& w, call&) { changes_part(w, 0, w.values.size()); }
void changes_on_a_team(changed_array& w, call& c) {
  c.team().run([&](int index, int count) {
    const auto share = w.values.size() / static_cast<std::size_t>(count);
    const auto first = static_cast<std::size_t>(index) * share;
    changes_part(w, first, index + 1 == count ? w.values.size() : first + share);
  });
}
experiment in_place_on_a_team(const std::string& id) {
  return experiment_of<changed_array>{
      .id = "cheats." + id,
      .title = id,
      .question = "Is this refused?",
      .axes = {values("elements", {(1 << 13) + 5})},
      .make = [](const problem& p,
                 memory& m) { return changed_array{m.both<float>(p.count("elements"), normal{})}; },
      .oracle = [](changed_array& w) { changes_part(w, 0, w.values.size()); },
      .cpu = []() -> ladder<changed_array> {
        return {{.name = "baseline", .is = role::baseline, .run = changes_all},
                {.name = "candidate", .run = changes_on_a_team, .needs = {.cores = 2}, .threads = 2}};
      },
  };
}

// Values out of a large array: part by part, or as they come.
struct gathered {
  input<std::uint32_t> places{};
  input<float> values{};
  output<float> chosen{};
};
constexpr std::size_t gathered_from = std::size_t{1} << 22;
constexpr int part_bits = 21;
void gathers_by_parts(gathered& w, call&) {
  for (std::uint32_t part = 0; part < gathered_from >> part_bits; ++part) {
    for (std::size_t i = 0; i < w.places.size(); ++i) {
      if (w.places[i] >> part_bits == part) w.chosen[i] = w.values[w.places[i]];
    }
  }
}
void gather_all(gathered& w) {
  std::ranges::transform(w.places, w.chosen.begin(), [&](std::uint32_t place) { return w.values[place]; });
}
void gathers(gathered& w, call&) { gather_all(w); }
experiment gathers_from_large_arrays(const std::string& id) {
  return experiment_of<gathered>{
      .id = "cheats." + id,
      .title = id,
      .question = "Is this refused?",
      .axes = {values("elements", {1 << 14})},
      .make =
          [](const problem& p, memory& m) {
            const auto n = p.count("elements");
            return gathered{m.in<std::uint32_t>(n, integers{gathered_from}),
                            m.in<float>(gathered_from, normal{}), m.out<float>(n)};
          },
      .work =
          [](const problem& p) {
            return work{.flop = 1, .bytes_read = 4.0 * gathered_from + p.real("elements")};
          },
      .oracle = gather_all,
      .cpu = []() -> ladder<gathered> {
        return {{.name = "baseline",
                 .is = role::baseline,
                 .idea = "Parts of the array that the caches hold",
                 .run = gathers_by_parts},
                {.name = "candidate", .run = gathers}};
      },
  };
}

// A table of all answers to so few values, made in set-up.
template <int Steps>
void computes_few(arrays& w, call&) {
  std::ranges::transform(w.source, w.target.begin(), series_answer<Steps>);
}
template <std::size_t Values, int Steps>
auto tabulates_few(arrays&, setup& s) {
  auto table = s.workspace<float>(Values);
  for (std::size_t i = 0; i < Values; ++i) table[i] = series_answer<Steps>(static_cast<float>(i));
  return [table](arrays& w, call&) {
    std::ranges::transform(w.source, w.target.begin(),
                           [&](float x) { return table[static_cast<std::size_t>(x)]; });
  };
}
template <std::size_t Values, int Steps>
experiment of_few_values(const std::string& id) {
  return pose(id,
              {.values = integers{Values},
               .answer =
                   [](arrays& w) {
                     call none{call_resources{}};
                     computes_few<Steps>(w, none);
                   }},
              pair_of<computes_few<Steps>, tabulates_few<Values, Steps>>);
}
constexpr std::size_t in_the_caches = std::size_t{1} << 15, beyond_the_first_caches = std::size_t{1} << 16;
constexpr int cheap_steps = 3, dear_steps = 8;

}  // namespace

std::vector<honest_twin> honest_twins_alone() {
  return {
      {"in_place_on_a_team", "Two threads change an array in calls of some tens of microseconds",
       in_place_on_a_team,
       "alone, threads that were stopped wake slowly, and an array that is restored makes a sample of one "
       "call",
       true},
      {"gathers_from_large_arrays", "Values out of a large array as they come, instead of part by part",
       gathers_from_large_arrays},
      {"table_of_dear_answers", "A table of all answers, which take far longer to compute, made in set-up",
       of_few_values<in_the_caches, dear_steps>},
      {"table_of_few_values", "A table of all answers, made in set-up",
       of_few_values<beyond_the_first_caches, cheap_steps>,
       "new data need other lines of the table than nearly the same data, which find theirs in the caches",
       true},
  };
}

}  // namespace ridge::cheats
