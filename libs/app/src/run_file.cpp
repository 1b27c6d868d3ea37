// SPDX-License-Identifier: Apache-2.0
#include "run_file.hpp"

#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include <ridge/model/json.hpp>

namespace ridge::app {

result<model::run> run_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return error{fmt::format("cannot read {}", path), "give a file written by `ridge run --save`"};
  return model::run_from_json(std::string{std::istreambuf_iterator<char>(file), {}});
}

}  // namespace ridge::app
