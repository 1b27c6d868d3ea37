// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/serve/replica_plan.hpp>

namespace ridge::plan::serve {

// A service that is to be started.
struct deployment_question {
  replica_question replica{};  // model, GPU, layout, engine, formats and settings; step times do not matter
  std::string checkpoint{};    // what the engine loads: a name or a folder; empty: the model's name
  int replicas = 1;
  std::string
      draft_method{};  // "mtp", "eagle3", "draft", "ngram"; empty: mtp where the model has such layers
  std::string draft_checkpoint{};  // of eagle3 and draft
  std::int64_t longest_request =
      0;  // tokens of prompt and answer; 0: the model's context, as far as it is held
  int port = 8000;
  std::string image{};  // container; empty: that of the engine's documented version
  std::string name{};   // of the Kubernetes objects; empty: made of the checkpoint's name
};

// One argument of a command line, or one value of a configuration file, and why it is there.
struct launch_argument {
  std::string name{};    // "--max-num-seqs"; in a file the path of its keys, "kv_cache_config/dtype"
  std::string value{};   // empty: the argument is a flag
  std::string reason{};  // one line
  bool text = false;     // in a file: a text even where it looks like a number
};

// What starts one replica, and how often.
struct launch {
  std::string engine{};                // "vLLM"
  std::string documented{};            // the versions whose documentation names these arguments
  std::vector<std::string> program{};  // what stands before the arguments, the checkpoint included
  std::vector<launch_argument> arguments{};
  std::vector<launch_argument> file{};  // of the YAML file that TensorRT-LLM reads beside; empty: none
  std::string file_argument{};          // "--config": what names that file
  std::string own_address{};            // environment variable that holds this host's address; empty: none
  std::string image{}, name{};
  int port = 8000;
  int gpus = 1;  // per replica, all on one host
  int replicas = 1;
  std::int64_t kv_tokens = 0;        // tokens that the KV cache of one engine holds
  std::string gpu{};                 // "H100 SXM"
  std::string gpu_resource{};        // "nvidia.com/gpu"
  std::vector<std::string> notes{};  // what the engine does otherwise than was simulated
};

// The launch of an engine as its documentation describes the arguments: vLLM 0.27 (docs.vllm.ai, engine
// arguments), SGLang 0.5 (docs.sglang.io, server arguments), TensorRT-LLM 1.2 to 1.4
// (nvidia.github.io/TensorRT-LLM, trtllm-serve and LLM arguments). Refuses what plan_replica() refuses and
// what the engine cannot do; the error names the setting.
[[nodiscard]] result<launch> launch_of(const deployment_question& q);

// What starts a service whose prefill and decode are apart: a launch for a replica of each pool. Both tell
// their engine its role and the connector of the KV cache: NIXL (vLLM's NixlConnector, SGLang's
// --disaggregation-mode, TensorRT-LLM's cache_transceiver_config; their pages on disaggregated serving).
struct disaggregated_launch {
  launch prefill{}, decode{};
};
// The error is that of either pool, or names layouts between which the engine moves no keys and values.
[[nodiscard]] result<disaggregated_launch> launch_of(const deployment_question& prefill,
                                                     const deployment_question& decode);

// As a POSIX shell script, with the reasons above it; every value is quoted. Of both pools: one script that
// is told `prefill`, `decode` or `router`.
[[nodiscard]] std::string shell_script(const launch& l);
[[nodiscard]] std::string shell_script(const disaggregated_launch& l);
// As a Kubernetes Deployment and Service, with a ConfigMap where a file is read; all texts are double-quoted
// scalars of printable ASCII.
[[nodiscard]] std::string kubernetes_manifest(const launch& l);
// As JSON (ridge.plan.deploy/1), with both as texts.
[[nodiscard]] std::string launch_json(const launch& l);
[[nodiscard]] std::string launch_json(const disaggregated_launch& l);

// A word of a command of a Kubernetes container: "$" doubled, so that no variable is put in its place.
[[nodiscard]] std::string kubernetes_word(std::string_view text);
// A word of a POSIX shell: as it is where that is safe, else in single quotes.
[[nodiscard]] std::string shell_quoted(std::string_view text);
// A double-quoted YAML scalar: line breaks, control characters and all that is not ASCII are escaped; bytes
// that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string yaml_quoted(std::string_view text);

}  // namespace ridge::plan::serve
