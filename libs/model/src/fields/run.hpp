// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/model/catalogue.hpp>
#include <ridge/model/run.hpp>

#include "is.hpp"

// The fields of a run and of the catalogue of experiments.
namespace ridge::model::detail {

// The fields of a run without its families, which are read and written separately, after the flat
// comparisons.
void fields(auto& a, is<left_out> auto& x) {
  a("experiment", x.experiment);
  a("backend", x.backend);
  a("problem", x.problem);
  a("reason", x.reason);
}

void fields(auto& a, is<run> auto& x) {
  a("id", x.id);
  a("started", x.started);
  a("command", x.command);
  a("profile", x.profile);
  a("seed", x.seed);
  a("wall_s", x.wall_s);
  a("min_effect", x.min_effect);
  a("level", x.level);
  a("environment", x.environment);
  a("peak", x.peak);
  a("left_out", x.left_out);
}

void fields(auto& a, is<variant_description> auto& x) {
  a("name", x.name);
  a("role", x.role);
  a("backend", x.backend);
  a("idea", x.idea);
  a("pedagogy", x.pedagogy);
  a("unavailable", x.unavailable);
}

void fields(auto& a, is<axis_description> auto& x) {
  a("name", x.name);
  a("values", x.values);
}

void fields(auto& a, is<experiment_description> auto& x) {
  a("id", x.id);
  a("title", x.title);
  a("question", x.question);
  a("goal", x.goal);
  a("tags", x.tags);
  a("answers", x.answers);
  a("axes", x.axes);
  a("metrics", x.metrics);
  a("phases", x.phases);
  a("variants", x.variants);
  a("missing_backends", x.missing_backends);
}

}  // namespace ridge::model::detail
