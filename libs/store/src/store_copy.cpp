// SPDX-License-Identifier: Apache-2.0
#include <ridge/store/store_copy.hpp>

#include <limits>
#include <map>
#include <ranges>
#include <set>
#include <tuple>

#include <fmt/format.h>

namespace ridge::store {
namespace {

constexpr auto no_limit = std::numeric_limits<std::size_t>::max();

// What a series is in every store; its number is of one store.
using series_key =
    std::tuple<std::string, std::string, model::backend, std::string, std::string, std::string>;

std::map<std::int64_t, series_key> keys_of(store& held) {
  std::map<std::int64_t, model::workload> workloads;
  for (auto& w : held.workloads({.limit = no_limit})) workloads.emplace(w.id, std::move(w));
  std::map<std::int64_t, series_key> keys;
  for (const auto& s : held.series({.limit = no_limit})) {
    const auto& w = workloads.at(s.workload);
    keys.emplace(s.id, series_key{w.experiment, w.machine, w.backend, w.problem, s.variant, s.metric.name});
  }
  return keys;
}

// A copy of one store into another.
class transfer {
 public:
  transfer(store& source, store& target) : source_(source), target_(target) {
    for (auto& entry : target.runs({.limit = no_limit})) known_.emplace(entry.id, std::move(entry));
  }

  void copy_run(const run_entry& entry) {
    const auto found = known_.find(entry.id);
    if (found == known_.end()) return enter(entry);
    const auto& there = found->second;
    if (there.families > entry.families)
      return leave(
          {fmt::format("{} has {} families there and {} here", entry.id, there.families, entry.families),
           "the copy may be the newer one: copy the other way"});
    if (there.families == entry.families && (there.wall_s || !entry.wall_s)) {
      ++done_.present;
      return;
    }
    continue_run(entry, there);
  }

  void copy_notes() {
    const auto said = source_.all_notes();
    if (said.empty()) return;
    const auto source_keys = keys_of(source_);
    std::map<series_key, std::int64_t> numbers;
    for (const auto& [number, key] : keys_of(target_)) numbers.emplace(key, number);
    std::set<std::tuple<std::int64_t, std::string, std::string, std::string, std::string>> present;
    const auto as_tuple = [](const model::change_note& n) {
      return std::tuple(n.series, n.run, n.state, n.note, n.stated);
    };
    for (const auto& n : target_.all_notes()) present.insert(as_tuple(n));
    for (auto note : said) {
      const auto number = numbers.find(source_keys.at(note.series));
      if (number == numbers.end()) {
        leave({fmt::format("a note on {}: its series was not copied", note.run), ""});
        continue;
      }
      note.series = number->second;
      if (!present.insert(as_tuple(note)).second) continue;
      target_.note(note);
      ++done_.notes;
    }
  }

  [[nodiscard]] copied done() && { return std::move(done_); }

 private:
  void leave(error why) { done_.left.push_back(std::move(why)); }

  void enter(const run_entry& entry) {
    const auto run = source_.load(entry.id);
    if (!run) return leave(run.why());
    target_.enter(*run, entry.wall_s.has_value());
    ++done_.runs;
    done_.families += run->families.size();
  }

  // The families of a run are in the order in which they were committed.
  void continue_run(const run_entry& entry, const run_entry& there) {
    const auto run = source_.load(entry.id);
    if (!run) return leave(run.why());
    for (const auto& family : run->families | std::views::drop(there.families)) {
      target_.commit(run->id, family);
      ++done_.families;
    }
    if (entry.wall_s) target_.finish(*run);
    ++done_.runs;
  }

  store& source_;
  store& target_;
  std::map<std::string, run_entry> known_{};
  copied done_{};
};

}  // namespace

copied copy_all(store& source, store& target,
                const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  transfer all(source, target);
  const auto entries = source.runs({.limit = no_limit});
  std::uint64_t count = 0;
  for (const auto& entry : entries | std::views::reverse) {
    all.copy_run(entry);
    if (progress) progress(++count, entries.size());
  }
  all.copy_notes();
  return std::move(all).done();
}

}  // namespace ridge::store
