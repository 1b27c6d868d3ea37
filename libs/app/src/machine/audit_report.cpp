// SPDX-License-Identifier: Apache-2.0
#include "machine/audit_report.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/report/table.hpp>

namespace ridge::app {
namespace {

using model::severity;

constexpr std::size_t below = 9;  // under a severity's word: columns of what belongs to it

report::tone tone_of(severity of) {
  switch (of) {
    case severity::ok:
      return report::tone::good;
    case severity::warning:
      return report::tone::doubtful;
    case severity::error:
      return report::tone::bad;
    case severity::info:
    case severity::unknown:
      break;
  }
  return report::tone::dim;
}

struct place {
  bool bare_metal = false, container = false;
};

// The text wrapped at `columns` from the left, the first line without its blanks.
std::string hung(const terminal& on, std::string_view text, std::size_t columns) {
  const auto room = on.columns > columns ? on.columns - columns : on.columns;
  const auto wrapped = wrap(text, room);
  std::string out;
  for (const auto line : split(wrapped, '\n'))
    out += (out.empty() ? "" : std::string(columns, ' ')) + std::string(line) + '\n';
  return out;
}

std::string indented(const terminal& on, std::string_view text, std::size_t columns) {
  return std::string(columns, ' ') + hung(on, text, columns);
}

std::string fixes(const model::audit_check& of, place here, const terminal& on) {
  constexpr std::size_t label = 12;
  std::string out;
  const auto add = [&](bool wanted, std::string_view where, const std::string& fix) {
    if (!wanted || fix.empty()) return;
    out += std::string(below, ' ') + std::string(where) + std::string(label - where.size(), ' ') +
           hung(on, fix, below + label);
  };
  const bool alike = of.fix_bare_metal == of.fix_container && of.fix_container == of.fix_kubernetes;
  if (alike) {
    add(true, "fix", of.fix_bare_metal);
    return out;
  }
  add(here.bare_metal, here.container ? "bare metal" : "fix", of.fix_bare_metal);
  add(here.container, "container", of.fix_container);
  add(here.container, "Kubernetes", of.fix_kubernetes);
  return out;
}

std::string in_full(const model::audit_check& of, place here, const terminal& on) {
  const auto word = std::string(name(of.severity));
  auto text = paint(on, tone_of(of.severity), word) + std::string(below - word.size(), ' ');
  text += paint(on, report::tone::strong, of.id) + "  ";
  const auto used = below + of.id.size() + 2;
  text += hung(on, fmt::format("{}: {}", of.title, of.seen), used);
  const auto why = indented(on, of.why, below);
  text += paint(on, report::tone::dim, std::string_view(why).substr(0, why.size() - 1)) + '\n';
  return text + fixes(of, here, on) + '\n';
}

std::vector<const model::audit_check*> those(const model::audit& of, severity how) {
  std::vector<const model::audit_check*> found;
  for (const auto& check : of.checks) {
    if (check.severity == how) found.push_back(&check);
  }
  return found;
}

std::string in_short(const std::vector<const model::audit_check*>& checks, std::string_view heading,
                     const terminal& on) {
  if (checks.empty()) return {};
  report::table table({{""}, {""}});
  for (const auto* check : checks) table.row({{check->id}, {check->seen}});
  return fmt::format("{} ({})\n", paint(on, report::tone::strong, heading), checks.size()) +
         table.text(layout_on(on, 2)) + '\n';
}

std::string ids(const std::vector<const model::audit_check*>& checks, const terminal& on) {
  std::vector<std::string> all;
  for (const auto* check : checks) all.push_back(check->id);
  if (all.empty()) return {};
  return fmt::format("{} ({})\n", paint(on, report::tone::strong, "fine"), all.size()) +
         indented(on, join(all, ", "), 2) + '\n';
}

std::string counts(const model::audit& of) {
  const auto n = [&](severity how) { return those(of, how).size(); };
  const auto many = [](std::size_t count, std::string_view word) {
    return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
  };
  return fmt::format("{}, {}, {} worth knowing, {} fine, {} unknown", many(n(severity::error), "error"),
                     many(n(severity::warning), "warning"), n(severity::info), n(severity::ok),
                     n(severity::unknown));
}

}  // namespace

std::string audit_report(const model::audit& of, bool in_container, audit_detail how_much,
                         const terminal& on) {
  const bool everything = how_much == audit_detail::everything;
  const place here{.bare_metal = everything || !in_container, .container = everything || in_container};
  std::string text;
  const auto in_full_of = [&](severity how) {
    for (const auto* check : those(of, how)) text += in_full(*check, here, on);
  };
  in_full_of(severity::error);
  in_full_of(severity::warning);
  if (everything) {
    in_full_of(severity::info);
    in_full_of(severity::unknown);
    in_full_of(severity::ok);
  } else {
    text += in_short(those(of, severity::info), "worth knowing", on);
    text += in_short(those(of, severity::unknown), "not readable here", on);
    text += ids(those(of, severity::ok), on);
  }
  const auto more = everything ? "" : "; --all says why each matters and what can be done";
  return text + hung(on, fmt::format("{}; nothing was changed{}", counts(of), more), 0);
}

}  // namespace ridge::app
