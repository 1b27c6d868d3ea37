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

constexpr std::size_t below = 9;  // columns that text is indented below the word of a severity

report::tone tone_of(severity level) {
  switch (level) {
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

// Returns the text wrapped with an indent of `columns`; the first line has none.
std::string hung(const terminal& screen, std::string_view text, std::size_t columns) {
  const auto room = screen.columns > columns ? screen.columns - columns : screen.columns;
  const auto wrapped = wrap(text, room);
  std::string out;
  for (const auto line : split(wrapped, '\n'))
    out += (out.empty() ? "" : std::string(columns, ' ')) + std::string(line) + '\n';
  return out;
}

std::string indented(const terminal& screen, std::string_view text, std::size_t columns) {
  return std::string(columns, ' ') + hung(screen, text, columns);
}

std::string fixes(const model::audit_check& check, place here, const terminal& screen) {
  constexpr std::size_t label = 12;
  std::string out;
  const auto add = [&](bool wanted, std::string_view heading, const std::string& fix) {
    if (!wanted || fix.empty()) return;
    out += std::string(below, ' ') + std::string(heading) + std::string(label - heading.size(), ' ') +
           hung(screen, fix, below + label);
  };
  const bool alike =
      check.fix_bare_metal == check.fix_container && check.fix_container == check.fix_kubernetes;
  if (alike) {
    add(true, "fix", check.fix_bare_metal);
    return out;
  }
  add(here.bare_metal, here.container ? "bare metal" : "fix", check.fix_bare_metal);
  add(here.container, "container", check.fix_container);
  add(here.container, "Kubernetes", check.fix_kubernetes);
  return out;
}

std::string in_full(const model::audit_check& check, place here, const terminal& screen) {
  const auto word = std::string(name(check.severity));
  auto text = paint(screen, tone_of(check.severity), word) + std::string(below - word.size(), ' ');
  text += paint(screen, report::tone::strong, check.id) + "  ";
  const auto used = below + check.id.size() + 2;
  text += hung(screen, fmt::format("{}: {}", check.title, check.seen), used);
  const auto why = indented(screen, check.why, below);
  text += paint(screen, report::tone::dim, std::string_view(why).substr(0, why.size() - 1)) + '\n';
  return text + fixes(check, here, screen) + '\n';
}

std::vector<const model::audit_check*> those(const model::audit& audit, severity level) {
  std::vector<const model::audit_check*> found;
  for (const auto& check : audit.checks) {
    if (check.severity == level) found.push_back(&check);
  }
  return found;
}

std::string in_short(const std::vector<const model::audit_check*>& checks, std::string_view heading,
                     const terminal& screen) {
  if (checks.empty()) return {};
  report::table table({{""}, {""}});
  for (const auto* check : checks) table.row({{check->id}, {check->seen}});
  return fmt::format("{} ({})\n", paint(screen, report::tone::strong, heading), checks.size()) +
         table.text(layout_on(screen, 2)) + '\n';
}

std::string ids(const std::vector<const model::audit_check*>& checks, const terminal& screen) {
  std::vector<std::string> all;
  for (const auto* check : checks) all.push_back(check->id);
  if (all.empty()) return {};
  return fmt::format("{} ({})\n", paint(screen, report::tone::strong, "fine"), all.size()) +
         indented(screen, join(all, ", "), 2) + '\n';
}

std::string counts(const model::audit& audit) {
  const auto n = [&](severity level) { return those(audit, level).size(); };
  const auto many = [](std::size_t count, std::string_view word) {
    return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
  };
  return fmt::format("{}, {}, {} worth knowing, {} fine, {} unknown", many(n(severity::error), "error"),
                     many(n(severity::warning), "warning"), n(severity::info), n(severity::ok),
                     n(severity::unknown));
}

}  // namespace

std::string audit_report(const model::audit& audit, bool in_container, audit_detail how_much,
                         const terminal& screen) {
  const bool everything = how_much == audit_detail::everything;
  const place here{.bare_metal = everything || !in_container, .container = everything || in_container};
  std::string text;
  const auto in_full_of = [&](severity level) {
    for (const auto* check : those(audit, level)) text += in_full(*check, here, screen);
  };
  in_full_of(severity::error);
  in_full_of(severity::warning);
  if (everything) {
    in_full_of(severity::info);
    in_full_of(severity::unknown);
    in_full_of(severity::ok);
  } else {
    text += in_short(those(audit, severity::info), "worth knowing", screen);
    text += in_short(those(audit, severity::unknown), "not readable here", screen);
    text += ids(those(audit, severity::ok), screen);
  }
  const auto more = everything ? "" : "; --all says why each matters and what to do";
  return text + hung(screen, fmt::format("{}; nothing was changed{}", counts(audit), more), 0);
}

}  // namespace ridge::app
