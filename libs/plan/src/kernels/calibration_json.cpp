// SPDX-License-Identifier: Apache-2.0

#include <string>
#include <vector>

#include <fmt/format.h>

#include <ridge/base/read_file.hpp>
#include <ridge/base/text.hpp>
#include <ridge/plan/kernels/calibration.hpp>

#include "overheads_json.hpp"

namespace ridge::plan::kernels {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view profile_schema = "ridge.plan.profile/1";

ordered_json error_json(const calibration_error& e) {
  return {{"ttft_median", e.ttft_median},
          {"tpot_median", e.tpot_median},
          {"latency_median", e.latency_median},
          {"requests", e.requests}};
}

void read_error(json_members& members, const char* member, calibration_error& error) {
  auto e = members.object(member);
  e.number("ttft_median", error.ttft_median, 0, 1e9);
  e.number("tpot_median", error.tpot_median, 0, 1e9);
  e.number("latency_median", error.latency_median, 0, 1e9);
  e.count("requests", error.requests);
  members.take(e);
}

}  // namespace

std::string profile_json(const calibration_profile& p) {
  const ordered_json whole{{"schema", profile_schema},
                           {"model", p.model},
                           {"gpu", p.gpu},
                           {"layout", p.layout},
                           {"weight_format", p.weight_format},
                           {"kv_format", p.kv_format},
                           {"log", p.log},
                           {"created", p.created},
                           {"overheads", overheads_json(p.overheads)},
                           {"scaling", scaling_json(p.scaling)},
                           {"before", error_json(p.before)},
                           {"after", error_json(p.after)},
                           {"holdout_before", error_json(p.holdout_before)},
                           {"holdout_after", error_json(p.holdout_after)},
                           {"simulations", p.simulations}};
  return whole.dump(2) + "\n";
}

result<calibration_profile> parse_profile(std::string_view text, std::string_view name) {
  const auto whole = parse_document(text, name, profile_schema);
  if (!whole) return whole.why();
  json_members from(*whole, std::string(name), "");
  calibration_profile p;
  from.text("model", p.model, true);
  from.text("gpu", p.gpu, true);
  from.text("layout", p.layout);
  from.text("weight_format", p.weight_format);
  from.text("kv_format", p.kv_format);
  from.text("log", p.log);
  from.text("created", p.created);
  auto overheads = from.object("overheads"), scaling = from.object("scaling");
  read_overheads(overheads, p.overheads);
  read_scaling(scaling, p.scaling);
  from.take(overheads);
  from.take(scaling);
  read_error(from, "before", p.before);
  read_error(from, "after", p.after);
  read_error(from, "holdout_before", p.holdout_before);
  read_error(from, "holdout_after", p.holdout_after);
  from.count("simulations", p.simulations);
  if (from.wrong()) return *from.wrong();
  return p;
}

std::string differences(const calibration_profile& p, const step_request& request) {
  std::vector<std::string> all;
  const auto compare = [&](std::string_view subject, const std::string& its, const std::string& asked) {
    if (!its.empty() && its != asked) all.push_back(fmt::format("{} {} instead of {}", subject, its, asked));
  };
  // Without --ep the engines of a log share nothing, and its layout holds their number.
  const auto shared = [](const std::string& layout) {
    const auto data = layout.find("DP ");
    if (data == std::string::npos || layout.find("EP ") != std::string::npos) return layout;
    const auto alone = layout.substr(0, data > 1 ? data - 2 : 0);
    return alone.empty() ? parallel_layout{}.text() : alone;
  };
  const auto own = [](const std::string& format, const std::string& of_checkpoint) {
    return format.empty() ? of_checkpoint : format;
  };
  compare("model", p.model, request.model.name);
  compare("GPU", p.gpu, request.gpu.name);
  compare("layout", shared(p.layout), shared(request.layout.text()));
  compare("engine", p.overheads.engine, request.engine.engine);
  compare("weights", own(p.weight_format, p.model == request.model.name ? request.model.weight_format : ""),
          own(request.weight_format, request.model.weight_format));
  compare("KV cache", p.kv_format, request.kv_format);
  return join(all, "; ");
}

result<calibration_profile> load_profile(const std::filesystem::path& file) {
  const auto text = read_file(file);
  if (!text) return error{text.why().message, "give a profile that `ridge plan calibrate` wrote"};
  return parse_profile(*text, file.string());
}

}  // namespace ridge::plan::kernels
