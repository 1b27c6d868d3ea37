// SPDX-License-Identifier: Apache-2.0
#include <ridge/base/escape.hpp>
#include <ridge/report/run_page.hpp>

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include <ridge/base/expects.hpp>
#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>
#include <ridge/model/run_words.hpp>
#include <ridge/report/chart.hpp>
#include <ridge/report/summary.hpp>
#include <ridge/report/words.hpp>

#include "run_page_parts.hpp"
#include "run_page_style.hpp"
#include "svg_text.hpp"

namespace ridge::report {
namespace {

std::string verdict_kind(tone look) {
  return look == tone::good ? "good" : look == tone::bad ? "bad" : look == tone::doubtful ? "doubtful" : "";
}

std::string anchor_in(const std::string& prefix, const summary_row& row) {
  return prefix + anchor_of(row.experiment) + "-" + std::string(name(row.backend));
}

void write_summary(page_markup& page, const model::run& run, const std::string& prefix) {
  page.raw("<section>\n");
  page.element("h2", "Summary");
  std::vector<std::vector<page_cell>> rows;
  for (const auto& group : summary_groups(run)) {
    const auto row = summarized(group);
    page_cell name_cell(row.experiment, "",
                        fmt::format("{}{}{}{}{}", row.title, row.title.empty() ? "" : " · ",
                                    name(row.backend), row.problem.empty() ? "" : ", ", row.problem));
    name_cell.anchor = anchor_in(prefix, row);
    rows.push_back({std::move(name_cell),
                    {row.ratio, "figure"},
                    {row.verdict, verdict_kind(row.look)},
                    {row.best, "figure"},
                    {row.of_ceiling, "figure"}});
  }
  page.table("The best variant of each experiment against its baseline; above 1× is better",
             {"experiment", interval_title(run), "verdict", "best variant", "of ceiling"}, rows);
  constexpr std::string_view kinds[] = {"INVALID", "Refused", "Skipped", "Not checked", "Warned"};
  if (!run.left_out.empty()) page.element("p", "Left out: " + left_out_in_words(run));
  const auto all = causes(run);
  if (!all.empty()) page.raw("<ul class=\"causes\">\n");
  for (const auto& one : all)
    page.element("li", fmt::format("{}: {} ({})", kinds[static_cast<std::size_t>(one.kind)], one.text,
                                   befell_all(one, run) ? "all experiments" : join(one.cases, ", ")));
  if (!all.empty()) page.raw("</ul>\n");
  page.raw("</section>\n");
}

void write_replay(page_markup& page, const model::run& run) {
  page.raw("<section>\n");
  page.element("h2", "Run it again");
  page.element("p", "The seed draws the same data and the same order of samples:");
  page.raw(fmt::format("<pre><code>{}</code></pre>\n", markup_escaped(replay_command(run))));
  page.element(
      "p",
      fmt::format("Intervals hold with {:.3g} % confidence; the smallest effect that counts is {:.3g} %.",
                  run.level * 100, run.min_effect * 100),
      "quiet");
  page.raw("</section>\n");
}

void write_run(page_markup& page, const model::run& run, const std::string& prefix) {
  const auto& e = run.environment;
  std::vector<std::string> facts;
  for (const auto* part : {&e.machine, &e.cpu, &e.kernel, &e.compiler}) {
    if (!part->empty()) facts.push_back(*part);
  }
  page.raw("<article>\n<header>\n");
  page.element("h1", "Ridge report: run " + run.id);
  page.element("p", join(facts, " · "), "quiet");
  page.element(
      "p",
      fmt::format("{} · profile {} · seed {} · {} problem{} · {}", run.started, run.profile, run.seed,
                  run.families.size(), run.families.size() == 1 ? "" : "s", format_quantity(run.wall_s, "s")),
      "quiet");
  page.raw("</header>\n");
  write_summary(page, run, prefix);
  for (const auto& group : summary_groups(run)) write_experiment(page, run, group, prefix);
  write_environment(page, run);
  write_replay(page, run);
  page.raw("</article>\n");
}

// Returns the word as a shell reads it back.
std::string quoted(const std::string& word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,@%+^";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

std::string replay_command(const model::run& run) {
  std::vector<std::string> words{"ridge"};
  std::size_t i = 1;
  for (; i < run.command.size() && run.command[i] != "--"; ++i) {
    const auto& word = run.command[i];
    if (word == "--seed" || word == "--save") {
      ++i;
    } else if (!word.starts_with("--seed=") && !word.starts_with("--save=") && word != "--no-store") {
      words.push_back(quoted(word));
    }
  }
  words.insert(words.end(), {"--seed", std::to_string(run.seed)});
  for (; i < run.command.size(); ++i) words.push_back(quoted(run.command[i]));  // programs and their options
  return join(words, " ");
}

std::string run_page(std::span<const model::run> runs) {
  expects(!runs.empty(), "a page shows at least one run");
  page_markup page;
  page.raw(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">\n");
  page.element("title", "Ridge report: run " + runs.front().id);
  page.raw("<style>");
  page.raw(run_page_style);
  page.raw(chart_style());
  page.raw("</style>\n</head>\n<body>\n<main>\n");
  for (std::size_t i = 0; i < runs.size(); ++i)
    write_run(page, runs[i], runs.size() == 1 ? "" : fmt::format("run{}-", i + 1));
  page.raw("</main>\n</body>\n</html>\n");
  return std::move(page).take();
}

}  // namespace ridge::report
