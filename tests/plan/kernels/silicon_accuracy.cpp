// SPDX-License-Identifier: Apache-2.0
// Errors of predicted TTFT and TPOT against those measured on silicon, as `ridge plan serve` answers: with
// what ships, and as if the model or the GPU of a row had never been measured; by backend, model and GPU.
// plan_silicon_accuracy [TPOT TTFT]   with bounds in percent on the medians of what was left out: fails
//                                     beyond
// plan_silicon_accuracy list WAY      every row with its prediction, as CSV; WAY: shipped, without-model,
//                                     without-gpu, tables
// plan_silicon_accuracy kernels FILE  the rows of one GPU as shipped, and with its kernels as `ridge plan
//                                     measure` kept them (--kernels FILE)
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ridge/hardware/hardware_catalogue.hpp>
#include <ridge/plan/accelerator.hpp>
#include <ridge/plan/kernels/kernel_measurements.hpp>

#include "engine_fit.hpp"
#include "left_out.hpp"
#include "silicon_model.hpp"

namespace {

using namespace ridge;
using namespace ridge::plan_test;

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

void count(errors& sums, const silicon_row& r, const served_means& p) {
  sums.tpot.push_back(p.tpot_s / r.tpot_s - 1);
  if (r.ttft_s <= longest_ttft_s) sums.ttft.push_back(p.ttft_s / r.ttft_s - 1);
}

struct verdict {
  double tpot = 0, ttft = 0;
};

void list_row(const silicon_row& r, const served_means& p) {
  fmt::print("{},{},{},{},{},{},{},{},{},{},{},{:.6f},{:.6f},{:.6f},{:.6f}\n", r.engine, r.version, r.model,
             r.gpu, r.format, r.tensor, r.expert, r.input_tokens, r.output_tokens, r.clients, r.source,
             r.ttft_s, p.ttft_s, r.tpot_s, p.tpot_s);
}

// The errors of one way to predict, over all rows and by what they share.
using predictor = std::function<result<served_means>(const silicon_row&)>;
result<verdict> judge(const std::string& title, const silicon_rows& rows, const predictor& predict,
                      bool list) {
  std::map<std::string, errors> by;
  errors all;
  for (const auto& r : rows.rows) {
    const auto p = predict(r);
    if (!p) return p.why();
    if (list) list_row(r, *p);
    count(all, r, *p);
    const auto model = r.model.substr(r.model.rfind('/') + 1);
    count(by["1 " + r.engine], r, *p);
    count(by["2 " + r.gpu], r, *p);
    count(by["3 " + model], r, *p);
    count(by["4 " + r.engine + " " + r.version + " " + model + " " + r.gpu + " " + r.format], r, *p);
  }
  const verdict made{100 * median(all.tpot, true), 100 * median(all.ttft, true)};
  if (list) return made;
  fmt::print("\n{}\n{:<58} {:>5} {:>26} {:>26}\n", title, "", "rows", "TPOT %: median mean bias",
             "TTFT %: median mean bias");
  print("all", all);
  for (const auto& [name, e] : by) print(name.substr(2), e);
  return made;
}

struct way {
  std::string name{}, title{};
  predictor predict{};
};

// Every way a row is predicted, by the names of the command line.
std::vector<way> ways(silicon_model& shipped, silicon_model& tables, left_out_model& model,
                      left_out_model& gpu) {
  return {{"shipped", "As shipped: the constants have seen these rows",
           [&](const auto& r) { return shipped.predict(r); }},
          {"without-model", "Constants fitted without any row of the model",
           [&](const auto& r) { return model.predict(r); }},
          {"without-gpu", "Constants fitted without any row of the GPU, its coefficients borrowed",
           [&](const auto& r) { return gpu.predict(r); }},
          {"tables", "Measured kernel tables (--tables), constants as shipped",
           [&](const auto& r) { return tables.predict(r); }}};
}

// The rows of the GPU whose kernels a file holds.
silicon_rows rows_of(const std::string& gpu, const silicon_rows& all) {
  silicon_rows some;
  for (const auto& r : all.rows)
    if (const auto found = plan::accelerator_named(hardware::catalogue::embedded(), r.gpu);
        found && found->name == gpu)
      some.rows.push_back(r);
  return some;
}

// Errors with the shipped coefficients and with those of a file, on the same rows.
int judge_kernels(const std::string& file, const silicon_rows& all) {
  const auto measured = plan::kernels::load_measurements(file);
  if (!measured) return fmt::print("{}\n", measured.why().text()), 1;
  const auto coefficients = plan::kernels::with_measured(plan::kernels::embedded_efficiencies(), *measured);
  auto every = coefficients;
  for (const auto& curve : measured->curves)
    if (!plan::kernels::answers_use(curve)) every.entries.insert(every.entries.begin(), curve);
  silicon_model shipped{{}}, with_file({}, &coefficients), with_every({}, &every);
  const auto rows = rows_of(measured->gpu, all);
  fmt::print("{} operating points of {}; errors are |predicted / measured - 1|\n", rows.rows.size(),
             measured->gpu);
  for (auto& [title, model] :
       {std::pair{"As shipped", &shipped}, std::pair{"With --kernels", &with_file},
        std::pair{"With the measured curves that answers leave out, too", &with_every}}) {
    const auto v = judge(
        title, rows, [&](const auto& r) { return model->predict(r); }, false);
    if (!v) return fmt::print("{}\n", v.why().text()), 1;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const auto rows = read_silicon(data_folder() / "serving/silicon/ttft_tpot.csv");
  if (!rows) {
    fmt::print("skipped: {}\n", rows.why().text());
    return 77;
  }
  if (argc > 2 && std::string_view(argv[1]) == "kernels") return judge_kernels(argv[2], *rows);
  auto constants = left_out_constants();
  if (!constants) {
    fmt::print("{}\n", constants.why().text());
    return 1;
  }
  silicon_model shipped{{}}, tables{data_folder() / "serving/kernels"};
  left_out_model model(*constants, left_out::model), gpu(*constants, left_out::gpu);
  const std::string first = argc > 1 ? argv[1] : "";
  const bool list = first == "list";
  if (!list)
    fmt::print(
        "{} operating points; {} of disaggregated serving left out. Errors are |predicted / measured - 1|; "
        "TTFT beyond {} s left out. Each is what `ridge plan serve` answers.\n",
        rows->rows.size(), rows->left_out, longest_ttft_s);
  std::map<std::string, verdict> all;
  for (const auto& w : ways(shipped, tables, model, gpu)) {
    if (list && (argc < 3 || w.name != argv[2])) continue;
    const auto v = judge(w.title, *rows, w.predict, list);
    if (!v) {
      fmt::print("{}\n", v.why().text());
      return 1;
    }
    all[w.name] = *v;
  }
  if (list || argc < 3) return 0;
  const double tpot = std::atof(argv[1]), ttft = std::atof(argv[2]);
  const auto within = [&](const verdict& v) { return v.tpot <= tpot && v.ttft <= ttft; };
  return within(all["without-model"]) && within(all["without-gpu"]) ? 0 : 1;
}
