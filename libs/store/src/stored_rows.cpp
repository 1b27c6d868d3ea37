// SPDX-License-Identifier: Apache-2.0
#include <ridge/store/stored_rows.hpp>

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/model/json.hpp>
#include <ridge/store/sample_blob.hpp>

namespace ridge::store {

const model::problem_point& axes_reader::read(std::string_view text) {
  if (text != text_) {
    text_ = text;
    const auto read = model::axes_from_json(text_);
    axes_ = read ? *read : model::problem_point{};
  }
  return axes_;
}

std::string header_text(const model::run& run) {
  const model::run bare{.id = run.id,
                        .started = run.started,
                        .command = run.command,
                        .profile = run.profile,
                        .seed = run.seed,
                        .min_effect = run.min_effect,
                        .level = run.level,
                        .left_out = run.left_out};
  return model::to_json(bare);
}

std::size_t samples_of(const model::measurement& measurement, const model::metric& metric) {
  for (const auto& s : measurement.samples)
    if (s.metric.name == metric.name) return s.value.size();
  return 0;
}

std::size_t samples_of(const model::family& family) {
  std::size_t all = 0;
  for (const auto& m : family.measurements)
    for (const auto& s : m.samples) all += s.value.size();
  return all;
}

bool was_measured(const model::measurement& measurement) {
  return measurement.refused.empty() && measurement.skipped.empty();
}

std::optional<double> memory_of(const model::measurement& measurement) {
  const auto peak = measurement.memory.peak_bytes;
  return peak > 0 ? std::optional(peak) : std::nullopt;
}

bool is_glob(std::string_view text) { return text.find_first_of("*?") != std::string_view::npos; }

std::int64_t limit_of(std::size_t limit) {
  return static_cast<std::int64_t>(std::min<std::size_t>(limit, std::numeric_limits<std::int64_t>::max()));
}

std::string end_of(std::string_view prefix) { return std::string(prefix) + "\U0010FFFF"; }

error damaged_run(std::string_view run, const error& why) {
  return {fmt::format("run {} cannot be read from the store: {}", run, why.message), why.remedy};
}

error no_environment(std::int64_t number) {
  return {fmt::format("the store has no environment {}", number), "results name the numbers there are"};
}

result<std::string> only_id(std::string_view prefix, const std::vector<std::string>& found) {
  if (!found.empty() && found.front() == prefix) return found.front();
  if (found.size() == 1 && !prefix.empty()) return found.front();
  if (found.empty() || prefix.empty()) {
    return error{fmt::format("no run starts with '{}'", prefix),
                 "`ridge history` lists the runs in the store"};
  }
  return error{fmt::format("'{}' could be {}", prefix, join(found, ", ")), "give more of the id"};
}

result<void> decode_samples(model::family& family, std::size_t measurement, std::size_t ordinal,
                            std::span<const std::byte> bytes) {
  if (measurement >= family.measurements.size() || ordinal >= family.measurements[measurement].samples.size())
    return error{"samples of a series that its family does not name"};
  return decode(bytes, family.measurements[measurement].samples[ordinal]);
}

result<model::run> run_of_texts(std::string_view id, std::string_view header, std::string_view environment,
                                std::string_view peak) {
  auto run = model::run_from_json(header);
  if (!run) return damaged_run(id, run.why());
  auto facts = model::environment_from_json(environment);
  if (!facts) return damaged_run(id, facts.why());
  auto ceilings = model::peak_from_json(peak);
  if (!ceilings) return damaged_run(id, ceilings.why());
  run->environment = std::move(*facts);
  run->peak = std::move(*ceilings);
  return run;
}

}  // namespace ridge::store
