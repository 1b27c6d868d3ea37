// SPDX-License-Identifier: Apache-2.0
#include "storage/file_under_test.hpp"

#include <algorithm>

#include <ridge/base/error.hpp>
#include <ridge/stats/quantile.hpp>

#include "os/observed.hpp"

namespace ridge::backends::probe_host {
namespace {

void add_note(std::string& note, const std::string& more) {
  if (!more.empty()) note += (note.empty() ? "" : "; ") + more;
}

std::string words_of(const pattern& access, std::string_view engine, bool direct) {
  return std::string(engine) + (direct ? ", O_DIRECT, " : ", buffered, ") + std::to_string(access.depth) +
         " in flight";
}

}  // namespace

file_under_test::file_under_test(const std::filesystem::path& folder, const measure::clock& clock,
                                 const storage_plan& plan, const storage_ways& ways)
    : clock_(&clock),
      ways_(&ways),
      row_s_(plan.row_s),
      place_(place_of(folder)),
      file_(folder, plan.file_bytes, ways),
      size_(fill(engine(fill_depth), file_.direct(), file_.room(), clock, plan.fill_s)) {}

std::unique_ptr<block_engine> file_under_test::engine(int depth) const {
  std::string why_not;
  if (auto ring = ways_->ring(depth, why_not)) return ring;
  return make_thread_engine(depth);
}

void file_under_test::describe(model::ceiling& row, std::string variant) const {
  std::string no_ring;
  ways_->ring(1, no_ring);
  row.variant = std::move(variant) + "; " + place_.words();
  row.size_bytes = static_cast<double>(size_);
  add_note(row.note, place_.warning());
  add_note(row.note, no_ring);
  if (!file_.is_direct()) add_note(row.note, "this file system refuses O_DIRECT: the page cache takes part");
}

model::ceiling row_of_rates(std::string id, std::string title, std::vector<double> rates, std::string unit) {
  constexpr std::size_t least = 6;
  expects(!rates.empty(), "row_of_rates: a rate");
  std::ranges::sort(rates);
  model::ceiling row{.id = std::move(id), .description = std::move(title), .unit = std::move(unit)};
  row.value = stats::median(rates);
  row.ci = {rates.front(), rates.back()};
  if (const auto found = stats::quantile_with_interval(rates, 0.5, 0.95)) row.ci = found->ci;
  if (rates.size() < least) row.note = "only " + std::to_string(rates.size()) + " samples in its time";
  return row;
}

model::ceiling bandwidth(const file_under_test& file, std::string id, std::string title, pattern access) {
  auto engine = file.engine(access.depth);
  const auto words = words_of(access, engine->name(), file.file().is_direct());
  request_stream stream(std::move(engine), file.file().direct(), file.size(), access);
  auto row =
      row_of_rates(std::move(id), std::move(title), rates_of(stream, access, file.clock(), file.row_s()));
  file.describe(row, words);
  return row;
}

model::ceiling requests_per_second(const file_under_test& file, std::string id, std::string title,
                                   pattern access) {
  auto row = bandwidth(file, std::move(id), std::move(title), access);
  const double bytes = static_cast<double>(access.bytes);
  row.unit = "op/s";
  row.value /= bytes;
  row.ci = {row.ci.lo / bytes, row.ci.hi / bytes};
  return row;
}

model::ceiling latency(const file_under_test& file, std::string id, std::string title) {
  constexpr pattern one{.random = true, .bytes = 4096, .depth = 1};
  auto engine = file.engine(one.depth);
  const auto words = words_of(one, engine->name(), file.file().is_direct());
  request_stream stream(std::move(engine), file.file().direct(), file.size(), one);
  observed found;
  double last_s = 0;
  stream.run(file.clock(), [&](std::size_t done, double s) {
    found.all.push_back(s - last_s);
    last_s = s;
    return done >= 6 && s > file.row_s();
  });
  found.calm = found.all;
  auto row = row_of_times(std::move(id), std::move(title), found, "");
  file.describe(row, words);
  return row;
}

}  // namespace ridge::backends::probe_host
