// SPDX-License-Identifier: Apache-2.0
#include <ridge/model/json.hpp>

#include <algorithm>
#include <cmath>

#include "json_out.hpp"

namespace ridge::model {
namespace {

// Returns {"schema": ..., followed by what `body` writes, and the closing brace.
template <class Body>
std::string document(std::string_view schema, std::size_t indent, Body body) {
  json_writer to(indent);
  to.begin_object().field("schema", schema);
  body(to);
  to.end_object();
  return std::move(to).take();
}

template <class T>
std::string document_of(std::string_view schema, std::size_t indent, const T& x, samples keep) {
  return document(schema, indent, [&](json_writer& writer) {
    detail::json_out out(writer, keep);
    fields(out, x);
  });
}

// The names follow decision 0024; memory is in bytes, energy in joules.
void put_arm(json_writer& writer, const arm& a) {
  const auto number = [&](std::string_view name, const std::optional<double>& x) {
    x ? writer.field(name, *x) : writer.key(name).null();
  };
  writer.begin_object().field("variant", a.variant).field("median", a.median).field("lo", a.ci.lo);
  writer.field("hi", a.ci.hi).field("unit", a.unit);
  number("of_ceiling", a.of_ceiling);
  writer.field("bound", name(a.bound));
  number("memory", a.memory_bytes);
  number("energy", a.energy_j);
  writer.end_object();
}

void put_row(json_writer& writer, const comparison_row& r) {
  const auto& c = r.comparison;
  detail::json_out out(writer, samples::left_out);
  writer.field("experiment", r.experiment).field("problem", r.problem);
  out("axes", r.axes);
  writer.field("metric", c.metric.name).field("backend", name(r.backend));
  writer.field("reference", c.reference).field("candidate", c.candidate).field("ratio", c.ratio);
  writer.field("lo", c.ci.lo).field("hi", c.ci.hi).field("level", c.level).field("verdict", name(c.verdict));
  writer.field("judged", c.judged).field("headline", c.headline);
  writer.field("assurance", c.assurance).field("pairs", c.pairs);
  out("aa", c.aa);
  writer.key("arms").begin_array();
  for (const auto& a : r.arms) put_arm(writer, a);
  writer.end_array();
  out("checks", c.checks);
}

template <class T>
void put_array(json_writer& writer, std::string_view name, std::span<const T> list, auto put_one) {
  writer.key(name).begin_array();
  for (const auto& x : list) put_one(x);
  writer.end_array();
}

double to_nine_digits(double x) { return std::isfinite(x) ? std::stod(fmt::format("{:.9g}", x)) : x; }

}  // namespace

std::string packed_json(run run) {
  for (auto& f : run.families) {
    for (auto& m : f.measurements) {
      for (auto& s : m.samples) std::ranges::transform(s.value, s.value.begin(), to_nine_digits);
    }
  }
  return document("ridge.run/1", 0, [&](json_writer& writer) {
    detail::json_out out(writer, samples::kept);
    fields(out, run);
    out("families", run.families);
  });
}

std::string to_json(const run& run, samples keep) {
  return document("ridge.run/1", 1, [&](json_writer& writer) {
    detail::json_out out(writer, keep);
    fields(out, run);
    const auto flat = rows(run);
    put_array(writer, "comparisons", std::span(flat), [&](const comparison_row& r) {
      writer.begin_object();
      put_row(writer, r);
      writer.end_object();
    });
    out("families", run.families);
  });
}

std::string comparison_json(const run& meta, const family& family, const comparison& comparison) {
  return document("ridge.comparison/1", 0, [&](json_writer& writer) {
    writer.field("run", meta.id).field("started", meta.started).field("machine", meta.environment.machine);
    put_row(writer, row(family, comparison));
  });
}

std::string catalogue_json(std::span<const experiment_description> experiments) {
  return document("ridge.catalogue/1", 1, [&](json_writer& writer) {
    detail::json_out out(writer, samples::left_out);
    put_array(writer, "experiments", experiments, [&](const auto& e) { out.put(e); });
  });
}

std::string history_json(std::span<const stored_comparison> comparisons, const holdings& held) {
  return document("ridge.history/1", 1, [&](json_writer& writer) {
    writer.key("held").begin_object().field("runs", held.runs).field("families", held.families);
    writer.field("comparisons", held.comparisons).field("samples", held.samples).end_object();
    put_array(writer, "comparisons", comparisons, [&](const stored_comparison& c) {
      writer.begin_object().field("run", c.run).field("started", c.started).field("machine", c.machine);
      put_row(writer, c.row);
      writer.end_object();
    });
  });
}

std::string peak_report_json(const peak_report& report) {
  return document_of("ridge.peak/1", 1, report, samples::kept);
}

std::string peak_json(const peak& peak) { return document_of("ridge.peak/1", 1, peak, samples::kept); }

std::string roofline_json(const roofline& roofline) {
  return document_of("ridge.roofline/1", 1, roofline, samples::kept);
}

std::string probe_json(const machine_node& machine) {
  return document("ridge.probe/1", 1, [&](json_writer& writer) {
    detail::json_out(writer, samples::left_out)("machine", machine);
  });
}

std::string audit_json(const audit& audit) { return document_of("ridge.audit/1", 1, audit, samples::kept); }

std::string environment_json(const environment& environment) {
  return document_of("ridge.environment/1", 0, environment, samples::kept);
}

std::string family_json(const family& family, samples keep) {
  return document_of("ridge.family/1", 0, family, keep);
}

std::string checks_json(std::span<const check> checks) {
  return document("ridge.checks/1", 0, [&](json_writer& writer) {
    detail::json_out out(writer, samples::left_out);
    put_array(writer, "checks", checks, [&](const check& c) { out.put(c); });
  });
}

std::string axes_json(const problem_point& point) {
  return document("ridge.axes/1", 0,
                  [&](json_writer& writer) { detail::json_out(writer, samples::left_out)("axes", point); });
}

}  // namespace ridge::model
