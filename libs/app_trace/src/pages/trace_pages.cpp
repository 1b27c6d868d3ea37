// SPDX-License-Identifier: Apache-2.0
#include "pages/trace_pages.hpp"

#include <chrono>

#include <ridge/app/exit_code.hpp>

namespace ridge::app_trace {

int print_documents(const app::context& context, const trace_input& input,
                    const std::vector<report::document>& all) {
  if (input.json) {
    context.print(all.size() == 1 ? json_of(all.front()) : json_of(all.front().schema, "traces", all));
    return app::exit_code::good;
  }
  if (input.csv || !input.table.empty()) {
    const auto table = csv_table_of(all, input.table);
    if (!table) return context.refuse(table.why(), app::exit_code::usage);
    context.print(*table);
    return app::exit_code::good;
  }
  auto layout = layout_on(context.out);
  layout.columns = context.out.table_columns;
  std::string text;
  for (const auto& d : all) {
    if (!text.empty()) text += '\n';
    text += text_of(d, layout);
  }
  context.print(text);
  return app::exit_code::good;
}

result<trace_report::view> view_of(const trace_input& input, std::size_t rows) {
  auto names = communication_names_of(input);
  if (!names) return names.why();
  return trace_report::view{
      .names = std::move(*names), .steps = input.steps, .rows = rows, .full_names = input.full_names};
}

int show_pages(const app::context& context, const trace_input& input, std::size_t rows,
               const std::function<result<report::document>(const trace_report::scope&)>& page) {
  const auto view = view_of(input, rows);
  if (!view) return context.refuse(view.why(), app::exit_code::usage);
  const auto before = std::chrono::steady_clock::now();
  const auto traces = open_traces(context, input);
  if (!traces) return context.refuse(traces.why(), app::exit_code::unavailable);
  const std::chrono::duration<double, std::milli> opened = std::chrono::steady_clock::now() - before;
  std::vector<report::document> all;
  for (const auto& t : *traces) {
    const auto scope = trace_report::scope_of(t, *view);
    if (!scope) return context.refuse(scope.why(), app::exit_code::usage);
    auto made = page(*scope);
    if (!made) return context.refuse(made.why(), app::exit_code::usage);
    made->facts.emplace_back("opened_in_ms", opened.count());
    all.push_back(std::move(*made));
  }
  return print_documents(context, input, all);
}

}  // namespace ridge::app_trace
