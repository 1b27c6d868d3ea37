// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/plan/serve/deployment.hpp>

namespace ridge::plan::serve {

// What the engines are told, once it is known that it fits.
struct launch_facts {
  const deployment_question& question;
  std::string checkpoint{};
  std::string draft_method{};       // empty: no speculation
  std::int64_t request_tokens = 0;  // of the longest request; 0: the model's context
  std::int64_t cache_tokens = 0;    // of one engine
  double memory_share = 0;          // of the GPU, or of what is free on it
  bool usual_share = false;         // it is the engine's default
  bool share_experts = false;       // data-parallel ranks step together
  std::string weight_format{};  // into which the engine brings the weights; empty: as the checkpoint has them
};

// Ports of what stands in front of both pools, and of SGLang's prefill engines (its default).
inline constexpr int router_port = 8080, sglang_bootstrap_port = 8998;

// Fills in program, arguments and file.
[[nodiscard]] result<void> add_vllm(launch& l, const launch_facts& f);
[[nodiscard]] result<void> add_sglang(launch& l, const launch_facts& f);
[[nodiscard]] result<void> add_trtllm(launch& l, const launch_facts& f);

// An error that an engine cannot do something, and what to do instead.
[[nodiscard]] error cannot(std::string_view engine, std::string_view request, std::string_view remedy);

// The argument `name` with a number.
[[nodiscard]] launch_argument counted(std::string name, std::int64_t value, std::string reason);

// What a launch is of, in one line without line breaks.
[[nodiscard]] std::string headline(const launch& l);

// The lines of a script that start the launch: reasons, file, command.
[[nodiscard]] std::string script_body(const launch& l);

// The configuration file of a launch as YAML; empty where there is none.
[[nodiscard]] std::string yaml_file(const launch& l);
// The command line, word by word; `file` is where its configuration lies.
[[nodiscard]] std::vector<std::string> words_of(const launch& l, const std::string& file);

}  // namespace ridge::plan::serve
