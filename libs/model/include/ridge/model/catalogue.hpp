// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/model/names.hpp>
#include <ridge/model/run.hpp>

namespace ridge::model {

struct variant_description {
  std::string name{};
  model::role role{model::role::baseline};
  model::backend backend{model::backend::cpu};
  std::string idea{};
  bool pedagogy = false;
  std::string unavailable{};  // why it would be skipped on this machine; empty when it would run
};

struct axis_description {
  std::string name{};
  std::vector<axis_value> values{};
};

// An experiment as `list`, `show` and the catalogue page present it; no code, no measurement.
struct experiment_description {
  std::string id{};
  std::string title{};
  std::string question{};
  model::goal goal{model::goal::speed};
  std::vector<std::string> tags{};
  std::vector<std::string> answers{};  // what of the specification it answers
  std::vector<axis_description> axes{};
  std::vector<model::metric> metrics{};
  std::vector<std::string> phases{};
  std::vector<variant_description> variants{};
  std::string missing_backends{};  // "cuda: not in this build (no CUDA toolkit at configure)"
};

}  // namespace ridge::model
