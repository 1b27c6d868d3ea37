// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <fmt/format.h>

#include "serve/deploy/launches.hpp"

namespace ridge::plan::serve {
namespace {

// vLLM's connector reads a block that one rank wrote by as many ranks as divide it, or the other way round.
std::optional<error> layouts_wrong(const deployment_question& prefill, const deployment_question& decode) {
  const auto p = prefill.replica.layout.tensor, d = decode.replica.layout.tensor;
  if (prefill.replica.engine != "vllm" || p % d == 0 || d % p == 0) return {};
  return cannot("vLLM", fmt::format("prefill with TP {} and decode with TP {}", p, d),
                "give tensor parallelism of which one divides the other");
}

// The script that answers `router`: for every host of both pools an address of its engine.
std::string router_of(const launch& prefill, const launch& decode) {
  const auto hosts = [](std::string_view variable, std::string_view words) {
    return fmt::format("  for host in ${}; do {}; done\n", variable, words);
  };
  const auto addresses = [&](std::string_view after_prefill) {
    return "  set --\n" +
           hosts("PREFILL_HOSTS",
                 fmt::format("set -- \"$@\" --prefill \"http://$host:{}\"{}", prefill.port, after_prefill)) +
           hosts("DECODE_HOSTS", fmt::format("set -- \"$@\" --decode \"http://$host:{}\"", decode.port));
  };
  if (prefill.engine == "vLLM")
    return addresses("") + fmt::format(
                               "  exec vllm-router --vllm-pd-disaggregation --kv-connector nixl "
                               "--host 0.0.0.0 --port {} \"$@\"\n",
                               router_port);
  if (prefill.engine == "SGLang")
    return addresses(fmt::format(" {}", sglang_bootstrap_port)) +
           fmt::format(
               "  exec python3 -m sglang_router.launch_router --pd-disaggregation --host 0.0.0.0 "
               "--port {} \"$@\"\n",
               router_port);
  const auto servers = [&](std::string_view key, std::string_view variable, int port) {
    return fmt::format(
        "    echo \"{0}:\"; set -- ${1}; echo \"  num_instances: $#\"; echo \"  urls:\"\n"
        "    for host in ${1}; do echo \"    - \\\"$host:{2}\\\"\"; done\n",
        key, variable, port);
  };
  return fmt::format("  {{ echo \"hostname: 0.0.0.0\"; echo \"port: {}\"; echo \"backend: pytorch\"\n",
                     router_port) +
         servers("context_servers", "PREFILL_HOSTS", prefill.port) +
         servers("generation_servers", "DECODE_HOSTS", decode.port) +
         "  } > router.yaml\n  exec trtllm-serve disaggregated -c router.yaml\n";
}

}  // namespace

result<disaggregated_launch> launch_of(const deployment_question& prefill,
                                       const deployment_question& decode) {
  if (auto wrong = layouts_wrong(prefill, decode)) return *wrong;
  const auto with_role = [](deployment_question q, engine_role role) {
    q.replica.settings.role = role;
    return launch_of(q);
  };
  auto p = with_role(prefill, engine_role::prefill), d = with_role(decode, engine_role::decode);
  if (!p) return p.why();
  if (!d) return d.why();
  p->name += "-prefill", d->name += "-decode";
  return disaggregated_launch{std::move(*p), std::move(*d)};
}

std::string shell_script(const disaggregated_launch& l) {
  const auto branch = [](std::string_view role, const launch& one) {
    return fmt::format("{})  # {} replica{}, each started by this on a host\n{}  ;;\n", role, one.replicas,
                       one.replicas == 1 ? "" : "s", script_body(one));
  };
  auto text = fmt::format(
      "#!/bin/sh\n# Prefill and decode apart: `sh FILE prefill` and `sh FILE decode` start a replica of each "
      "pool,\n# `sh FILE router` what clients reach, on port {}, with PREFILL_HOSTS and DECODE_HOSTS.\nset "
      "-eu\ncase \"${{1:-}}\" in\n",
      router_port);
  text += branch("prefill", l.prefill) + branch("decode", l.decode);
  text +=
      "router)\n  : \"${PREFILL_HOSTS:?names of the hosts that prefill, between blanks}\" "
      "\"${DECODE_HOSTS:?names of the hosts that decode, between blanks}\"\n";
  text += router_of(l.prefill, l.decode);
  return text + "  ;;\n*)\n  echo \"usage: sh $0 prefill|decode|router\" >&2\n  exit 64\n  ;;\nesac\n";
}

}  // namespace ridge::plan::serve
