// SPDX-License-Identifier: Apache-2.0
// Errors of predicted TTFT and TPOT against those measured on silicon, by path (tables, shipped
// coefficients), backend, model and GPU. "Held out": predicted with engine constants that were fitted to the
// other half of the configurations. Given bounds in percent on the medians, fails beyond them:
// plan_silicon_accuracy [TPOT TTFT].
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "silicon_model.hpp"

namespace {

using namespace ridge;
using namespace ridge::plan_test;

constexpr double longest_ttft_s = 60;  // beyond: an overloaded server

struct errors {
  std::vector<double> tpot{}, ttft{};  // predicted / measured - 1
};

double median(std::vector<double> x, bool magnitude) {
  if (x.empty()) return 0;
  if (magnitude)
    for (auto& v : x) v = std::abs(v);
  const auto middle = x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2);
  std::ranges::nth_element(x, middle);
  return *middle;
}

double mean(const std::vector<double>& x) {
  double sum = 0;
  for (const double v : x) sum += std::abs(v);
  return x.empty() ? 0 : sum / static_cast<double>(x.size());
}

void print(const std::string& label, const errors& e) {
  fmt::print("{:<58} {:>5} {:>8.1f} {:>8.1f} {:>+8.1f} {:>8.1f} {:>8.1f} {:>+8.1f}\n", label, e.tpot.size(),
             100 * median(e.tpot, true), 100 * mean(e.tpot), 100 * median(e.tpot, false),
             100 * median(e.ttft, true), 100 * mean(e.ttft), 100 * median(e.ttft, false));
}

void count(errors& sums, const silicon_row& r, const closed_loop_result& p) {
  sums.tpot.push_back(p.tpot_s / r.tpot_s - 1);
  if (r.ttft_s <= longest_ttft_s) sums.ttft.push_back(p.ttft_s / r.ttft_s - 1);
}

struct verdict {
  double tpot = 0, ttft = 0;
};

using profiles = std::vector<plan::kernels::engine_profile>;

result<profiles> half(const std::string& name) {
  std::ifstream in(std::string(RIDGE_ENGINE_HALVES) + "/engines_" + name + ".json");
  return plan::kernels::parse_engines(std::string(std::istreambuf_iterator<char>(in), {}),
                                      "engines_" + name + ".json");
}

// Constants fitted only to the configurations of the other half.
result<plan::kernels::engine_profile> of_the_other_half(const silicon_row& r, const profiles& first,
                                                        const profiles& second) {
  for (const auto& e : r.held_out() ? first : second)
    if (e.overheads.engine == r.engine) return e;
  return error{"no constants of " + r.engine, "fit them: plan_fit_engines"};
}

result<verdict> judge(const silicon_rows& rows, const std::filesystem::path& tables, bool list) {
  const auto first = half("first"), second = half("second");
  if (!first) return first.why();
  if (!second) return second.why();
  silicon_model model(tables);
  std::map<std::string, errors> by;
  errors all;
  for (const auto& r : rows.rows) {
    const auto engine = plan::kernels::engine_named(r.engine);
    if (!engine) return engine.why();
    const auto p = model.predict(r, *engine);
    if (!p) return p.why();
    if (list)
      fmt::print("{},{},{},{},{},{},{},{},{},{},{},{:.6f},{:.6f},{:.6f},{:.6f}\n", r.engine, r.version,
                 r.model, r.gpu, r.format, r.tensor, r.expert, r.input_tokens, r.output_tokens, r.clients,
                 r.source, r.ttft_s, p->ttft_s, r.tpot_s, p->tpot_s);
    count(all, r, *p);
    const auto others = of_the_other_half(r, *first, *second);
    if (!others) return others.why();
    const auto q = model.predict(r, *others);
    if (!q) return q.why();
    count(by["1 held out: constants of the other half"], r, *q);
    count(by["4 " + r.engine + ", held out"], r, *q);
    count(by["3 " + r.engine], r, *p);
    count(by["5 " + r.gpu], r, *p);
    count(by["6 " + r.model.substr(r.model.rfind('/') + 1)], r, *p);
    count(by["7 " + r.engine + " " + r.version + " " + r.model.substr(r.model.rfind('/') + 1) + " " + r.gpu +
             " " + r.format],
          r, *p);
  }
  if (list) return verdict{};
  fmt::print("\n{}\n{:<58} {:>5} {:>26} {:>26}\n",
             tables.empty() ? "Shipped coefficients" : "Measured kernel tables", "", "rows",
             "TPOT %: median mean bias", "TTFT %: median mean bias");
  print("overall: constants as shipped", all);
  for (const auto& [name, e] : by) print(name.substr(2), e);
  return verdict{100 * median(all.tpot, true), 100 * median(all.ttft, true)};
}

}  // namespace

int main(int argc, char** argv) {
  const auto rows = read_silicon(data_folder() / "serving/silicon/ttft_tpot.csv");
  if (!rows) {
    fmt::print("skipped: {}\n", rows.why().text());
    return 77;
  }
  const std::string first = argc > 1 ? argv[1] : "";
  const bool list = first == "list" || first == "list-shipped";
  if (!list)
    fmt::print(
        "{} operating points; {} of disaggregated serving left out. Errors are |predicted / measured - 1|; "
        "TTFT beyond {} s left out.\n",
        rows->rows.size(), rows->left_out, longest_ttft_s);
  bool good = true;
  for (const bool tables : {true, false}) {
    if (list && tables != (first == "list")) continue;
    const auto v = judge(*rows, tables ? data_folder() / "serving/kernels" : std::filesystem::path{}, list);
    if (!v) {
      fmt::print("{}\n", v.why().text());
      return 1;
    }
    if (argc > 2) good = good && v->tpot <= std::atof(argv[1]) && v->ttft <= std::atof(argv[2]);
  }
  return good ? 0 : 1;
}
