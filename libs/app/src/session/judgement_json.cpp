// SPDX-License-Identifier: Apache-2.0
#include "session/judgement_json.hpp"

#include <fmt/format.h>

#include <ridge/device/digest.hpp>
#include <ridge/model/json.hpp>
#include <ridge/model/json_writer.hpp>

#include "session/session_family.hpp"

namespace ridge::app {
namespace {

using model::json_writer;

model::family measured_family(const published_judgement& published) {
  return family_of(*published.judged.session, {{.name = published.baseline}, {.name = published.candidate}},
                   {model::metric{}});
}

void write_axes(json_writer& out, const model::problem_point& point) {
  out.key("problem").begin_object();
  for (const auto& [name, value] : point)
    std::visit([&, key = std::string_view(name)](const auto& x) { out.field(key, x); }, value);
  out.end_object();
}

void write_interval(json_writer& out, std::string_view key, interval x) {
  out.key(key).begin_array(true).value(x.lo).value(x.hi).end_array();
}

void write_checks(json_writer& out, const std::vector<model::check>& checks) {
  out.key("checks").begin_array();
  for (const auto& one : checks) {
    out.begin_object().field("id", one.id).field("result", model::name(one.result));
    if (one.value) out.field("value", *one.value);
    if (one.limit) out.field("limit", *one.limit);
    if (!one.unit.empty()) out.field("unit", one.unit);
    out.field("evidence", one.evidence).end_object();
  }
  out.end_array();
}

void write_sandbox(json_writer& out, const std::vector<judge::sandbox_grant>& sandbox) {
  out.key("sandbox").begin_array();
  for (const auto& one : sandbox) {
    out.begin_object().field("part", one.part).field("granted", one.granted);
    if (!one.granted) out.field("refused", one.refused);
    out.end_object();
  }
  out.end_array();
}

void write_environment(json_writer& out, const model::environment& e) {
  const auto text = model::environment_json(e);
  out.key("environment").begin_object().field("machine", e.machine).field("cpu", e.cpu);
  out.field("kernel", e.kernel).field("compiler", e.compiler).field("flags", e.flags);
  out.field("build", e.build).field("cores", e.cores);
  out.field("digest", fmt::format("{:016x}", device::digest(std::as_bytes(std::span(text)))));
  for (const auto& [name, value] : e.facts) out.field(name, value);
  out.end_object();
}

void write_samples(json_writer& out, const harness::session_record& session, std::uint64_t calls) {
  out.key("samples").begin_array();
  for (const auto& arm : session.arms) {
    out.begin_object().field("arm", &arm == session.arms.data() ? "baseline" : "candidate");
    out.field("calls", calls).key("seconds_per_call").begin_array(true);
    for (const double x : arm.values.front()) out.value(x);
    out.end_array().key("round").begin_array(true);
    for (const auto round : arm.round) out.value(round);
    out.end_array().end_object();
  }
  out.end_array();
}

void write_measured(json_writer& out, const published_judgement& published) {
  const auto& session = *published.judged.session;
  const auto c = judged_comparison(published);
  out.field("ratio", c.ratio).field("level", c.level).field("pairs", c.pairs).field("looks", c.looks);
  write_interval(out, "ratio_interval", c.ci);
  for (const std::size_t arm : {std::size_t{0}, std::size_t{1}}) {
    const auto time = judged_time(published, arm);
    const std::string_view name = arm == 0 ? "baseline" : "candidate";
    out.field(fmt::format("{}_s", name), time.median);
    write_interval(out, fmt::format("{}_s_interval", name), time.ci);
  }
  out.field("rounds", session.rounds).field("hand_over_s", published.judged.hand_over_s);
}

}  // namespace

model::comparison judged_comparison(const published_judgement& published) {
  auto made = measured_family(published).comparisons.front();
  made.verdict = published.judged.verdict;
  made.assurance = published.judged.assurance;
  made.checks = published.judged.checks;
  return made;
}

model::estimate judged_time(const published_judgement& published, std::size_t arm) {
  return measured_family(published).measurements[arm].metrics.front();
}

std::string judgement_json(const published_judgement& published) {
  const auto& judged = published.judged;
  json_writer out(2);
  out.begin_object().field("schema", "ridge.judgement/1").field("id", published.header.id);
  out.field("started", published.header.started).field("experiment", published.experiment);
  out.field("backend", model::name(published.options.backend));
  out.field("baseline", published.baseline).field("candidate", published.candidate);
  out.field("candidate_bytes", judged.candidate_bytes);
  out.field("candidate_digest", fmt::format("{:016x}", judged.candidate_digest));
  out.key("compile_flags").begin_array(true);
  for (const auto& flag : published.compile_flags) out.value(flag);
  out.end_array();
  write_axes(out, published.problem);
  out.field("seed", published.options.seed).field("min_effect", published.options.min_effect);
  out.field("budget_s", published.options.budget_s).field("time_limit_s", published.options.time_limit_s);
  out.field("memory_limit", published.options.memory_limit);
  out.field("verdict", model::name(judged.verdict)).field("refused", judged.refused);
  out.field("assurance", judged.assurance);
  if (judged.session) write_measured(out, published);
  write_checks(out, judged.checks);
  write_sandbox(out, judged.sandbox);
  write_environment(out, published.header.environment);
  if (judged.session) write_samples(out, *judged.session, judged.calls);
  out.end_object();
  return std::move(out).take() + '\n';
}

}  // namespace ridge::app
