// SPDX-License-Identifier: Apache-2.0
#include "traces.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace ridge::plan::serving_programs {
namespace {

constexpr double day_s = 86400;

struct azure_row {
  double at_s = 0;
  std::uint32_t input = 0, output = 0;
};

std::vector<azure_row> azure_rows(const std::filesystem::path& file) {
  std::ifstream in{file};
  std::vector<azure_row> rows;
  for (std::string line; std::getline(in, line);) {
    unsigned day = 0, hour = 0, minute = 0, input = 0, output = 0;
    double second = 0;
    if (std::sscanf(line.c_str(), "%*u-%*u-%u %u:%u:%lf,%u,%u", &day, &hour, &minute, &second, &input,
                    &output) == 6) {
      rows.push_back({day * day_s + hour * 3600.0 + minute * 60.0 + second, input, output});
    }
  }
  return rows;
}

}  // namespace

serve::request_table read_azure(const std::filesystem::path& file, int repeats) {
  const auto rows = azure_rows(file);
  serve::request_table table;
  if (rows.empty()) {
    return table;
  }
  table.reserve(rows.size() * static_cast<std::size_t>(repeats));
  const auto first_s = rows.front().at_s;
  const auto turn_s = rows.back().at_s - first_s + 1;
  for (int i = 0; i < repeats; ++i) {
    for (const auto& r : rows) {
      table.add(
          {.arrival_s = r.at_s - first_s + i * turn_s, .input_tokens = r.input, .output_tokens = r.output});
    }
  }
  return table;
}

serve::request_table read_mooncake(const std::filesystem::path& file) {
  constexpr std::uint32_t block_tokens = 512;
  std::ifstream in{file};
  serve::request_table table{block_tokens};
  std::vector<std::uint64_t> ids;
  for (std::string line; std::getline(in, line);) {
    double at_ms = 0;
    unsigned input = 0, output = 0;
    int read = 0;
    if (std::sscanf(line.c_str(),
                    R"({"timestamp": %lf, "input_length": %u, "output_length": %u, "hash_ids": [%n)", &at_ms,
                    &input, &output, &read) != 3) {
      continue;
    }
    ids.clear();
    const char* at = line.c_str() + read;
    for (char* end = nullptr; *at != ']' && *at != '\0'; at = end + (*end == ',' ? 1 : 0)) {
      ids.push_back(std::strtoull(at, &end, 10) + 1);
      if (end == at) {
        break;
      }
    }
    table.add({.arrival_s = at_ms / 1000, .input_tokens = input, .output_tokens = output}, ids);
  }
  return table;
}

std::filesystem::path data_folder() {
  const char* const given = std::getenv("RIDGE_DATA");
  return given != nullptr ? given : RIDGE_DATA_BESIDE;
}

}  // namespace ridge::plan::serving_programs
