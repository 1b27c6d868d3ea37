// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <memory>

#include <ridge/app/exit_code.hpp>
#include <ridge/plan_report/scaling_page.hpp>

#include "commands/plan_commands.hpp"
#include "input/plan_input.hpp"
#include "input/plan_points.hpp"

namespace ridge::app_plan {
namespace {

struct scaling_options {
  std::vector<std::string> points{};
  std::string file{}, workers{}, unit{}, law{"auto"};
  double level = 0.95;
  plan_output output{};
};

result<std::vector<stats::scaling_point>> points_of(const scaling_options& o) {
  if (o.file.empty() == o.points.empty())
    return error{o.file.empty() ? "no points are given" : "points and --file are both given",
                 "give points as WORKERS:THROUGHPUT, or --file FILE.csv"};
  if (!o.file.empty()) return read_scaling_points(o.file);
  std::vector<stats::scaling_point> all;
  for (const auto& text : o.points) {
    const auto one = scaling_point_of(text);
    if (!one) return one.why();
    all.push_back(*one);
  }
  return all;
}

result<std::vector<stats::scaling_fit>> fits_of(const scaling_options& o,
                                                std::span<const stats::scaling_point> points) {
  constexpr std::pair<std::string_view, stats::scaling_law> laws[] = {
      {"amdahl", stats::scaling_law::amdahl},
      {"gustafson", stats::scaling_law::gustafson},
      {"usl", stats::scaling_law::usl},
      {"power", stats::scaling_law::power}};
  for (const auto& [name, law] : laws) {
    if (name != o.law) continue;
    const auto one = fit_scaling(law, points);
    if (!one) return one.why();
    return std::vector{*one};
  }
  return fit_scaling_laws(points);
}

// Number of points of the drawn band, from the smallest to the largest number of workers.
std::vector<double> outline(const plan_report::scaling_answer& a) {
  double least = a.points.front().workers, greatest = least;
  for (const auto& p : a.points) least = std::min(least, p.workers), greatest = std::max(greatest, p.workers);
  for (const auto& p : a.predictions)
    least = std::min(least, p.workers), greatest = std::max(greatest, p.workers);
  std::vector<double> all;
  for (int i = 0; i <= 40; ++i) all.push_back(std::max(1.0, least * std::pow(greatest / least, i / 40.0)));
  return all;
}

int scaling(const app::context& context, const scaling_options& o) {
  const auto points = points_of(o);
  if (!points) return context.refuse(points.why(), app::exit_code::usage);
  if (!(o.level > 0 && o.level < 1))
    return context.refuse({"--level is not a probability", "give one between 0 and 1, such as 0.95"},
                          app::exit_code::usage);
  const auto fits = fits_of(o, *points);
  if (!fits) return context.refuse(fits.why(), app::exit_code::usage);
  plan_report::scaling_answer a{.points = *points, .unit = o.unit, .fits = *fits, .level = o.level};
  if (const auto intervals = scaling_coefficients(a.fits.front(), *points, o.level)) a.intervals = *intervals;
  if (!o.workers.empty()) {
    const auto at = numbers_of(o.workers, "--at");
    if (!at) return context.refuse(at.why(), app::exit_code::usage);
    const auto predicted = predict_scaling(a.fits.front(), *points, *at, o.level);
    if (!predicted) return context.refuse(predicted.why(), app::exit_code::usage);
    a.predictions = *predicted;
  }
  const auto band = predict_scaling(a.fits.front(), *points, outline(a), o.level);
  save_plot(context, o.output, scaling_chart(a, band ? *band : std::vector<stats::scaling_prediction>{}));
  return print_plan(context, o.output, scaling_page(a), scaling_derivation(a));
}

}  // namespace

void add_plan_scaling(app::command& command, app::context& context) {
  auto o = std::make_shared<scaling_options>();
  auto& verb = command.add(
      "scaling", "Fit scaling laws to measurements, and predict the throughput of more workers with bands");
  verb.option("points", o->points, "N:RATE", "Measurements: number of workers and their total throughput")
      .option("--file", o->file, "FILE", "The same as CSV: workers and throughput, or workers and time")
      .option("--at", o->workers, "N,N", "Numbers of workers to predict")
      .choice("--law", o->law, {"auto", "amdahl", "gustafson", "usl", "power"}, "The law to use (auto)")
      .option("--level", o->level, "P", "Probability of the bands (0.95)")
      .option("--unit", o->unit, "UNIT", "Unit of the throughput to print: tokens/s");
  add_plan_output(verb, o->output);
  add_plot_file(verb, o->output);
  verb.notes(
          "Every prediction has an interval; a law with as many coefficients as there are measurements has "
          "none and is "
          "refused.")
      .runs([&context, o] { return scaling(context, *o); });
}

}  // namespace ridge::app_plan
