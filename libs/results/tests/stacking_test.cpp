// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>
#include <set>

#include <gmock/gmock.h>

#include <ridge/base/read_file.hpp>
#include <ridge/base/text.hpp>
#include <ridge/results/analysis.hpp>

#include "made_store.hpp"

namespace ridge::results {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using values = std::map<std::string, std::string>;

std::string text_of_file(const fs::path& path) { return read_file(path).value(); }

fs::path source() { return std::getenv("RIDGE_SOURCE_DIR"); }

// The sources of an experiment that hold the ladder of a backend.
std::string ladder_sources(const std::string& experiment, bool cuda) {
  const auto dot = experiment.find('.');
  for (const auto& chapter : fs::directory_iterator(source() / "experiments")) {
    if (!chapter.path().filename().string().starts_with(experiment.substr(0, dot) + "_")) continue;
    const auto folder = chapter.path() / experiment.substr(dot + 1);
    std::string text;
    for (const auto* file : {"experiment.cpp", "cpu.cpp", "cuda.cpp"}) {
      if (fs::exists(folder / file) && cuda == (std::string_view(file) == "cuda.cpp"))
        text += text_of_file(folder / file);
    }
    return text;
  }
  return {};
}

// A variant that is renamed must be renamed in the declarations, too.
TEST(stacking, every_declared_variant_is_one_of_its_experiment) {
  int checked = 0;
  const auto text = text_of_file(source() / "analyses/stacking/ladders.txt");
  for (const auto line : split(text, '\n')) {
    if (line.empty() || line.starts_with('#')) continue;
    const auto words = split(line, ' ');
    ASSERT_GT(words.size(), 3u) << line;
    const auto sources = ladder_sources(std::string(words[0]), words[1] == "cuda");
    EXPECT_THAT(sources, HasSubstr('"' + std::string(words[2]) + "\",")) << line;
    ++checked;
  }
  EXPECT_GT(checked, 50);
}

model::family reductions(double local_sums, double simd) {
  model::family f{.experiment = "ch08.reduce"};
  f.measurements = {made_variant("one_sum", 8e-3, model::role::baseline),
                    made_variant("local_sums", 8e-3 / local_sums),
                    made_variant("simd", 8e-3 / local_sums / simd)};
  compare(f, "one_sum", "local_sums", local_sums);
  compare(f, "local_sums", "simd", simd);
  return f;
}

std::string stacking_of(std::vector<model::family> families, const values& asked = {}) {
  made_store store;
  store.add(std::move(families));
  const auto found = answer_of("stacking", store.get(), asked);
  return found ? report::text_of(found->document, {.columns = 250}) : found.why().text();
}

TEST(stacking, what_was_seen_on_top_of_the_other_is_measured) {
  EXPECT_THAT(stacking_of({reductions(3, 2)}),
              AllOf(ContainsRegex("independent_chains +simd +measured +yes +simd gives 2.000× "),
                    ContainsRegex("simd +independent_chains +2 +1.98 +2.02 .*local_sums -> simd")));
  EXPECT_THAT(stacking_of({reductions(3, 0.5)}),
              ContainsRegex("independent_chains +simd +measured +no +simd"));
  EXPECT_THAT(stacking_of({reductions(3, 1)}),
              ContainsRegex("independent_chains +simd +measured +no gain was seen"));
}

TEST(stacking, results_that_disagree_say_so) {
  auto small = reductions(3, 0.5);
  small.problem = {{"n", std::int64_t{10}}};
  EXPECT_THAT(stacking_of({reductions(3, 2), small}),
              ContainsRegex("independent_chains +simd +measured +depends .*1 of 2 results gain"));
}

// Variants that were not compared in pairs have the interval that their own intervals allow.
TEST(stacking, what_was_not_compared_in_pairs_has_a_wider_interval) {
  auto family = reductions(3, 2);
  family.comparisons.clear();
  EXPECT_THAT(stacking_of({family}), ContainsRegex("simd +independent_chains +2 +1.96 +2.04 "));
  auto apart = reductions(3, 1.015);
  apart.comparisons.clear();
  EXPECT_THAT(stacking_of({apart}), ContainsRegex("independent_chains +simd +measured +no gain was seen"));
}

TEST(stacking, an_invalid_comparison_is_no_evidence) {
  auto family = reductions(3, 2);
  family.comparisons[1].verdict = model::verdict::invalid;
  EXPECT_THAT(stacking_of({family}), ContainsRegex("independent_chains +simd +unknown +unknown"));
}

TEST(stacking, declared_preconditions_decide_where_nothing_was_measured) {
  model::family f{.experiment = "ch06.bank_conflicts", .backend = model::backend::cuda};
  f.measurements = {made_variant("strided", 1e-3, model::role::baseline)};
  const auto text = stacking_of({f});
  EXPECT_THAT(text, ContainsRegex("padding +swizzling +derived +no +padding breaks dense_rows of swizzling"));
  EXPECT_THAT(text, ContainsRegex("padding +vector_accesses +unknown +unknown"));
  EXPECT_THAT(stacking_of({f}, {{"basis", "derived"}}), Not(HasSubstr("unknown +unknown")));
  EXPECT_THAT(
      stacking_of({f}, {{"technique", "vector_accesses"}}),
      ContainsRegex("coalescing +vector_accesses +derived +yes +vector_accesses needs neighbouring_words"));
}

TEST(stacking, a_technique_that_nobody_declared_is_refused) {
  EXPECT_THAT(stacking_of({reductions(3, 2)}, {{"technique", "sim"}}), HasSubstr("did you mean simd?"));
}

}  // namespace
}  // namespace ridge::results
