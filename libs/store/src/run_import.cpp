// SPDX-License-Identifier: Apache-2.0
#include <ridge/store/run_import.hpp>

#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <ridge/model/json.hpp>

namespace ridge::store {
namespace {

constexpr std::size_t longest_name = 1000;
constexpr std::size_t longest_id = 64;

// Returns whether a text is a time as runs state it, 2026-11-28T12:00:00Z: pages put results in the order of
// these.
bool is_time(std::string_view text) {
  constexpr std::string_view shape = "0000-00-00T00:00:00Z";
  if (text.size() != shape.size()) return false;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const bool is_digit = text[i] >= '0' && text[i] <= '9';
    if (shape[i] == '0' ? !is_digit : text[i] != shape[i]) return false;
  }
  const auto part = [&](std::size_t at) { return 10 * (text[at] - '0') + (text[at + 1] - '0'); };
  const auto within = [](int number, int least, int most) { return number >= least && number <= most; };
  return within(part(5), 1, 12) && within(part(8), 1, 31) && within(part(11), 0, 23) &&
         within(part(14), 0, 59) && within(part(17), 0, 60);
}

// Looks at a run and keeps the first thing that is wrong.
class inspection {
 public:
  explicit inspection(const model::run& run) {
    require(is_run_id(run.id), "/id", fmt::format("\"{}\" is no id of a run", run.id.substr(0, longest_id)),
            "give a file of `ridge run --save`: an id has 1 to 64 letters, digits, `-` and `_`");
    require(is_time(run.started), "/started", "it is not known when the run was made",
            "write the time as 2026-11-28T12:00:00Z");
    name("/environment/machine", run.environment.machine);
    require(!(run.wall_s < 0), "/wall_s", "a time is below zero", "write null where it is not known");
    for (std::size_t i = 0; i < run.families.size(); ++i)
      look_at(fmt::format("/families/{}", i), run.families[i]);
  }

  [[nodiscard]] result<void> outcome() const {
    if (is_wrong_) return wrong_;
    return {};
  }

 private:
  void require(bool holds, std::string_view pointer, std::string_view fault, std::string_view remedy) {
    if (holds || is_wrong_) return;
    is_wrong_ = true;
    wrong_ = {fmt::format("{}: {}", pointer, fault), std::string(remedy)};
  }

  void name(std::string_view pointer, const std::string& text) {
    require(!text.empty(), pointer, "the name is empty", "results are found by their names: give one");
    require(text.size() <= longest_name, pointer, fmt::format("the name has {} bytes", text.size()),
            fmt::format("give at most {}", longest_name));
  }

  void look_at(const std::string& pointer, const model::family& family) {
    name(pointer + "/experiment", family.experiment);
    require(model::text(family.problem).size() <= longest_name, pointer + "/problem",
            "the problem has a text of more than 1000 bytes", "give shorter values to its axes");
    std::set<std::string_view> variants;
    for (std::size_t i = 0; i < family.measurements.size() && !is_wrong_; ++i) {
      const auto& seen = family.measurements[i];
      const auto below = fmt::format("{}/measurements/{}", pointer, i);
      name(below + "/variant", seen.variant);
      require(variants.insert(seen.variant).second, below + "/variant",
              fmt::format("the family has two variants \"{}\"", seen.variant), "give each a name of its own");
      look_at(below, seen);
    }
    for (std::size_t i = 0; i < family.comparisons.size() && !is_wrong_; ++i) {
      const auto& one = family.comparisons[i];
      const auto below = fmt::format("{}/comparisons/{}", pointer, i);
      name(below + "/reference", one.reference);
      name(below + "/candidate", one.candidate);
      require(!(one.ratio <= 0), below + "/ratio", "the ratio is not above zero",
              "write null where it is not known");
    }
  }

  void look_at(const std::string& pointer, const model::measurement& seen) {
    std::set<std::string_view> metrics;
    for (std::size_t i = 0; i < seen.metrics.size() && !is_wrong_; ++i) {
      const auto& one = seen.metrics[i];
      const auto below = fmt::format("{}/metrics/{}", pointer, i);
      name(below + "/metric/name", one.metric.name);
      require(metrics.insert(one.metric.name).second, below + "/metric/name",
              fmt::format("the variant has two metrics \"{}\"", one.metric.name),
              "give each a name of its own");
      require(one.metric.unit != "s" || !(one.median < 0), below + "/median", "a time is below zero",
              "write null where it is not known");
    }
    for (std::size_t i = 0; i < seen.samples.size() && !is_wrong_; ++i) {
      const auto& [metric, values, blocks, positions, marks] = seen.samples[i];
      if (metric.unit != "s") continue;
      for (const auto value : values)
        require(!(value < 0), fmt::format("{}/samples/{}/value", pointer, i), "a time is below zero",
                "write null where it is not known");
    }
  }

  bool is_wrong_ = false;
  error wrong_{};
};

}  // namespace

bool is_run_id(std::string_view text) {
  constexpr std::string_view letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";
  return !text.empty() && text.size() <= longest_id &&
         text.find_first_not_of(letters) == std::string_view::npos;
}

result<void> importable(const model::run& run) { return inspection(run).outcome(); }

result<import_outcome> import_run(store& target, const model::run& run) {
  if (const auto fine = importable(run); !fine) return fine.why();
  if (target.enter(run, true)) return import_outcome::stored;
  const auto held = target.load(run.id);
  if (!held) return held.why();
  if (model::packed_json(*held) == model::packed_json(run)) return import_outcome::known;
  return error{fmt::format("/id: another run of the id {} is stored already", run.id),
               fmt::format("that one is left as it is: compare both with `ridge export {}`", run.id)};
}

}  // namespace ridge::store
