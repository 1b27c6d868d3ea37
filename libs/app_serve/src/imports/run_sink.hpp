// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/server/service.hpp>

#include "stored/store_shelf.hpp"

namespace ridge::app_serve {

// Takes saved runs (ridge.run/1) and puts them into the store. As lines, each run is stored when its line has
// arrived, so that no more than one is held; otherwise the body is one run. What is wrong ends it: the rest
// of the body is not looked at, what was stored before is kept, and the answer says both.
class run_sink final : public server::body_sink {
 public:
  enum class form : std::uint8_t { one_run, lines };
  struct most {
    std::size_t run_bytes = 16U << 20U;  // of one run: its text needs some ten times as much while it is read
    std::size_t runs = 10'000;
  };

  // `turn` lets one sink at a time read a run.
  run_sink(store_shelf& stores, std::shared_ptr<std::mutex> turn, form sent, most allowed)
      : stores_(stores), turn_(std::move(turn)), form_(sent), most_(allowed) {}

  void write(std::string_view part) override;
  server::response finish() override;

 private:
  struct entry {
    std::size_t line = 0;
    std::string id{};
    bool is_new = false;
    std::size_t families = 0;
  };

  void take(std::string_view text);
  void refuse(int status, const error& why);
  [[nodiscard]] std::string outcome_members() const;

  store_shelf& stores_;
  std::shared_ptr<std::mutex> turn_;
  form form_;
  most most_;
  std::string rest_{};  // what is no whole run yet
  std::size_t line_ = 1;
  std::vector<entry> entries_{};
  server::response refusal_{.status = 0};  // status 0: nothing was wrong
};

}  // namespace ridge::app_serve
