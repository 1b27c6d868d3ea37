// SPDX-License-Identifier: Apache-2.0
#include "enter_families.hpp"

#include <ridge/model/json.hpp>
#include <ridge/store/sample_blob.hpp>

#include "history_rows.hpp"

namespace ridge::backends::store_postgresql {
namespace {

// What COPY appends for the families of one run.
struct tables {
  added_rows<4> families{.table = "family", .columns = {"id", "run", "experiment", "body"}};
  added_rows<5> samples{.table = "series",
                        .columns = {"family", "measurement", "ordinal", "samples", "data"}};
  added_rows<38> comparisons{.table = "comparison",
                             .columns = {"family",
                                         "run",
                                         "experiment",
                                         "problem",
                                         "axes",
                                         "backend",
                                         "metric",
                                         "unit",
                                         "better",
                                         "clock",
                                         "ratio",
                                         "lo",
                                         "hi",
                                         "level",
                                         "verdict",
                                         "judged",
                                         "headline",
                                         "assurance",
                                         "pairs",
                                         "aa_lo",
                                         "aa_hi",
                                         "reference",
                                         "reference_median",
                                         "reference_lo",
                                         "reference_hi",
                                         "reference_of_ceiling",
                                         "reference_bound",
                                         "reference_memory",
                                         "reference_energy",
                                         "candidate",
                                         "candidate_median",
                                         "candidate_lo",
                                         "candidate_hi",
                                         "candidate_of_ceiling",
                                         "candidate_bound",
                                         "candidate_memory",
                                         "candidate_energy",
                                         "checks"}};
};

auto comparison_row(const std::string& run, std::int64_t family, const model::comparison_row& row) {
  const auto& c = row.comparison;
  const auto& [a, b] = row.arms;
  return values(family, run, row.experiment, row.problem, model::axes_json(row.axes), name(row.backend),
                c.metric.name, c.metric.unit, name(c.metric.better), name(c.metric.clock), c.ratio, c.ci.lo,
                c.ci.hi, c.level, name(c.verdict), c.judged, c.headline, c.assurance, c.pairs, c.aa.lo,
                c.aa.hi,  //
                a.variant, a.median, a.ci.lo, a.ci.hi, a.of_ceiling, name(a.bound), a.memory_bytes,
                a.energy_j,  //
                b.variant, b.median, b.ci.lo, b.ci.hi, b.of_ceiling, name(b.bound), b.memory_bytes,
                b.energy_j, model::checks_json(c.checks));
}

void add_samples(added_rows<5>& samples, std::int64_t family, const model::family& finished) {
  for (std::size_t m = 0; m < finished.measurements.size(); ++m) {
    const auto& all = finished.measurements[m].samples;
    for (std::size_t s = 0; s < all.size(); ++s) {
      const auto bytes = ridge::store::encode(all[s]);
      samples.rows.push_back(values(family, m, s, all[s].value.size(), std::span<const std::byte>(bytes)));
    }
  }
}

}  // namespace

void enter_families(session& statements, const store::run_columns& run,
                    std::span<const model::family> families) {
  std::vector<std::int64_t> numbers;
  const auto ids = statements.prepared(
      "SELECT nextval(pg_get_serial_sequence('ridge.family', 'id')) FROM generate_series(1, $1::bigint)",
      values(families.size()));
  ids.for_each([&](const row& one) { numbers.push_back(one.whole(0)); });
  tables all;
  for (std::size_t i = 0; i < families.size(); ++i) {
    const auto& f = families[i];
    const auto id = numbers[i];
    all.families.rows.push_back(
        values(id, run.id, f.experiment, model::family_json(f, model::samples::left_out)));
    for (const auto& c : f.comparisons)
      all.comparisons.rows.push_back(comparison_row(run.id, id, model::row(f, c)));
    add_samples(all.samples, id, f);
  }
  statements.copy(all.families);
  statements.copy(all.comparisons);
  statements.copy(all.samples);
  enter_history_rows(statements, run, numbers, families);
}

}  // namespace ridge::backends::store_postgresql
