// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include <ridge/app/exit_code.hpp>
#include <ridge/app/output_file.hpp>
#include <ridge/base/units.hpp>
#include <ridge/trace/flame.hpp>
#include <ridge/trace/flame_text.hpp>
#include <ridge/trace_report/flame_svg.hpp>
#include <ridge/trace_report/speedscope.hpp>

#include "commands/trace_commands.hpp"
#include "pages/trace_pages.hpp"

namespace ridge::app_trace {
namespace {

struct trace_flame_options {
  trace_input input{};
  std::string kind{"auto"};
  std::string output{"flame.svg"};
  std::string against{};
};

// The stacks of one or several traces.
struct stacks {
  std::string kind{};
  trace::flame_tree tree{};
};

std::string what_there_is(const trace::trace& t, const std::string& asked) {
  if (asked != "auto") return asked;
  if (!t.works.empty()) return "device";
  return t.samples.empty() ? "host" : "samples";
}

trace::flame_tree tree_of(const trace::trace& t, const std::string& kind,
                          const trace::flame_options& selection) {
  if (kind == "samples") return trace::flame_of_samples(t, selection);
  return kind == "host" ? trace::flame_of_host(t, selection) : trace::flame_of_device(t, selection);
}

std::string label_of(const trace::trace& t, std::size_t index) {
  return t.source.rank >= 0 ? fmt::format("rank {}", t.source.rank) : fmt::format("trace {}", index);
}

// Copies one tree below a node of another.
void graft(trace::flame_builder& builder, std::uint32_t below, const trace::flame_tree& tree) {
  std::vector<std::uint32_t> node_of{below};
  for (std::size_t i = 1; i < tree.nodes.size(); ++i) {
    const auto& n = tree.nodes[i];
    node_of.push_back(builder.child(node_of[n.parent], n.name));
    if (n.self != 0) builder.add(node_of.back(), n.self);
  }
}

result<stacks> stacks_of(std::span<const trace::trace> traces, const trace_report::view& view,
                         const std::string& asked) {
  stacks made{.kind = what_there_is(traces.front(), asked)};
  trace::flame_builder all;
  for (std::size_t i = 0; i < traces.size(); ++i) {
    const auto scope = trace_report::scope_of(traces[i], view);
    if (!scope) return scope.why();
    const auto tree = tree_of(traces[i], made.kind, {.window = scope->window});
    graft(all, traces.size() == 1 ? 0 : all.child(0, label_of(traces[i], i)), tree);
  }
  made.tree = std::move(all).finish();
  if (made.tree.total() == 0)
    return error{fmt::format("there are no stacks of \"{}\" in that part of the trace", made.kind),
                 "ask for others with --of host, device or samples"};
  return made;
}

std::string title_of(std::span<const trace::trace> traces, const std::string& kind) {
  const auto path = traces.front().source.path;
  return fmt::format("{} ({}{})", path.substr(path.rfind('/') + 1),
                     kind == "samples" ? "samples" : kind + " time",
                     traces.size() == 1 ? "" : fmt::format(", {} traces", traces.size()));
}

int write_as(const app::context& context, const trace_flame_options& o, const std::string& text,
             std::size_t frames) {
  app::output_file file(o.output);
  file.write(text);
  file.finish();
  context.tell(fmt::format("wrote {}: {} frames\n", o.output, format_count(static_cast<long long>(frames))));
  return app::exit_code::good;
}

// Returns the text in the form that the output's name requests.
int write_difference(const app::context& context, const trace_flame_options& o, const stacks& before,
                     const stacks& after, const std::string& title) {
  if (o.output.ends_with(".json"))
    return context.refuse(
        {"the format of speedscope cannot hold a difference", "write a .svg or a .collapsed"},
        app::exit_code::usage);
  const auto diff = trace::flame_diff(before.tree, after.tree);
  const bool collapsed = o.output.ends_with(".collapsed");
  return write_as(context, o,
                  collapsed
                      ? trace::collapsed(diff)
                      : trace_report::flame_svg(diff, {.title = title, .samples = after.kind == "samples"}),
                  diff.size());
}

std::string speedscope_text(std::span<const trace::trace> traces, const trace_report::view& view,
                            const stacks& made, const std::string& title) {
  if (made.kind != "host" || traces.size() != 1)
    return trace_report::speedscope_of(made.tree, title, made.kind == "samples");
  const auto scope = trace_report::scope_of(traces.front(), view);
  return trace_report::speedscope_of(traces.front(), title, scope->window);
}

int write_one(const app::context& context, const trace_flame_options& o, std::span<const trace::trace> traces,
              const trace_report::view& view, const stacks& made) {
  const auto title = title_of(traces, made.kind);
  const auto frames = made.tree.nodes.size();
  if (o.output.ends_with(".collapsed")) return write_as(context, o, trace::collapsed(made.tree), frames);
  if (o.output.ends_with(".json"))
    return write_as(context, o, speedscope_text(traces, view, made, title), frames);
  return write_as(context, o,
                  trace_report::flame_svg(made.tree, {.title = title, .samples = made.kind == "samples"}),
                  frames);
}

int flame(const app::context& context, const trace_flame_options& o) {
  const auto view = view_of(o.input, 0);
  if (!view) return context.refuse(view.why(), app::exit_code::usage);
  const auto traces = open_traces(context, o.input);
  if (!traces) return context.refuse(traces.why(), app::exit_code::unavailable);
  const auto after = stacks_of(*traces, *view, o.kind);
  if (!after) return context.refuse(after.why(), app::exit_code::usage);
  if (o.against.empty()) return write_one(context, o, *traces, *view, *after);
  auto from = o.input;
  from.paths = {o.against};
  const auto earlier = open_traces(context, from);
  if (!earlier) return context.refuse(earlier.why(), app::exit_code::unavailable);
  const auto before = stacks_of(*earlier, *view, after->kind);
  if (!before) return context.refuse(before.why(), app::exit_code::usage);
  const auto title = title_of(*traces, after->kind) + " against " + title_of(*earlier, before->kind);
  return write_difference(context, o, *before, *after, title);
}

std::string is_known_form(const std::string& path) {
  const bool known = path.ends_with(".svg") || path.ends_with(".collapsed") || path.ends_with(".json");
  return known ? "" : fmt::format("\"{}\" does not end in .svg, .collapsed or .json", path);
}

}  // namespace

void add_trace_flame(app::command& command, app::context& context) {
  auto& to = command.add("flame", "Draw a flame graph of GPU time, host time or samples");
  auto o = std::make_shared<trace_flame_options>();
  add_trace_input(to, o->input);
  to.choice("--of", o->kind, {"auto", "device", "host", "samples"},
            "Which time to show: the GPU's below the calls that launched it, the host's, or samples of "
            "processors (auto)")
      .option("--output", o->output, "FILE",
              "The file to write: .svg, .collapsed (stacks as text), .json (speedscope) (flame.svg)")
      .checked(is_known_form)
      .option("--against", o->against, "FILE",
              "Show the difference from this earlier trace: red where time grew, blue where it shrank")
      .runs([&context, o] { return flame(context, *o); });
}

}  // namespace ridge::app_trace
