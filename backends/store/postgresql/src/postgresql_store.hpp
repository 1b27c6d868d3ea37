// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/store/newest_results.hpp>
#include <ridge/store/store.hpp>
#include <ridge/store/stored_rows.hpp>

#include "connection.hpp"

namespace ridge::backends::store_postgresql {

class postgresql_store final : public store::store {
 public:
  explicit postgresql_store(const ridge::store::options& given);

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
  connection database_;
  ridge::store::newest_results newest_{};
};

}  // namespace ridge::backends::store_postgresql
