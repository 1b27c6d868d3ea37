// SPDX-License-Identifier: Apache-2.0
// Judges every cheat and every honest twin of the program's catalogue, and says which cheats are believed.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <random>

#include <fmt/format.h>

#include <ridge/harness/session.hpp>

#include "judge.hpp"
#include "surroundings.hpp"

namespace ridge::cheats {
namespace {

constexpr std::string_view usage = R"(usage: {} [options] [WORD...]
Judges the cheats and honest twins whose ids contain one of the words; without words all of them.
  --times N       judge each N times (1)
  --budget S      seconds of measuring per arm (0.02)
  --seed N        seed of the data (drawn)
  --again N       judge what is not as expected up to N times more; it counts where it never is (0)
  --tolerate N    up to N wrong outcomes (a cheat believed, a twin objected to) and any number of outdated rows
                  end in 0 too: on a machine of a kind that the table was not made on, some checks miss (none)
  --gains         also time each candidate without the harness, and require that cheats for time are faster
  --table         print the table of cheats as Markdown and judge nothing
  --evidence      print what objects and what checks measured
  --words         the words follow (they may also stand alone)
exit: 0 every outcome is as the table says; 1 otherwise; 64 bad usage; 77 nothing can be judged here
)";

struct settings {
  const catalogue& judged;
  judge_options judging{};
  int times = 1, again = 0;
  std::optional<int> tolerated{};  // wrong outcomes; none: not even an outdated row
  bool gains = false, table = false, evidence = false;
  std::vector<std::string> words{};
};

std::string joined(const std::vector<objection>& all) {
  std::string text;
  for (const auto& one : all) text += (text.empty() ? "" : ",") + one.check;
  return text.empty() ? "-" : text;
}

// Why a judgement is not what the table says; empty where it is.
struct surprise {
  std::string why{};
  bool outdated = false;  // the outcome is right, and the row says otherwise

  [[nodiscard]] bool empty() const { return why.empty(); }
};

// What comes by chance is seen in some judgement where several are `repeated`: a cheat that is not called
// open is caught, and no twin that is not called open is objected to each time.
surprise surprise_of(const cheat& c, const judgement& seen, bool repeated) {
  if (c.by_chance && (!repeated || !c.open.empty())) return {};
  if (!c.open.empty())
    return seen.outcome == outcome::caught
               ? surprise{"it is caught now: take its `open` out of the table", true}
               : surprise{};
  const bool harmless = is_caught_by(c, "no_gain") || is_caught_by(c, "discarded");
  if (seen.outcome == outcome::without_gain && harmless) return {};
  if (seen.outcome != outcome::caught) return {"nothing objects to it"};
  for (const auto& one : seen.objections) {
    if (is_caught_by(c, one.check)) return {};
  }
  return {"the table expects another check to object", true};
}

surprise surprise_of(const honest_twin& twin, const judgement& seen, bool repeated) {
  const bool flagged = seen.outcome == outcome::caught || seen.outcome == outcome::lost;
  if (twin.by_chance && !twin.open.empty()) return {};
  if (twin.by_chance) return {flagged && repeated ? "an honest twin is objected to each time" : ""};
  if (!twin.open.empty())
    return {flagged ? "" : "nothing objects to it now: take its `open` out of the table", !flagged};
  return {flagged ? "an honest twin is objected to" : ""};
}

void print_row(std::string_view kind, const std::string& id, std::string_view won, const judgement& seen,
               const std::string& why, bool evidence) {
  const auto ratio = seen.ratio > 0 ? fmt::format("x{:.2f}", seen.ratio) : std::string("-");
  const auto gain = seen.gain > 0 ? fmt::format("x{:.2f}", seen.gain) : std::string("-");
  std::fputs(fmt::format("{:<12} {:<36} {:<6} {:>6} {:<8} {:>7} {:<14} {} {}{}\n", kind, id, won, gain,
                         name(seen.outcome), ratio, seen.verdict, seen.assurance, joined(seen.objections),
                         why.empty() ? "" : "   <-- " + why)
                 .c_str(),
             stdout);
  if (!why.empty() || evidence) {
    for (const auto& one : seen.objections)
      std::fputs(fmt::format("             {}: {}\n", one.check, one.evidence).c_str(), stdout);
  }
  if (evidence) {
    for (const auto& one : seen.remarks)
      std::fputs(fmt::format("             ({}: {})\n", one.check, one.evidence).c_str(), stdout);
  }
  std::fflush(stdout);
}

// Counts what was seen, and what was not expected.
class tally {
 public:
  explicit tally(const settings& s) : settings_(s), first_seed_(s.judging.seed) {}

  void judge_cheat(const cheat& c) {
    auto seen = judged_until_expected(name(c.kind), name(c.gain), c, [&](const judge_options& options) {
      return cheats::judge_cheat(c, options);
    });
    auto found = surprise_of(c, seen, repeats());
    if (settings_.gains) {
      seen.gain = measured_gain(c.question, c.id, settings_.judging.seed);
      const bool slower = c.gain == gain::time && seen.gain > 0 && seen.gain < 1.02 && seen.ratio < 1.02;
      const bool shares = c.twin == "declared_threads";  // wins only where another processor is idle
      if (found.empty() && slower && !shares && !is_caught_by(c, "no_gain")) found = {"it wins no time"};
    }
    print_row(name(c.kind), c.id, name(c.gain), seen, found.why, settings_.evidence);
    auto& row = rows_[std::string(name(c.kind))];
    ++row.judged;
    row.uncaught += seen.outcome == outcome::believed || seen.outcome == outcome::lost ? 1 : 0;
    count(found);
  }
  void judge_twin(const honest_twin& twin) {
    auto seen = judged_until_expected("twin", "", twin, [&](const judge_options& options) {
      return judge(twin.question, twin.id, true, options);
    });
    if (settings_.gains) seen.gain = measured_gain(twin.question, twin.id, settings_.judging.seed);
    const auto found = surprise_of(twin, seen, repeats());
    print_row("twin", twin.id, "", seen, found.why, settings_.evidence);
    auto& row = rows_["twin"];
    ++row.judged;
    row.uncaught += seen.outcome == outcome::caught || seen.outcome == outcome::lost ? 1 : 0;
    count(found);
  }
  // Prints the sums; returns whether everything was as the table says.
  [[nodiscard]] bool conclude(double seconds) const {
    for (const auto& [kind, row] : rows_)
      std::fputs(fmt::format("{:<12} {:>4} judged, {:>3} {}\n", kind, row.judged, row.uncaught,
                             kind == "twin" ? "objected to" : "not caught")
                     .c_str(),
                 stdout);
    std::fputs(fmt::format("{} wrong outcomes ({} tolerated), {} outdated rows, in {:.1f} s, seed {}\n",
                           wrong_, settings_.tolerated.value_or(0), outdated_, seconds, first_seed_)
                   .c_str(),
               stdout);
    return settings_.tolerated ? wrong_ <= *settings_.tolerated : wrong_ + outdated_ == 0;
  }

 private:
  struct sums {
    int judged = 0, uncaught = 0;
  };
  // The first judgement that the table expects, of as many as may be made; else the last.
  template <class Case, class Judge>
  judgement judged_until_expected(std::string_view kind, std::string_view won, const Case& subject,
                                  const Judge& judge_once) const {
    auto options = settings_.judging;
    auto seen = judge_once(options);
    for (int more = 0; more < settings_.again; ++more) {
      const auto found = surprise_of(subject, seen, repeats());
      if (found.empty()) break;
      print_row(kind, subject.id, won, seen, found.why + "; judged again", false);
      ++options.seed;
      seen = judge_once(options);
    }
    return seen;
  }

  void count(const surprise& found) {
    if (!found.empty()) ++(found.outdated ? outdated_ : wrong_);
  }
  [[nodiscard]] bool repeats() const { return settings_.again > 0; }

  const settings& settings_;
  std::uint64_t first_seed_;  // each repetition takes the next one
  std::map<std::string, sums> rows_{};
  int wrong_ = 0, outdated_ = 0;
};

void print_table(const catalogue& judged) {
  std::fputs(
      "| category | cheat | what it does | wins | objects | twin | open because "
      "|\n|---|---|---|---|---|---|---|\n",
      stdout);
  for (const auto& c : judged.cheats) {
    std::string checks;
    for (const auto& one : c.caught_by) checks += (checks.empty() ? "" : ", ") + one;
    std::fputs(fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", name(c.kind), c.id, c.idea, name(c.gain),
                           checks, c.twin, c.open)
                   .c_str(),
               stdout);
  }
}

bool twins_exist(const catalogue& judged) {
  std::map<std::string, int> known;
  for (const auto& twin : judged.twins) ++known[twin.id];
  bool all = true;
  for (const auto& c : judged.cheats) {
    if (known.contains(c.twin)) continue;
    std::fputs(fmt::format("{}: no honest twin is called \"{}\"\n", c.id, c.twin).c_str(), stdout);
    all = false;
  }
  return all;
}

int run(settings s) {
  if (s.table) return print_table(s.judged), 0;
  const bool complete = twins_exist(s.judged);
  if (!s.judged.unavailable.empty()) {
    std::fputs(fmt::format("skipped: {}\n", s.judged.unavailable).c_str(), stdout);
    return complete ? 77 : 1;
  }
  const temporary_scratch scratch;
  const double start = harness::monotonic_seconds();
  tally all(s);
  for (int i = 0; i < s.times; ++i, ++s.judging.seed) {
    for (const auto& c : s.judged.cheats) {
      if (is_asked_for(c.id, s.words)) all.judge_cheat(c);
    }
    for (const auto& twin : s.judged.twins) {
      if (is_asked_for(twin.id, s.words)) all.judge_twin(twin);
    }
  }
  return all.conclude(harness::monotonic_seconds() - start) && complete ? 0 : 1;
}

// Reads the arguments; false where one is not understood.
bool read(int count, char** words, settings& s) {
  s.judging.seed = std::random_device{}();
  s.judging.measure = s.judged.measure;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    const bool takes = word == "--times" || word == "--again" || word == "--tolerate" || word == "--budget" ||
                       word == "--seed";
    if (takes && i + 1 == count) return false;
    if (word == "--times") {
      s.times = std::atoi(words[++i]);
    } else if (word == "--again") {
      s.again = std::atoi(words[++i]);
    } else if (word == "--tolerate") {
      s.tolerated = std::atoi(words[++i]);
    } else if (word == "--budget") {
      s.judging.budget_per_arm_s = std::atof(words[++i]);
    } else if (word == "--seed") {
      s.judging.seed = std::strtoull(words[++i], nullptr, 10);
    } else if (word == "--gains") {
      s.gains = s.judged.times_bare_arms;
    } else if (word == "--evidence") {
      s.evidence = true;
    } else if (word == "--table") {
      s.table = true;
    } else if (word.starts_with("-") && word != "--words") {
      return false;
    } else if (word != "--words") {
      s.words.emplace_back(word);
    }
  }
  return s.times > 0 && s.judging.budget_per_arm_s > 0;
}

}  // namespace
}  // namespace ridge::cheats

int main(int count, char** words) {
  const auto judged = ridge::cheats::the_catalogue();
  ridge::cheats::settings s{judged};
  if (!ridge::cheats::read(count, words, s)) {
    std::fputs(fmt::format(ridge::cheats::usage, judged.program).c_str(), stderr);
    return 64;
  }
  return ridge::cheats::run(std::move(s));
}
