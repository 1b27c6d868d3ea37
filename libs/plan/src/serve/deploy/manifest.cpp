// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "serve/deploy/launches.hpp"

namespace ridge::plan::serve {
namespace {

constexpr std::string_view file_folder = "/etc/ridge", file_name = "engine.yaml";

std::string config_map(const launch& l) {
  if (l.file.empty()) return {};
  std::string lines;
  const auto yaml = yaml_file(l);
  for (std::size_t at = 0; at < yaml.size();) {
    const auto end = yaml.find('\n', at);
    lines += "    " + yaml.substr(at, end - at) + '\n';
    at = end + 1;
  }
  return fmt::format("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {}\ndata:\n  {}: |\n{}---\n",
                     l.name, file_name, lines);
}

std::string command_lines(const launch& l) {
  std::string text = "          command:\n";
  for (const auto& word : l.program)
    text += fmt::format("            - {}\n", yaml_quoted(kubernetes_word(word)));
  text += "          args:\n";
  for (const auto& a : l.arguments) {
    text += fmt::format("            - {}  # {}\n", yaml_quoted(a.name), a.reason);
    if (!a.value.empty()) text += fmt::format("            - {}\n", yaml_quoted(kubernetes_word(a.value)));
  }
  if (l.file.empty()) return text;
  return text + fmt::format("            - {}  # what has no argument of its own\n            - {}\n",
                            yaml_quoted(l.file_argument),
                            yaml_quoted(fmt::format("{}/{}", file_folder, file_name)));
}

std::string probe(std::string_view name, std::string_view reason, int failures) {
  return fmt::format(
      "          {}:  # {}\n            httpGet: {{path: /health, port: http}}\n            periodSeconds: "
      "10\n"
      "            timeoutSeconds: 5\n            failureThreshold: {}\n",
      name, reason, failures);
}

std::string container(const launch& l) {
  constexpr int tries_of_start = 180, tries_of_readiness = 3;
  auto text = fmt::format("        - name: engine\n          image: {}\n", yaml_quoted(l.image));
  text += command_lines(l);
  text +=
      "          env:\n            - name: HF_TOKEN  # for checkpoints behind a licence; the secret may be "
      "absent\n"
      "              valueFrom:\n                secretKeyRef: {name: huggingface, key: token, optional: "
      "true}\n";
  text += fmt::format("          ports:\n            - {{name: http, containerPort: {}}}\n", l.port);
  text += fmt::format(
      "          resources:\n            limits:\n              {}: {}  # all of one replica, on one node\n",
      l.gpu_resource, l.gpus);
  text += probe("startupProbe", "30 minutes to fetch and load the weights", tries_of_start);
  text += probe("readinessProbe", "requests only while it answers", tries_of_readiness);
  text += "          volumeMounts:\n            - {name: shm, mountPath: /dev/shm}\n";
  if (!l.file.empty())
    text += fmt::format("            - {{name: file, mountPath: {}, readOnly: true}}\n", file_folder);
  return text;
}

std::string volumes(const launch& l) {
  std::string text =
      "      volumes:\n        - name: shm  # ranks exchange through it; the default of 64 MiB is too small\n"
      "          emptyDir: {medium: Memory, sizeLimit: 16Gi}\n";
  if (!l.file.empty())
    text += fmt::format("        - name: file\n          configMap: {{name: {}}}\n", l.name);
  return text;
}

}  // namespace

std::string kubernetes_manifest(const launch& l) {
  auto text = fmt::format("# {}.\n", headline(l));
  for (const auto& note : l.notes) text += "# " + note + '\n';
  text += config_map(l);
  text += fmt::format(
      "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: {0}\n  labels: {{app: {0}}}\nspec:\n  "
      "replicas: {1}\n"
      "  strategy:  # no GPUs for a second copy are needed during an update\n"
      "    rollingUpdate: {{maxSurge: 0, maxUnavailable: 1}}\n"
      "  selector:\n    matchLabels: {{app: {0}}}\n  template:\n    metadata:\n      labels: {{app: {0}}}\n"
      "    spec:\n      containers:\n",
      l.name, l.replicas);
  text += container(l) + volumes(l);
  return text +
         fmt::format(
             "---\napiVersion: v1\nkind: Service\nmetadata:\n  name: {0}\n  labels: {{app: {0}}}\nspec:\n"
             "  selector: {{app: {0}}}\n  ports:\n    - {{name: http, port: {1}, targetPort: http}}\n",
             l.name, l.port);
}

}  // namespace ridge::plan::serve
