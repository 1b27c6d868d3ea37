// SPDX-License-Identifier: Apache-2.0
#include "session/judge_opponent.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include <ridge/app/targets.hpp>
#include <ridge/judge/judge.hpp>

namespace ridge::app {
namespace {

constexpr std::array<std::string_view, 4> host_sources{".cpp", ".cc", ".cxx", ".c++"};
constexpr std::string_view cuda_source{".cu"};

bool is_host_source(const std::string& candidate) {
  return std::ranges::any_of(host_sources,
                             [&](std::string_view ending) { return candidate.ends_with(ending); });
}

std::string baseline_on(model::backend backend, const experiment& entry) {
  const auto found = std::ranges::find_if(entry->variants, [&](const variant_facts& v) {
    return v.backend == backend && v.is == model::role::baseline;
  });
  return found == entry->variants.end() ? std::string{} : found->name;
}

bool has_variant(const experiment& entry, const std::string& name, model::backend backend) {
  return std::ranges::any_of(entry->variants, [&](const variant_facts& v) {
    return v.backend == backend && (name.empty() || v.name == name);
  });
}

// Of a candidate that could run on both, by the variants that it could be judged against.
model::backend backend_of_variants(const opponent& against, const std::string& own) {
  const auto fits = [&](model::backend backend) {
    return has_variant(against.entry, own, backend) && has_variant(against.entry, against.variant, backend);
  };
  return fits(model::backend::cuda) && !fits(model::backend::cpu) ? model::backend::cuda
                                                                  : model::backend::cpu;
}

result<opponent> opponent_named(const std::string& text, const experiment_shelf& shelf) {
  const auto colon = text.find(':');
  const auto chosen = select(shelf, {text.substr(0, colon)});
  if (!chosen) return chosen.why();
  if (chosen->size() != 1)
    return error{fmt::format("--against {} names {} experiments", text, chosen->size()),
                 "name one: --against ch01.coalescing or ch01.coalescing:tiled"};
  return opponent{.entry = chosen->front(),
                  .variant = colon == std::string::npos ? std::string{} : text.substr(colon + 1)};
}

}  // namespace

bool is_cuda_source(const std::string& candidate) { return candidate.ends_with(cuda_source); }

bool is_source(const std::string& candidate) {
  return is_host_source(candidate) || is_cuda_source(candidate);
}

std::string own_variant_of(const std::string& candidate, const experiment& entry) {
  const auto prefix = entry->id + ":";
  const auto target = normal_target(candidate);
  return target.starts_with(prefix) ? target.substr(prefix.size()) : std::string{};
}

result<model::backend> backend_for(const std::string& candidate, const opponent& against,
                                   const std::string& backend) {
  if (backend == "cpu" && is_cuda_source(candidate))
    return error{fmt::format("{} is compiled for a GPU, not for --backend cpu", candidate),
                 "leave --backend out, or name a source in C++ (.cpp)"};
  if (!backend.empty()) return backend == "cuda" ? model::backend::cuda : model::backend::cpu;
  if (const auto own = own_variant_of(candidate, against.entry); !own.empty())
    return backend_of_variants(against, own);
  if (is_cuda_source(candidate)) return model::backend::cuda;
  if (is_host_source(candidate)) return model::backend::cpu;
  const auto exported = judge::entries_of(candidate);
  if (!exported) return exported.why();
  if (exported->cpu && exported->cuda) return backend_of_variants(against, {});
  return exported->cuda ? model::backend::cuda : model::backend::cpu;
}

result<opponent> opponent_of(const std::string& candidate, const std::string& against,
                             const std::string& backend, const experiment_shelf& shelf) {
  auto made = opponent_named(against, shelf);
  if (!made) return made.why();
  const auto chosen = backend_for(candidate, *made, backend);
  if (!chosen) return chosen.why();
  made->backend = *chosen;
  if (made->variant.empty()) made->variant = baseline_on(*chosen, made->entry);
  return made;
}

}  // namespace ridge::app
