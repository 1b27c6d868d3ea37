// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ridge/plan/train/training_coefficients.hpp>

namespace ridge::plan::train {
namespace {

using nlohmann::json;

struct member {
  std::string_view name{};
  double training_coefficients::*coefficient = nullptr;
  double least = 0, most = 1;
};

constexpr std::array<member, 18> members{
    {{"bf16_efficiency", &training_coefficients::bf16_efficiency, 1e-3, 1},
     {"fp8_efficiency", &training_coefficients::fp8_efficiency, 1e-3, 1},
     {"attention_efficiency", &training_coefficients::attention_efficiency, 1e-3, 1},
     {"bandwidth_efficiency", &training_coefficients::bandwidth_efficiency, 1e-3, 1},
     {"half_size", &training_coefficients::half_size, 0, 1e6},
     {"fp8_half_size", &training_coefficients::fp8_half_size, 0, 1e6},
     {"launch_s", &training_coefficients::launch_s, 0, 1},
     {"tensor_overlap", &training_coefficients::tensor_overlap, 0, 1},
     {"tensor_backward_overlap", &training_coefficients::tensor_backward_overlap, 0, 1},
     {"context_overlap", &training_coefficients::context_overlap, 0, 1},
     {"expert_overlap", &training_coefficients::expert_overlap, 0, 1},
     {"pipeline_overlap", &training_coefficients::pipeline_overlap, 0, 1},
     {"data_overlap", &training_coefficients::data_overlap, 0, 1},
     {"fixed_s", &training_coefficients::fixed_s, 0, 1e3},
     {"straggler_sigma", &training_coefficients::straggler_sigma, 0, 1},
     {"fit_error", &training_coefficients::fit_error, 0, 1e3},
     {"held_out_error", &training_coefficients::held_out_error, 0, 1e3},
     {"band", &training_coefficients::band, 0, 1e3}}};

error at_fault(std::string_view name, const std::string& pointer, const std::string& fault) {
  return {fmt::format("{}: {}: {}", name, pointer, fault),
          "see libs/plan/data/training.json for the form of such a file"};
}

std::optional<error> read_number(const json& document, const member& m, training_coefficients& coefficients,
                                 std::string_view file, const std::string& pointer) {
  const auto at = document.find(std::string(m.name));
  const auto where = fmt::format("{}/{}", pointer, m.name);
  if (at == document.end()) return at_fault(file, where, "is missing");
  if (!at->is_number()) return at_fault(file, where, "is not a number");
  const double value = at->get<double>();
  if (!(value >= m.least && value <= m.most))
    return at_fault(file, where, fmt::format("{} is not within {} and {}", value, m.least, m.most));
  coefficients.*(m.coefficient) = value;
  return {};
}

std::optional<error> read_text(const json& document, const char* member, std::string& value,
                               std::string_view file, const std::string& pointer) {
  const auto at = document.find(member);
  if (at == document.end() || !at->is_string())
    return at_fault(file, fmt::format("{}/{}", pointer, member), "is not text");
  value = at->get<std::string>();
  return {};
}

result<training_coefficients> read_one(const json& document, std::string_view file,
                                       const std::string& pointer) {
  training_coefficients c;
  if (!document.is_object()) return at_fault(file, pointer, "is not an object");
  for (const auto& m : members) {
    if (auto e = read_number(document, m, c, file, pointer)) return *e;
  }
  if (auto e = read_text(document, "gpu", c.gpu, file, pointer)) return *e;
  if (auto e = read_text(document, "source", c.source, file, pointer)) return *e;
  if (auto e = read_text(document, "date", c.date, file, pointer)) return *e;
  const auto rows = document.find("rows");
  if (rows == document.end() || !rows->is_number_unsigned())
    return at_fault(file, pointer + "/rows", "is not a count");
  c.rows = rows->get<int>();
  return c;
}

}  // namespace

result<std::vector<training_coefficients>> parse_training_coefficients(std::string_view text,
                                                                       std::string_view name) {
  const auto root = json::parse(text, nullptr, false);
  if (root.is_discarded()) return at_fault(name, "/", "is not valid JSON");
  const auto schema = root.is_object() ? root.find("schema") : root.end();
  if (schema == root.end() || !schema->is_string() || schema->get<std::string>() != "ridge.plan.training/1")
    return at_fault(name, "/schema", "is not ridge.plan.training/1");
  const auto gpus = root.find("gpus");
  if (gpus == root.end() || !gpus->is_array()) return at_fault(name, "/gpus", "is not an array");
  std::vector<training_coefficients> all;
  for (std::size_t i = 0; i < gpus->size(); ++i) {
    auto one = read_one((*gpus)[i], name, fmt::format("/gpus/{}", i));
    if (!one) return one.why();
    all.push_back(std::move(one).value());
  }
  return all;
}

}  // namespace ridge::plan::train
