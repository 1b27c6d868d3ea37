// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/model/roofline.hpp>

#include "is.hpp"

// The fields of roofline charts.
namespace ridge::model::detail {

void fields(auto& a, is<roof> auto& x) {
  a("id", x.id);
  a("kind", x.kind);
  a("origin", x.origin);
  a("level", x.level);
  a("dtype", x.dtype);
  a("units", x.units);
  a("value", x.value);
  a("ci", x.ci);
  a("specified", x.specified);
  a("clock_hz", x.clock_hz);
  a("label", x.label);
  a("shown", x.shown);
}

void fields(auto& a, is<ridge_point> auto& x) {
  a("bandwidth", x.bandwidth);
  a("compute", x.compute);
  a("intensity", x.intensity);
}

void fields(auto& a, is<roofline_verdict> auto& x) {
  a("bound", x.bound);
  a("roof", x.roof);
  a("attainable", x.attainable);
  a("share", x.share);
  a("headroom", x.headroom);
  a("ridge", x.ridge);
  a("next", x.next);
}

void fields(auto& a, is<roofline_point> auto& x) {
  a("kernel", x.kernel);
  a("group", x.group);
  a("label", x.label);
  a("level", x.level);
  a("dtype", x.dtype);
  a("units", x.units);
  a("threads", x.threads);
  a("flop", x.flop);
  a("bytes", x.bytes);
  a("seconds", x.seconds);
  a("intensity", x.intensity);
  a("flop_per_s", x.flop_per_s);
  a("flop_per_s_ci", x.flop_per_s_ci);
  a("bytes_per_s", x.bytes_per_s);
  a("time_share", x.time_share);
  a("measured_bytes", x.measured_bytes);
  a("measured_intensity", x.measured_intensity);
  a("verdict", x.verdict);
}

void fields(auto& a, is<sweep_step> auto& x) {
  a("fma_per_element", x.fma_per_element);
  a("intensity", x.intensity);
  a("flop_per_s", x.flop_per_s);
  a("roof", x.roof);
  a("share", x.share);
  a("share_ci", x.share_ci);
  a("at_knee", x.at_knee);
}

void fields(auto& a, is<intensity_sweep> auto& x) {
  a("level", x.level);
  a("threads", x.threads);
  a("working_set_bytes", x.working_set_bytes);
  a("bandwidth", x.bandwidth);
  a("peak", x.peak);
  a("ridge", x.ridge);
  a("worst_off_knee", x.worst_off_knee);
  a("knee_rounding", x.knee_rounding);
  a("note", x.note);
  a("steps", x.steps);
}

void fields(auto& a, is<roofline_chart> auto& x) {
  a("backend", x.backend);
  a("device", x.device);
  a("threads", x.threads);
  a("roofs", x.roofs);
  a("ridges", x.ridges);
  a("points", x.points);
  a("sweeps", x.sweeps);
}

void fields(auto& a, is<roofline> auto& x) {
  a("run", x.run);
  a("machine", x.machine);
  a("started", x.started);
  a("charts", x.charts);
}

}  // namespace ridge::model::detail
