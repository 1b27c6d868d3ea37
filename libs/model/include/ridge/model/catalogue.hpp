// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/model/names.hpp>
#include <ridge/model/run.hpp>

namespace ridge::model {

// A variant as lists and pages present it.
struct variant_description {
  std::string name{};
  model::role role{model::role::baseline};
  model::backend backend{model::backend::cpu};
  std::string idea{};
  bool pedagogy = false;
  std::string unavailable{};  // why it would be skipped on this machine; empty when it would run
};

// An axis of an experiment, with every value that it takes.
struct axis_description {
  std::string name{};
  std::vector<axis_value> values{};
};

// An experiment as `list`, `show` and the catalogue page present it: neither code nor measurements.
struct experiment_description {
  std::string id{};
  std::string title{};
  std::string question{};
  model::goal goal{model::goal::speed};
  std::vector<std::string> tags{};
  std::vector<std::string> answers{};  // entries of the specification that it answers
  std::vector<axis_description> axes{};
  std::vector<model::metric> metrics{};
  std::vector<std::string> phases{};
  std::vector<variant_description> variants{};
  std::string missing_backends{};  // "cuda: not in this build (no CUDA toolkit at configure)"
};

}  // namespace ridge::model
