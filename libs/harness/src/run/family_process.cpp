// SPDX-License-Identifier: Apache-2.0
#include <sys/prctl.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <memory>

#include <fmt/format.h>

#include <ridge/harness/measure_family.hpp>
#include <ridge/host/process_state.hpp>
#include <ridge/model/json.hpp>

#include "child/in_child.hpp"
#include "plan/family_frame.hpp"
#include "run/progress_mark.hpp"
#include "run/refusal.hpp"
#include "run/shared_mark.hpp"
#include "run/watched_child.hpp"

namespace ridge::harness {

const char* text(progress_mark::stage stage) {
  switch (stage) {
    case progress_mark::stage::verification:
      return "while it was verified";
    case progress_mark::stage::audit:
      return "while it was traced";
    case progress_mark::stage::set_up:
      return "while it was set up";
    case progress_mark::stage::timing:
      return "while it was timed";
    case progress_mark::stage::recheck:
      return "while its results were recomputed";
  }
  return "";
}

namespace {

constexpr double family_limit_s = 900;

// Adopts what children of this process leave running while it exists, and ends it.
class orphanage {
 public:
  orphanage() : before_(host::read_process_state().children) { prctl(PR_SET_CHILD_SUBREAPER, 1); }
  ~orphanage() { prctl(PR_SET_CHILD_SUBREAPER, 0); }
  orphanage(const orphanage&) = delete;
  orphanage& operator=(const orphanage&) = delete;
  // Ends them; how many there were.
  std::size_t close() {
    std::size_t ended = 0;
    for (const int child : host::read_process_state().children) {
      if (std::ranges::find(before_, child) != before_.end()) continue;
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
      ++ended;
    }
    return ended;
  }

 private:
  std::vector<int> before_;
};

std::string do_in_child(const planned_family& family, instruments equipment, const run_options& options,
                        const session_watch& watch, progress_mark& mark) {
  model::run done;
  try {
    std::unique_ptr<measure::counters> own;
    if (equipment.open_counters && equipment.counters != nullptr) {
      own = equipment.open_counters();  // those of the parent count the parent
      equipment.counters = own.get();
    }
    equipment.progress = &mark;
    done.families.push_back(measure_family(family, equipment, options, watch));
    mark.complete = true;
  } catch (const std::exception& thrown) {
    done.families.push_back(family_without_results(family, thrown));
    mark.complete = true;
  }
  return model::to_json(done);
}

void report_orphans(model::family& family, std::size_t count) {
  if (count == 0) return;
  const model::check left{.id = "state",
                          .result = model::outcome::fail,
                          .evidence = fmt::format("{} processes were left running", count)};
  if (family.comparisons.empty()) family.checks.push_back(left);
  for (auto& c : family.comparisons) {
    const auto state = std::ranges::find(c.checks, left.id, &model::check::id);
    if (state == c.checks.end()) {
      c.checks.push_back(left);
    } else if (state->result != model::outcome::fail) {
      *state = left;
    }
    c.verdict = model::verdict::invalid;
    c.assurance = 0;
  }
}

double seconds_allowed(const planned_family& family, const run_options& options) {
  return family_limit_s +
         10 * options.profile.budget_per_arm_s * static_cast<double>(family.experiment->variants.size());
}

}  // namespace

model::family measure_family_in_child(const planned_family& family, const instruments& equipment,
                                      run_options options, const session_watch& watch) {
  const shared_mark mark;
  while (true) {
    mark->clear();
    orphanage orphans;
    const auto answer =
        in_watched_child([&] { return do_in_child(family, equipment, options, watch, *mark); },
                         {.whole_s = seconds_allowed(family, options),
                          .stall_s = options.stall_limit_s,
                          .timed_stall_s = options.timed_stall_limit_s,
                          .call_s = options.call_limit_s,
                          .deadline_s = options.deadline_s,
                          .stop_requested = options.stop_requested},
                         *mark);
    const auto left = orphans.close();
    auto run = model::run_from_json(answer && mark->complete ? *answer.value : std::string{});
    if (run && run->families.size() == 1) {
      report_orphans(run->families.front(), left);
      return std::move(run->families.front());
    }
    if (!answer && mark->stop) return family_without_results(family, answer.why);
    // A signal of the terminal reaches the child before anybody has asked for a stop.
    if (!answer && options.stop_requested && options.stop_requested())
      return family_without_results(family, "was interrupted");
    const int variant = mark->variant.load();
    const auto why = !answer           ? answer.why
                     : !mark->complete ? std::string("ended the process it ran in")
                                       : std::string("its results cannot be read");
    const auto kind = answer ? model::failure_kind::crashed : answer.failure;
    const auto variants = static_cast<int>(family.experiment->variants.size());
    if (variant < 0 || variant >= variants) return family_without_results(family, why, kind);
    const auto& name = family.experiment->variants[static_cast<std::size_t>(variant)].name;
    if (std::ranges::find(options.refused, name, &refused_variant::name) != options.refused.end())
      return family_without_results(family, why, kind);
    const auto stage = mark->now.load();
    options.refused.push_back({.name = name,
                               .why = fmt::format("{} {}", why, text(stage)),
                               .failure = kind,
                               .signal = answer.signal,
                               .stage = word_of(stage)});
  }
}

}  // namespace ridge::harness
