// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <memory>
#include <mutex>
#include <utility>

#include <ridge/hardware/hardware_catalogue.hpp>
#include <ridge/model/json.hpp>
#include <ridge/probe/roofline_charts.hpp>
#include <ridge/store/store_failure.hpp>

#include "api/api.hpp"
#include "api/shapes.hpp"

namespace ridge::app_serve {
namespace {

// A document that a command of this program prints, kept for a while: the command looks at the whole machine.
class printed_document final {
 public:
  printed_document(const api& shared, std::vector<std::string> words) : shared_(shared), words_(std::move(words)) {}

  server::response answer() {
    const std::lock_guard guard(mutex_);  // several who ask at once wait for one
    const auto now = std::chrono::steady_clock::now();
    if (text_.empty() || now - read_ > std::chrono::seconds(30)) {
      if (!shared_.ask_program) return server::problem(503, {"this program cannot ask itself", "use `ridge serve`"});
      auto text = shared_.ask_program(words_);
      if (!text) return server::problem(503, text.why());
      text_ = std::move(text).value();
      read_ = now;
    }
    return server::json_response(text_);
  }

 private:
  const api& shared_;
  std::vector<std::string> words_;
  std::mutex mutex_{};
  std::string text_{};
  std::chrono::steady_clock::time_point read_{};
};

server::route printed(const api& shared, const std::string& pattern, const std::string& summary,
                      std::vector<std::string> words) {
  auto document = std::make_shared<printed_document>(shared, std::move(words));
  return read_route(pattern, summary, {}, open_object({text("schema")}),
                    [document](const server::request&) { return document->answer(); });
}

result<std::string> roofline(store::store& store, const server::request& asked) {
  auto id = query_value(asked, "run").value_or("");
  if (id.empty()) {
    const auto newest = store.runs({.limit = 1});
    if (newest.empty()) return model::roofline_json({});
    id = newest.front().id;
  }
  const auto run = store.load(id);
  if (!run) return run.why();
  return model::roofline_json(probe::roofline_of(*run, hardware::catalogue::embedded()));
}

}  // namespace

std::vector<server::route> machine_routes(const api& shared) {
  std::vector<server::route> made;
  made.push_back(read_route("/api/v1/roofline", "Kernels of a run under the limits of its machine (ridge.roofline/1)",
                            {{.name = "run", .description = "the id of a run (the newest)", .may_be_empty = true}},
                            open_object({text("schema")}), asking(shared, roofline)));
  made.push_back(printed(shared, "/api/v1/machine", "This machine as one tree (ridge.probe/1)", {"probe", "--json"}));
  made.push_back(printed(shared, "/api/v1/machine/audit", "Settings of this machine that distort benchmarks (ridge.audit/1)",
                         {"audit", "--json", "--fail-on", "never"}));
  made.push_back(printed(shared, "/api/v1/catalogue", "Experiments and their variants (ridge.catalogue/1)", {"list", "--json"}));
  return made;
}

}  // namespace ridge::app_serve
