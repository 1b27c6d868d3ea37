// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <ridge/app/exit_code.hpp>
#include <ridge/app/results_store.hpp>
#include <ridge/report/render.hpp>

#include "commands/commands.hpp"
#include "session/run_settings.hpp"

namespace ridge::app {
namespace {

struct options {
  std::string run{};
  std::string format{"json"};
};

int export_run(const context& in, const options& o) {
  const auto opened = open_store_for_reading(in);
  if (!opened) return in.refuse(opened.why(), exit_code::unavailable);
  auto& store = **opened;
  auto id = o.run;
  if (id.empty()) {
    const auto last = store.runs({.limit = 1});
    if (last.empty())
      return in.refuse({"the store holds no run", "`ridge run` makes one"}, exit_code::unavailable);
    id = last.front().id;
  }
  const auto run = load_run(store, id);
  if (!run) return in.refuse(run.why(), exit_code::usage);
  in.print(report::render(*run, *report::named_format(o.format),
                          {.columns = in.out.columns, .color = in.out.colored}));
  return exit_code::good;
}

}  // namespace

void add_export(command& to, context& in) {
  auto o = std::make_shared<options>();
  to.add("export", "Print a stored run in any format")
      .option("RUN", o->run, "RUN", "The run's id, or the beginning or end of it (the newest run)")
      .choice("--format", o->format, formats(), "Format of the output (json)")
      .runs([&in, o] { return export_run(in, *o); });
}

}  // namespace ridge::app
