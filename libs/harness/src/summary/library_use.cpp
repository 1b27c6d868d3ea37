// SPDX-License-Identifier: Apache-2.0
#include "summary/library_use.hpp"

#include <unistd.h>

#include <algorithm>

namespace ridge::harness {
namespace {

struct obeyed_names {
  std::string_view library;
  std::vector<std::string_view> beginnings;
};

const std::vector<obeyed_names>& obeyed() {
  static const std::vector<obeyed_names> all{
      {"openblas", {"OPENBLAS_", "GOTO_", "OMP_", "GOMP_"}},
      {"onednn", {"DNNL_", "ONEDNN_", "OMP_", "GOMP_", "KMP_"}},
      {"mkl", {"MKL_", "OMP_", "KMP_"}},
      {"blis", {"BLIS_", "OMP_", "GOMP_"}},
      {"cublas", {"CUBLAS", "NVIDIA_TF32_OVERRIDE"}},
      {"cublaslt", {"CUBLAS", "NVIDIA_TF32_OVERRIDE"}},
      {"cudnn", {"CUDNN_", "NVIDIA_TF32_OVERRIDE"}},
  };
  return all;
}

bool obeys(std::string_view library, std::string_view variable) {
  const bool known = std::ranges::count(obeyed(), library, &obeyed_names::library) > 0;
  return std::ranges::any_of(obeyed(), [&](const obeyed_names& one) {
    return (!known || one.library == library) &&
           std::ranges::any_of(one.beginnings, [&](auto begin) { return variable.starts_with(begin); });
  });
}

}  // namespace

std::vector<std::pair<std::string, std::string>> settings_of_library(std::string_view library) {
  std::vector<std::pair<std::string, std::string>> found;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const auto equals = text.find('=');
    if (equals == std::string_view::npos || !obeys(library, text.substr(0, equals))) continue;
    found.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  std::ranges::sort(found);
  return found;
}

std::vector<model::library_use> libraries_of(const pairing& pair, const family_evidence& e,
                                             const model::family& f) {
  std::vector<model::library_use> all;
  for (const auto arm : {pair.reference, pair.candidate}) {
    const auto& m = f.measurements[e.measurement_of[arm]];
    if (m.role != model::role::comparator) continue;
    const auto& name = e.definition.variants[e.arms.arm(arm).variant].needs.library;
    all.push_back({.variant = m.variant,
                   .library = e.equipment.library_in_words ? e.equipment.library_in_words(name) : "",
                   .threads = m.threads,
                   .settings = settings_of_library(name)});
  }
  return all;
}

}  // namespace ridge::harness
