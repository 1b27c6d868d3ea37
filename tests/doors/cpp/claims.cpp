// SPDX-License-Identifier: Apache-2.0
// What <ridge/bench.hpp> promises, one claim a line; exits with the number of the first that does not hold.
#include <ridge/bench.hpp>

#include <stdexcept>
#include <vector>

namespace {

int failed = 0;

void claim(int number, bool holds) {
  if (holds || failed != 0) return;
  failed = number;
  std::printf("claim %d does not hold\n", number);
}

double sum_of(const std::vector<double>& x, std::size_t count) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += x[i];
  return sum;
}

void compares() {
  const std::vector<double> x(5000, 1.0);
  const auto all = [&] { return sum_of(x, 5000); };
  const auto most = [&] { return sum_of(x, 4000); };
  const auto faster = ridge::compare("all", all, "most", most, {.budget_s = 2, .print = false});
  claim(1, faster.better() && faster.ratio() > 1.1 && faster.ratio() < 1.5);
  claim(2, faster.ratio_low() <= faster.ratio() && faster.ratio() <= faster.ratio_high());
  claim(3, faster.assurance() == 0);
  const auto slower = ridge::compare("most", most, "all", all, {.budget_s = 2, .print = false});
  claim(4, slower.worse());
  const auto same = ridge::compare("all", all, "again", all, {.budget_s = 2, .print = false});
  claim(5, !same.better() && !same.worse() && same.rounds() >= 6);
  claim(6, same.json().find("ridge.run/1") != std::string::npos);
}

void checks() {
  std::uint64_t keys = 0;
  int looked = 0, value = 0;
  const auto right = [&] { value = 1; };
  const auto wrong = [&] { value = 2; };
  const ridge::compare_options options{.check = [&] { return ++looked, value == 1; },
                                       .prepare = [&](std::uint64_t) { ++keys; },
                                       .budget_s = 0.2,
                                       .seed = 1,
                                       .print = false};
  const auto good = ridge::compare("a", right, "b", right, options);
  claim(11, good.assurance() == 1 && looked >= 4 && keys > 6);
  const auto bad = ridge::compare("a", right, "b", wrong, options);
  claim(12, bad.invalid() && !bad.better() && bad.summary().find("wrong output of b") != std::string::npos);
}

void throws() {
  int calls = 0;
  const auto throwing = [&] {
    if (++calls > 100) throw std::out_of_range("the hundredth call");
  };
  try {
    static_cast<void>(ridge::compare("a", throwing, "b", throwing, {.print = false}));
    claim(21, false);
  } catch (const std::out_of_range& why) {
    claim(22, std::string(why.what()) == "the hundredth call");
  }
  try {
    static_cast<void>(ridge::compare("a", throwing, "a", throwing, {.print = false}));
    claim(23, false);
  } catch (const ridge::compare_failed& why) {
    claim(24, std::string(why.what()).find("same name") != std::string::npos);
  }
}

}  // namespace

int main() {
  compares();
  checks();
  throws();
  return failed;
}
