// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/store/newest_results.hpp>
#include <ridge/store/store.hpp>
#include <ridge/store/stored_rows.hpp>

#include "database.hpp"

namespace ridge::backends::store_sqlite {

class sqlite_store final : public store::store {
 public:
  explicit sqlite_store(const ridge::store::options& given);

  void begin(const model::run& header) override;
  void commit(std::string_view run_id, const model::family& finished) override;
  void finish(const model::run& whole) override;
  bool enter(const model::run& whole, bool finished) override;
  std::vector<ridge::store::run_entry> runs(const ridge::store::run_query& query) override;
  std::vector<model::stored_comparison> history(const ridge::store::history_query& query) override;
  std::vector<model::workload> workloads(const ridge::store::workload_query& query) override;
  std::vector<model::workload_result> latest(const ridge::store::workload_query& query) override;
  std::vector<model::measured_series> series(const ridge::store::workload_query& query) override;
  std::vector<model::measured_point> points(const ridge::store::point_query& query) override;
  result<model::environment> environment(std::int64_t number) override;
  void note(const model::change_note& said) override;
  std::vector<model::change_note> notes() override;
  std::vector<model::change_note> all_notes() override;
  result<model::run> load(std::string_view id_or_prefix) override;
  model::holdings counts() override;

 private:
  std::int64_t document(const std::string& body);
  void enter_header(const model::run& header);
  void enter_end(const model::run& whole);
  ridge::store::run_columns columns_of(std::string_view run_id);
  bool is_held(std::string_view run_id);
  void enter_family(const ridge::store::run_columns& run, const model::family& finished,
                    const std::string& body);
  void enter_comparison(std::string_view run_id, std::int64_t family, const model::comparison_row& row);
  void enter_series(std::int64_t family, const model::family& finished);
  void read_measurements(std::int64_t family, model::workload_result& result);
  void read_comparisons(std::int64_t family, model::workload_result& result);
  std::vector<std::string> runs_with(const ridge::store::run_query& query);
  std::vector<std::string> experiments_like(const std::string& glob);
  std::vector<std::int64_t> newest_comparisons(const ridge::store::history_query& query);
  result<std::string> full_id(std::string_view prefix);
  result<model::run> load_header(std::string_view id);
  result<model::family> load_family(std::int64_t id, std::string_view body);

  database db_;
  ridge::store::newest_results newest_{};
};

}  // namespace ridge::backends::store_sqlite
