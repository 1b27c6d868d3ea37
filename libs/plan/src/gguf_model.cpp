// SPDX-License-Identifier: Apache-2.0
#include "gguf_model.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <map>

#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/plan/number_format.hpp>

#include "as_real.hpp"
#include "config_layers.hpp"
#include "figure_inputs.hpp"
#include "gguf_config.hpp"

namespace ridge::plan {
namespace {

namespace fs = std::filesystem;

enum class weight_class : std::uint8_t { attention, dense, experts, shared, plain };

// Bytes of the classes of a layer, or of what stands outside the layers.
using class_bytes = std::array<double, 5>;

struct stored_tensors {
  std::map<std::int64_t, class_bytes> layers{};
  double embedding = 0, head = 0, plain = 0, predicting = 0, all = 0;
  std::int64_t elements = 0;
  std::map<std::string, std::int64_t> formats{};
};

result<gguf_header> header_of(const fs::path& file) {
  std::error_code code;
  const auto size = fs::file_size(file, code);
  std::ifstream stream(file, std::ios::binary);
  if (code || !stream) return error{file.string() + ": cannot be read", "check the path and its permissions"};
  return read_gguf_header(stream,
                          static_cast<std::int64_t>(std::min<std::uintmax_t>(size, std::uintmax_t{1} << 60)),
                          file.string());
}

// The number of the layer in "blk.3.attn_q.weight", or -1.
std::int64_t layer_of(std::string_view name) {
  if (!name.starts_with("blk.")) return -1;
  std::int64_t layer = 0;
  std::size_t i = 4;
  for (; i < name.size() && i < 10 && name[i] >= '0' && name[i] <= '9'; ++i)
    layer = 10 * layer + (name[i] - '0');
  return i > 4 && i < name.size() && name[i] == '.' ? layer : -1;
}

weight_class class_of(std::string_view name) {
  const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  if (has("_exps.") || has("_chexps.")) return weight_class::experts;
  if (has("_shexp.")) return weight_class::shared;
  if (has("norm") || has(".ffn_gate_inp") || has("exp_probs_b")) return weight_class::plain;
  return has(".ffn_") ? weight_class::dense : weight_class::attention;
}

void add_tensor(const gguf_tensor& t, std::int64_t layers, stored_tensors& sums) {
  const double bytes = as_real(t.bytes);
  sums.all += bytes;
  const auto layer = layer_of(t.name);
  if (layer >= layers) {
    sums.predicting += bytes;
    return;
  }
  sums.elements += t.elements;
  if (t.dimensions.size() > 1) sums.formats[std::string(t.type.name)] += t.elements;
  if (layer >= 0)
    sums.layers[layer][static_cast<std::size_t>(class_of(t.name))] += bytes;
  else if (t.name.starts_with("token_embd.") || t.name.starts_with("position_embd."))
    sums.embedding += bytes;
  else
    (t.name.starts_with("output.") ? sums.head : sums.plain) += bytes;
}

// Bytes per parameter of each class. What a class of no parameters holds is returned, for it must not be
// lost.
double set_stored(const class_bytes& bytes, const parameter_counts& n, stored_bytes& stored) {
  const std::array<std::int64_t, 5> counts{n.attention, n.dense_feed_forward, n.experts, n.shared_experts,
                                           n.norms + n.router};
  const std::array<double*, 5> targets{&stored.attention, &stored.dense_feed_forward, &stored.experts,
                                       &stored.shared_experts, &stored.plain};
  double lost = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0)
      lost += bytes[i];
    else
      *targets[i] = bytes[i] / as_real(counts[i]);
  }
  return lost;
}

void set_layers(const stored_tensors& sums, model_shape& model, double& lost) {
  const auto plain = model;
  model.kinds.clear();
  model.order.clear();
  config_findings none;
  for (std::int64_t i = 0; i < plain.layers(); ++i) {
    auto layer = plain.layer(i);
    const auto at = sums.layers.find(i);
    if (at != sums.layers.end())
      lost += set_stored(at->second, count_parameters(plain, i, i + 1), layer.stored);
    add_layer(model, layer, none);
  }
}

void set_ends(const stored_tensors& sums, double lost, model_shape& model) {
  const auto n = count_parameters(model);
  const auto each = [](double bytes, std::int64_t parameters) {
    return parameters > 0 ? bytes / as_real(parameters) : 0;
  };
  model.stored = {each(sums.embedding, n.embedding), each(sums.head, n.head),
                  each(sums.plain + lost, model.final_norm_parameters + model.other_parameters)};
}

void set_formats(const stored_tensors& sums, model_shape& model) {
  for (const auto& [name, elements] : sums.formats) model.formats.push_back({name, elements});
  std::ranges::sort(model.formats, std::greater<>(), &format_share::elements);
  const auto known = std::ranges::find_if(
      model.formats, [](const format_share& f) { return number_format_named(f.format).ok(); });
  if (known != model.formats.end()) model.weight_format = known->format;
  model.other_weight_format = "bf16";
}

void doubt(const gguf_header& header, const stored_tensors& sums, model_shape& model) {
  const auto counted = as_real(count_parameters(model).total()), stored = as_real(sums.elements);
  if (std::abs(counted - stored) > 1e-3 * stored)
    model.doubts.push_back(fmt::format(
        "the metadata make {} parameters, the tensors hold {}: the weights' bytes are the tensors'",
        count_parameters(model).total(), sums.elements));
  if (sums.predicting > 0)
    model.doubts.push_back(fmt::format("{} of layers for multi-token prediction stand beside the weights",
                                       bytes_text(sums.predicting)));
  if (header.truncated) model.doubts.emplace_back("the file ends before its tensors do");
}

// "model-00001-of-00003.gguf" -> that of another number; empty where the name is another.
fs::path sibling(const fs::path& file, std::int64_t index, std::int64_t count) {
  const auto stem = file.stem().string();
  const auto end = fmt::format("-of-{:05}", count);
  constexpr std::size_t digits = 6;
  if (!stem.ends_with(end) || stem.size() < end.size() + digits) return {};
  return file.parent_path() /
         fmt::format("{}-{:05}{}.gguf", stem.substr(0, stem.size() - end.size() - digits), index + 1, end);
}

// Adds the tensors of the other files; the first has the metadata.
result<void> add_siblings(const fs::path& file, gguf_header& header) {
  const auto count = whole_of(header, "split.count");
  constexpr std::int64_t most_files = 1000;
  if (count <= 1) return {};
  if (count > most_files)
    return error{fmt::format("{}: split into {} files", file.string(), count), "fetch the file again"};
  for (std::int64_t i = 0; i < count; ++i) {
    const auto other = sibling(file, i, count);
    if (other == file) continue;
    std::error_code none;
    if (other.empty() || !fs::exists(other, none))
      return error{fmt::format("{}: one of {} files; {} is missing", file.string(), count,
                               other.empty() ? "their name" : other.string()),
                   "put all files of the model into one folder, as they were named"};
    auto more = header_of(other);
    if (!more) return more.why();
    std::ranges::move(more->tensors, std::back_inserter(header.tensors));
    header.truncated |= more->truncated;
    if (i == 0) header.metadata = std::move(more->metadata);
  }
  return {};
}

}  // namespace

bool is_gguf(const fs::path& file) {
  std::array<char, 4> start{};
  std::ifstream stream(file, std::ios::binary);
  return stream.read(start.data(), start.size()) && std::string_view(start.data(), start.size()) == "GGUF";
}

result<model_shape> read_gguf_model(const fs::path& file) {
  auto header = header_of(file);
  if (!header) return header.why();
  if (const auto fine = add_siblings(file, *header); !fine) return fine.why();
  auto model = shape_of_gguf(*header, file.stem().string(), file.string());
  if (!model) return model;
  stored_tensors sums;
  for (const auto& t : header->tensors) add_tensor(t, model->layers(), sums);
  double lost = 0;
  set_layers(sums, *model, lost);
  set_ends(sums, lost, *model);
  set_formats(sums, *model);
  doubt(*header, sums, *model);
  return model;
}

}  // namespace ridge::plan
