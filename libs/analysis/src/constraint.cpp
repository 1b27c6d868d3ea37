// SPDX-License-Identifier: Apache-2.0
#include <ridge/analysis/constraint.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

namespace ridge::analysis {
namespace {

constexpr std::array<quantity, 10> known{{
    {"vram", "B", "GiB", true, "memory of one GPU"},
    {"latency", "s", "ms", true, "time of one call or request"},
    {"ttft", "s", "ms", true, "time to the first token"},
    {"tpot", "s", "ms", true, "time per token after the first"},
    {"throughput", "items/s", "", false, "tokens or items per second"},
    {"cost", "USD", "", true, "US dollars per million tokens"},
    {"power", "W", "W", true, "power of all GPUs"},
    {"energy", "J", "J", true, "energy per token or call"},
    {"gpus", "", "", true, "number of GPUs"},
    {"quality", "1", "", false, "change against full precision, as a share"},
}};

struct named_factor {
  std::string_view name;
  double factor;
};

constexpr std::array<named_factor, 27> factors{{
    {"", 1},
    {"KiB", 1024.0},
    {"MiB", 1048576.0},
    {"GiB", 1073741824.0},
    {"TiB", 1099511627776.0},
    {"B", 1},
    {"KB", 1e3},
    {"kB", 1e3},
    {"MB", 1e6},
    {"GB", 1e9},
    {"TB", 1e12},
    {"ns", 1e-9},
    {"us", 1e-6},
    {"µs", 1e-6},
    {"ms", 1e-3},
    {"s", 1},
    {"min", 60},
    {"h", 3600},
    {"W", 1},
    {"kW", 1e3},
    {"MW", 1e6},
    {"J", 1},
    {"mJ", 1e-3},
    {"%", 0.01},
    {"/s", 1},
    {"tok/s", 1},
    {"/Mtok", 1},
}};

std::optional<double> factor_of(std::string_view unit) {
  if (unit.starts_with('$')) unit.remove_prefix(1);
  for (const auto& f : factors) {
    if (f.name == unit) return f.factor;
  }
  return {};
}

// Whether a quantity may have this unit: "ms" is not a unit of memory.
bool fits(const quantity& q, std::string_view unit) {
  if (unit.empty()) return true;
  if (q.unit == "B") return unit.ends_with('B');
  if (q.unit == "s") return unit.ends_with('s') || unit == "min" || unit == "h";
  if (q.unit == "W" || q.unit == "J") return unit.ends_with(q.unit);
  if (q.unit == "1") return unit == "%";
  if (q.name == "cost") return unit == "/Mtok" || unit.starts_with('$');
  return unit.starts_with('/') || unit.starts_with("tok");
}

std::string known_names() {
  std::string all;
  for (const auto& q : known) all += (all.empty() ? "" : ", ") + std::string(q.name);
  return all;
}

struct parts {
  std::string_view subject, value;
  bool at_most = true;
};

std::optional<parts> cut(std::string_view text) {
  const auto at = text.find_first_of("<>");
  if (at == std::string_view::npos) return {};
  const bool equal = at + 1 < text.size() && text[at + 1] == '=';
  return parts{.subject = trim(text.substr(0, at)),
               .value = trim(text.substr(at + (equal ? 2 : 1))),
               .at_most = text[at] == '<'};
}

bool is_quantile(std::string_view word) {
  return word.size() >= 2 && word.front() == 'p' &&
         word.find_first_not_of("0123456789.", 1) == std::string_view::npos;
}

result<constraint> with_subject(std::string_view subject, const error& otherwise) {
  constraint c;
  for (const char separator : {':', ' ', '.'}) {
    const auto at = subject.find(separator);
    if (at == std::string_view::npos) continue;
    c.quantile = trim(subject.substr(at + 1));
    subject = trim(subject.substr(0, at));
    if (!is_quantile(c.quantile))
      return error{fmt::format("\"{}\" is not a quantile", c.quantile), "write p50, p95, p99"};
    break;
  }
  if (quantity_named(subject) == nullptr) return otherwise;
  c.quantity = subject;
  return c;
}

}  // namespace

std::span<const quantity> quantities() { return known; }

const quantity* quantity_named(std::string_view name) {
  for (const auto& q : known) {
    if (q.name == name) return &q;
  }
  return nullptr;
}

std::string constraint::key() const { return quantile.empty() ? quantity : quantity + '.' + quantile; }

double constraint::excess(double value) const {
  const double scale = limit == 0 ? 1 : std::fabs(limit);
  return (at_most ? value - limit : limit - value) / scale;
}

result<constraint> parse_constraint(std::string_view text) {
  const auto p = cut(text);
  if (!p)
    return error{fmt::format("\"{}\" has no < or >", text),
                 "write a limit such as \"vram<24GiB\" or \"ttft p95<500ms\""};
  auto c = with_subject(p->subject, {fmt::format("\"{}\" is nothing that can be limited", p->subject),
                                     "one of " + known_names()});
  if (!c) return c;
  const auto& q = *quantity_named(c->quantity);
  auto value = p->value;
  if (value.starts_with('$')) value.remove_prefix(1);
  const auto [end, why] = std::from_chars(value.data(), value.data() + value.size(), c->limit);
  const auto unit = trim(value.substr(static_cast<std::size_t>(end - value.data())));
  const auto factor = factor_of(unit.empty() ? q.default_unit : unit);
  if (why != std::errc{} || !factor || !fits(q, unit))
    return error{fmt::format("\"{}\" is not a value of {}", p->value, q.name),
                 q.default_unit.empty()
                     ? "write a number"
                     : fmt::format("write a number with its unit, such as 24{}", q.default_unit)};
  c->limit *= *factor;
  if (!std::isfinite(c->limit) || c->limit > 1e18 || (q.unit != "1" && !(c->limit > 0)))
    return error{
        fmt::format("\"{}\" is no limit of {}: {} is above 0 and finite", p->value, q.name, q.description),
        "give a number that can be met"};
  c->at_most = p->at_most;
  c->text = text;
  return c;
}

}  // namespace ridge::analysis
