// SPDX-License-Identifier: Apache-2.0
#include "stored/named_run.hpp"

#include <algorithm>
#include <filesystem>

#include <ridge/app/exit_code.hpp>
#include <ridge/app/results_store.hpp>
#include <ridge/app/run_file.hpp>
#include <ridge/app/targets.hpp>
#include <ridge/base/text.hpp>

namespace ridge::app {
namespace {

constexpr const char* letters_of_ids = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

bool names_experiment(const std::string& word, const std::string& id) {
  const auto wanted = normal_target(word);
  const auto name = id.substr(std::min(id.size(), id.find('.') + 1));
  return glob_matches(wanted, id) || glob_matches(wanted, name);
}

}  // namespace

bool names_a_file(const std::string& word) {
  std::error_code ignored;
  return word.ends_with(".json") || word.find('/') != std::string::npos ||
         std::filesystem::is_regular_file(word, ignored);
}

bool names_a_run(const std::string& word) {
  constexpr std::size_t shortest = 4;  // part of an id that is not taken for a name
  const bool of_an_id =
      word.size() >= shortest && word.find_first_not_of(letters_of_ids) == std::string::npos;
  return word == "last" || names_a_file(word) || of_an_id;
}

result<model::run> run_named(const context& program, const std::string& word) {
  if (names_a_file(word)) return run_of_file(word);
  const auto opened = open_store_for_reading(program);
  if (!opened) return opened.why();
  if (word != "last") return load_run(**opened, word);
  const auto newest = (*opened)->runs({.limit = 1});
  if (newest.empty()) return error{"the store holds no run", "`ridge run` stores one"};
  return load_run(**opened, newest.front().id);
}

int code_of_no_run(const context& program, const std::string& word) {
  if (names_a_file(word)) return exit_code::file;
  const auto opened = open_store_for_reading(program);
  const bool nothing_stored = !opened || (*opened)->runs({.limit = 1}).empty();
  return nothing_stored ? exit_code::unavailable : exit_code::usage;
}

result<void> keep_experiments(model::run& run, const std::vector<std::string>& words) {
  std::vector<std::string> known;
  for (const auto& f : run.families) {
    if (std::ranges::find(known, f.experiment) == known.end()) known.push_back(f.experiment);
  }
  for (const auto& word : words) {
    const bool any = std::ranges::any_of(known, [&](const auto& id) { return names_experiment(word, id); });
    if (!any) return unknown_name("experiment of this run", word, known, "it holds " + join(known, ", "));
  }
  if (words.empty()) return {};
  std::erase_if(run.families, [&](const auto& f) {
    return std::ranges::none_of(words,
                                [&](const auto& word) { return names_experiment(word, f.experiment); });
  });
  return {};
}

}  // namespace ridge::app
