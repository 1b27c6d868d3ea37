// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/serve/engine.hpp>

#include "engine_state.hpp"

namespace ridge::plan::serve {

engine::engine(engine_settings s, const iteration_timer& timer, const request_table& requests)
    : state_(std::make_unique<state>(std::move(s), timer, requests)) {}
engine::~engine() = default;
engine::engine(engine&&) noexcept = default;
engine& engine::operator=(engine&&) noexcept = default;

void engine::submit(request_id request, double now_s) { state_->submit(request, now_s); }
void engine::submit_prompt(request_id request, double now_s) { state_->submit(request, now_s, true); }
double engine::next_s() { return state_->next_s(); }
void engine::advance(double until_s) { state_->advance(until_s); }
bool engine::evict(request_id request, double now_s) { return state_->evict(request, now_s); }
std::vector<request_id> engine::fail(double now_s) { return state_->fail(now_s); }
engine_load engine::load() const { return state_->load(); }
engine_counts engine::counts() const { return state_->counts(); }
bool engine::idle() const { return state_->idle(); }
std::uint32_t engine::prefix_overlap(request_id request) const { return state_->prefix_overlap(request); }
const std::vector<engine_event>& engine::events() const { return state_->context().events; }
void engine::clear_events() { state_->context().events.clear(); }
void engine::tell_admissions(bool asked) { state_->context().tells_admissions = asked; }
void engine::tell_steps(step_sink* sink) { state_->tell_steps(sink); }
const engine_settings& engine::settings() const { return state_->context().settings; }

}  // namespace ridge::plan::serve
