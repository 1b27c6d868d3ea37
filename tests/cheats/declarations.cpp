// SPDX-License-Identifier: Apache-2.0
// What a variant or an author may state about itself, stated falsely.
#include "questions.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "cheats.hpp"

namespace ridge::cheats {
namespace {

ladder<arrays> loose() { return beside<roots>({.run = estimated_roots, .within = tolerance{.rel = 1e-2}}); }
experiment loosens_its_tolerance(const std::string& id) { return pose(id, root_shape(), loose); }

// The stage sees the data and leaves the results in a workspace that the body knows by the address of the
// source.
std::vector<float>& staged(const arrays& w) {
  static std::map<const float*, std::vector<float>> by_source;
  return by_source[w.source.data()];
}
template <body Honest>
void stage_answer(arrays& w, setup&) {
  auto& results = staged(w);
  results.resize(w.target.size());
  arrays kept{w.source, results};
  call none{call_resources{}};
  Honest(kept, none);
}
void copies_what_is_staged(arrays& w, call&) { std::ranges::copy(staged(w), w.target.begin()); }
void finishes_what_is_staged(arrays& w, call&) {
  const auto half = w.source.size() / 2;
  std::copy_n(staged(w).begin(), half, w.target.begin());
  costly_part(w, half, w.source.size());
}
ladder<arrays> staging() {
  return beside<costly>({.run = copies_what_is_staged, .stage = stage_answer<costly>});
}
ladder<arrays> half_staging() {
  return beside<costly>({.run = finishes_what_is_staged, .stage = stage_answer<costly>});
}
ladder<arrays> row_staging() {
  return beside<row_sums>({.run = copies_what_is_staged, .stage = stage_answer<row_sums>});
}
experiment stages_the_answer(const std::string& id) { return pose(id, {.answer = costly_oracle}, staging); }
experiment stages_half(const std::string& id) { return pose(id, {.answer = costly_oracle}, half_staging); }
experiment stages_the_sums(const std::string& id) { return pose(id, row_shape(), row_staging); }

double traffic_of(double share, const problem& p) { return share * 8 * p.real("elements"); }
ladder<arrays> little_traffic() {
  return beside<affine>({.run = affine, .traffic = [](const problem& p) { return traffic_of(0.1, p); }});
}
ladder<arrays> much_traffic() {
  return beside<affine>({.run = affine, .traffic = [](const problem& p) { return traffic_of(3, p); }});
}
ladder<arrays> other_arithmetic() { return beside<affine>({.run = affine, .arithmetic = arithmetic::fp64}); }
experiment declares_little_traffic(const std::string& id) {
  return pose(id, {.answer = affine_oracle}, little_traffic);
}
experiment declares_much_traffic(const std::string& id) {
  return pose(id, {.answer = affine_oracle}, much_traffic);
}
experiment declares_other_arithmetic(const std::string& id) {
  return pose(id, {.answer = affine_oracle}, other_arithmetic);
}
experiment inflates_the_work(const std::string& id) {
  auto stated = pose(id, {.answer = affine_oracle}, pair_of<affine, affine>);
  stated.work = [](const problem& p) { return work{.flop = 200 * p.real("elements"), .bytes_read = 1}; };
  return stated;
}

void twice(arrays& w, call& c) {
  costly(w, c);
  costly(w, c);
}
experiment slows_its_baseline(const std::string& id) {
  return pose(id, {.answer = costly_oracle}, pair_of<twice, costly>);
}

inline constexpr observable latency{"latency"};
inline constexpr phase useful{"useful"};

void observes(arrays& w, call& c) {
  const auto start = c.now();
  costly(w, c);
  c.observe(latency, start, c.now());
}
void makes_a_duration_up(arrays& w, call& c) {
  const auto start = c.now();
  costly(w, c);
  c.observe(latency, start, start.after(1e-9));
}
void observes_nothing(arrays& w, call& c) {
  costly(w, c);
  const auto start = c.now();
  c.observe(latency, start, c.now());
}
void observes_half(arrays& w, call& c) {
  const auto start = c.now();
  const auto half = w.source.size() / 2;
  costly_part(w, 0, half);
  c.observe(latency, start, c.now());
  costly_part(w, half, w.source.size());
}
void forgets_slow_values(arrays& w, call& c) {
  observes(w, c);
  c.clear();
  const auto start = c.now();
  c.observe(latency, start, c.now());
}
// A call begins with the clock it reads: how it is read, for whom, and the unit of its ticks.
void shortens_the_unit(arrays& w, call& c) {
  double unit = 0;
  auto* place = reinterpret_cast<char*>(&c) + 2 * sizeof(void*);
  std::memcpy(&unit, place, sizeof unit);
  const double shorter = unit / 2;
  std::memcpy(place, &shorter, sizeof unit);
  observes(w, c);
  std::memcpy(place, &unit, sizeof unit);
}
template <auto Candidate>
experiment of_latency(const std::string& id) {
  auto stated = pose(id, {.answer = costly_oracle}, pair_of<observes, Candidate>);
  stated.metrics = {quantile(latency, 0.5)};
  stated.observed = {latency};
  return stated;
}

void half_is_useful(arrays& w, call& c) {
  const auto half = w.source.size() / 2;
  costly_part(w, 0, half);
  const auto marked = c.in(useful);
  costly_part(w, half, w.source.size());
}
void all_is_useful(arrays& w, call& c) {
  const auto marked = c.in(useful);
  costly(w, c);
}
experiment of_goodput(const std::string& id) {
  auto stated = pose(id, {.answer = costly_oracle}, pair_of<half_is_useful, all_is_useful>);
  stated.phases = {useful};
  stated.metrics = {goodput(useful)};
  return stated;
}

}  // namespace

std::vector<cheat> declaration_cheats() {
  const std::vector<std::string> values{"spans"};
  return {
      {"loosens_its_tolerance",
       "States a tolerance of its own, in which an estimate passes",
       gain::time,
       {"tolerance"},
       "lower_precision_within_tolerance",
       loosens_its_tolerance},
      {"stages_the_answer",
       "The untimed conversion of inputs computes the results",
       gain::time,
       {"stage"},
       "stage_converts_a_layout",
       stages_the_answer},
      {"stages_half",
       "The untimed conversion of inputs computes half of the results",
       gain::time,
       {"stage"},
       "stage_converts_a_layout",
       stages_half},
      {"stages_the_sums",
       "The untimed conversion of inputs adds them up",
       gain::time,
       {"stage"},
       "stage_converts_a_layout",
       stages_the_sums},
      {"declares_little_traffic",
       "States a tenth of its traffic, to stay below a ceiling",
       gain::report,
       {"traffic", "work"},
       "same_code",
       declares_little_traffic},
      {"declares_much_traffic",
       "States three times its traffic, to come near a ceiling",
       gain::report,
       {"traffic", "work"},
       "same_code",
       declares_much_traffic},
      {"declares_other_arithmetic",
       "States another type than it computes in",
       gain::report,
       {"arithmetic", "work", "tolerance"},
       "same_code",
       declares_other_arithmetic},
      {"inflates_the_work",
       "The experiment states a hundred times its operations",
       gain::report,
       {"work"},
       "same_code",
       inflates_the_work},
      {"slows_its_baseline",
       "The baseline does everything twice",
       gain::time,
       {"baseline", "work", "explained"},
       "same_code",
       slows_its_baseline},
      {"makes_a_duration_up",
       "Observes a duration of one nanosecond",
       gain::report,
       {"audit", "observed", "refused"},
       "observes_truly",
       of_latency<makes_a_duration_up>},
      {"observes_nothing", "Observes an empty span of the clock", gain::report, values, "observes_truly",
       of_latency<observes_nothing>},
      {"observes_half", "Observes the first half of its work", gain::report, values, "observes_truly",
       of_latency<observes_half>},
      {"forgets_slow_values", "Takes back what it observed and observes less", gain::report, values,
       "observes_truly", of_latency<forgets_slow_values>},
      {"shortens_the_unit",
       "Halves the unit of the clock that it observes by",
       gain::report,
       {"spans", "clock", "state"},
       "observes_truly",
       of_latency<shortens_the_unit>},
      {"marks_everything_useful", "Marks its whole time as useful", gain::report, values, "marks_its_phases",
       of_goodput},
  };
}

}  // namespace ridge::cheats
