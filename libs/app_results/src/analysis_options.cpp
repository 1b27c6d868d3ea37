// SPDX-License-Identifier: Apache-2.0
#include "analysis_options.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include <ridge/app/targets.hpp>
#include <ridge/base/text.hpp>

namespace ridge::app_results {
namespace {

using results::parameter;
using results::parameter_kind;

std::string help_of(const parameter& p) {
  if (p.preset.empty()) return std::string(p.help);
  return fmt::format("{} ({})", p.help, p.preset);
}

void add_parameter(app::command& command, analysis_options& o, const parameter& p) {
  const auto option = fmt::format("--{}", p.key);
  if (p.kind == parameter_kind::flag) {
    command.flag(option, o.flags[std::string(p.key)], help_of(p));
    return;
  }
  auto& value = o.texts[std::string(p.key)];
  if (p.kind == parameter_kind::choice) {
    command.choice(option, value, {p.choices.begin(), p.choices.end()}, help_of(p));
    return;
  }
  const auto name = p.placeholder.empty() ? std::string("VALUE") : std::string(p.placeholder);
  command.option(option, value, name, help_of(p));
}

bool has(const results::analysis& one, std::string_view key) {
  return std::ranges::find(one.parameters, key, &parameter::key) != one.parameters.end();
}

std::vector<std::string> names_of(const analysis_list& all) {
  std::vector<std::string> names;
  for (const auto* one : all) names.emplace_back(one->name);
  return names;
}

std::vector<std::string> given_keys(const analysis_options& o) {
  std::vector<std::string> keys;
  for (const auto& [key, text] : o.texts)
    if (!text.empty()) keys.push_back(key);
  for (const auto& [key, given] : o.flags)
    if (given) keys.push_back(key);
  return keys;
}

// What the help of --leaderboards says: the question, as a sentence without its mark.
std::string choice_help(const results::analysis& one) {
  auto text = std::string(one.question);
  if (!text.empty() && text.back() == '?') text.pop_back();
  return text;
}

}  // namespace

bool has_choice(const analysis_list& all) {
  return all.size() > 1 || all.front()->command != all.front()->name;
}

void add_options(app::command& command, analysis_options& o, const analysis_list& all) {
  if (std::ranges::any_of(all, [](const auto* one) { return has(*one, "experiment"); }))
    command.option("ID", o.target, "ID",
                   has_choice(all)
                       ? "An experiment, a chapter or a glob, or the name of one of these analyses; "
                         "everything by default"
                       : "An experiment, a chapter or a glob; everything by default");
  if (has_choice(all)) {
    command.option("--only", o.only, "NAMES", "Only these, between commas: " + join(names_of(all), ","));
    for (const auto* one : all)
      command.flag(fmt::format("--{}", one->name), o.chosen[std::string(one->name)], choice_help(*one));
  }
  std::vector<std::string_view> added;
  for (const auto* one : all) {
    for (const auto& p : one->parameters) {
      if (std::ranges::find(added, p.key) != added.end()) continue;
      added.push_back(p.key);
      add_parameter(command, o, p);
    }
  }
  command.flag("--chart", o.chart, "Also draw the charts in the terminal");
  add_document_output(command, o.output);
  add_plot_file(command, o.output);
}

void take_name_of_analysis(analysis_options& o, const analysis_list& all) {
  const auto names = names_of(all);
  if (!has_choice(all) || std::ranges::find(names, o.target) == names.end()) return;
  o.chosen[std::exchange(o.target, {})] = true;
}

result<analysis_list> chosen_of(const analysis_options& o, const analysis_list& all) {
  const auto names = names_of(all);
  auto chosen = o.chosen;
  if (!o.only.empty()) {
    for (const auto part : split(o.only, ',')) {
      const auto name = std::string(trim(part));
      if (std::ranges::find(names, name) == names.end())
        return app::unknown_name("analysis of this command", name, names, "there are " + join(names, ", "));
      chosen[name] = true;
    }
  }
  analysis_list picked;
  std::ranges::copy_if(all, std::back_inserter(picked),
                       [&](const auto* one) { return chosen[std::string(one->name)]; });
  return picked.empty() ? all : picked;
}

std::map<std::string, std::string> values_for(const analysis_options& o, const results::analysis& asked) {
  std::map<std::string, std::string> values;
  for (const auto& key : given_keys(o)) {
    if (!has(asked, key)) continue;
    const auto text = o.texts.find(key);
    values.emplace(key, text == o.texts.end() ? "true" : text->second);
  }
  return values;
}

std::string complaint_about(const analysis_options& o, const analysis_list& asked) {
  const auto experiment = o.texts.find("experiment");
  if (!o.target.empty() && experiment != o.texts.end() && !experiment->second.empty())
    return "an experiment is given twice, as argument and by --experiment";
  for (const auto& key : given_keys(o)) {
    if (std::ranges::none_of(asked, [&](const auto* one) { return has(*one, key); }))
      return fmt::format("{} take{} no --{}", join(names_of(asked), " and "), asked.size() == 1 ? "s" : "",
                         key);
  }
  return {};
}

}  // namespace ridge::app_results
