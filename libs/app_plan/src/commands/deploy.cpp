// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <utility>

#include <fmt/format.h>

#include <ridge/app/exit_code.hpp>
#include <ridge/app/output_file.hpp>
#include <ridge/plan/serve/deployment.hpp>

#include "commands/plan_commands.hpp"
#include "input/plan_serve_answer.hpp"
#include "input/plan_serve_options.hpp"
#include "input/plan_serve_pools.hpp"

namespace ridge::app_plan {
namespace {

using namespace plan::serve;

struct deploy_options {
  service_choice service = nothing_chosen();
  std::string answer{}, checkpoint{}, draft_method{}, draft_checkpoint{}, image{}, name{};
  std::int64_t longest_request = 0;
  int port = 8000;
  std::string format{"command"}, output{};
  bool json = false;
};

// What is simulated, and is no setting of an engine.
result<void> check_started(const service_choice& c) {
  const auto started = [](bool given, std::string_view option, std::string_view remedy) -> result<void> {
    if (!given) return {};
    return error{fmt::format("{} is simulated, and nothing here starts it", option), std::string(remedy)};
  };
  for (const auto& [given, option, remedy] :
       {std::tuple(!c.pools.empty(), "--pool", "deploy each GPU's replicas by itself"),
        std::tuple(!c.autoscale.empty(), "--autoscale",
                   "add a HorizontalPodAutoscaler, and leave it out here"),
        std::tuple(!c.failures.empty(), "--failures", "leave it out"),
        std::tuple(!c.admission.empty(), "--token-bucket", "limit requests in front of the service"),
        std::tuple(!c.reject_ttft.empty(), "--reject-ttft", "limit requests in front of the service")}) {
    if (auto good = started(given, option, remedy); !good) return good;
  }
  return {};
}

result<service_choice> choice_of(const deploy_options& o) {
  constexpr int usual_block = 16;
  auto choice = o.service;
  if (const auto good = complete(choice, o.answer); !good) return good.why();
  if (const auto good = check_started(choice); !good) return good.why();
  if (choice.block_size == 0) choice.block_size = usual_block;
  choice.profile.clear(), choice.tables.clear(), choice.calibration.clear();  // step times do not matter
  return choice;
}

// A file tells the layers of a model and not where its weights are.
result<void> check_checkpoint(const deploy_options& o, const service_choice& choice) {
  const bool file = !choice.model.config.empty() || choice.model.name.ends_with(".gguf");
  if (!file || !o.checkpoint.empty()) return {};
  return error{fmt::format("{}: a file, which is no name that an engine could load",
                           choice.model.config.empty() ? choice.model.name : choice.model.config),
               "give --checkpoint with the model's name on its hub, or the folder of its weights"};
}

result<deployment_question> question_of(const deploy_options& o, const service_choice& choice) {
  if (const auto good = check_checkpoint(o, choice); !good) return good.why();
  auto replica = replica_of(choice);
  if (!replica) return replica.why();
  return deployment_question{.replica = std::move(*replica),
                             .checkpoint = o.checkpoint,
                             .replicas = choice.replicas,
                             .draft_method = o.draft_method,
                             .draft_checkpoint = o.draft_checkpoint,
                             .longest_request = o.longest_request,
                             .port = o.port,
                             .image = o.image,
                             .name = o.name};
}

// Both pools of a service whose prefill and decode are apart.
result<std::string> text_of_pools(const deploy_options& o, const service_choice& choice,
                                  const std::string& format) {
  if (format == "kubernetes")
    return error{"--format kubernetes with prefill and decode apart",
                 "give --format command or json; the manifests of Dynamo and llm-d deploy such services"};
  const auto both = pools_of(choice);
  if (!both) return both.why();
  const auto prefill = question_of(o, both->prefill), decode = question_of(o, both->decode);
  if (!prefill) return prefill.why();
  if (!decode) return decode.why();
  const auto made = launch_of(*prefill, *decode);
  if (!made) return made.why();
  return format == "json" ? launch_json(*made) : shell_script(*made);
}

result<std::string> text_of(const deploy_options& o, const service_choice& choice,
                            const std::string& format) {
  if (is_disaggregated(choice)) return text_of_pools(o, choice, format);
  const auto question = question_of(o, choice);
  if (!question) return question.why();
  const auto made = launch_of(*question);
  if (!made) return made.why();
  return format == "kubernetes" ? kubernetes_manifest(*made)
         : format == "json"     ? launch_json(*made)
                                : shell_script(*made);
}

int deploy(const app::context& context, const deploy_options& o) {
  const auto choice = choice_of(o);
  if (!choice) return context.refuse(choice.why(), app::exit_code::usage);
  const auto made = text_of(o, *choice, o.json ? "json" : o.format);
  if (!made)
    return context.refuse(made.why(),
                          lacks_memory(*choice) ? app::exit_code::does_not_fit : app::exit_code::usage);
  const auto& text = *made;
  if (o.output.empty()) {
    context.print(text);
    return app::exit_code::good;
  }
  app::output_file file(o.output);
  file.write(text);
  file.finish();
  context.tell("wrote " + o.output + '\n');
  return app::exit_code::good;
}

}  // namespace

void add_plan_deploy(app::command& command, app::context& context) {
  auto& verb =
      command.add("deploy", "Write what starts a service: the command line of its engine, or Kubernetes");
  auto o = std::make_shared<deploy_options>();
  verb.choice("--format", o->format, {"command", "kubernetes", "json"},
              "A shell script, a Deployment with its Service, or both as JSON (command)")
      .flag("--json", o->json, "The same as --format json")
      .option("--output", o->output, "FILE", "Write to this file instead of standard output")
      .option("--from", o->answer, "FILE",
              "The answer of `ridge plan serve --json`; options that are given too take precedence")
      .option("--checkpoint", o->checkpoint, "NAME",
              "Name or folder that the engine loads (the model's name; a model given as a file needs it)")
      .option("--longest-request", o->longest_request, "TOKENS",
              "Tokens of the longest request (the model's context, or what the KV cache holds)")
      .choice("--draft-method", o->draft_method, {"mtp", "eagle3", "draft", "ngram"},
              "What drafts the tokens of --speculative (mtp where the model has such layers)")
      .option("--draft-checkpoint", o->draft_checkpoint, "NAME", "Checkpoint of eagle3 and draft")
      .option("--port", o->port, "PORT", "Port of the service (8000)")
      .option("--image", o->image, "IMAGE", "Container image (the engine's documented version)")
      .option("--name", o->name, "NAME", "Name of the Kubernetes objects (made of the checkpoint's)");
  add_service_choice(verb, o->service);
  verb.notes(
          "Each argument has its reason beside it. What does not fit, and what the engine cannot do, is "
          "refused. "
          "Every value is quoted. docs/design/plan/serving.md says which versions of the engines the "
          "arguments are of.")
      .runs([&context, o] { return deploy(context, *o); });
}

}  // namespace ridge::app_plan
