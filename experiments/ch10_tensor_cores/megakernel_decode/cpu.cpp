// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <ridge/harness/experiment.hpp>
#include <ridge/host/team.hpp>

#include "megakernel_decode.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ridge::experiments::ch10_megakernel_decode::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The product of a row of n weights, a multiple of 64, and n numbers.
float dot(const bf16* row, const float* x, std::size_t n) {
  const hn::CappedTag<float, 16> d;
  const hn::Rebind<std::uint32_t, decltype(d)> words;
  const hn::Rebind<std::uint16_t, decltype(d)> halves;
  const std::size_t lanes = hn::Lanes(d);
  const auto products = [&](std::size_t i, auto sum) {
    const auto bits = hn::LoadU(halves, reinterpret_cast<const std::uint16_t*>(row + i));
    return hn::MulAdd(hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(words, bits))), hn::LoadU(d, x + i),
                      sum);
  };
  auto a = hn::Zero(d), b = hn::Zero(d), c = hn::Zero(d), e = hn::Zero(d);
  for (std::size_t i = 0; i < n; i += 4 * lanes) {
    a = products(i, a), b = products(i + lanes, b);
    c = products(i + 2 * lanes, c), e = products(i + 3 * lanes, e);
  }
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(a, b), hn::Add(c, e))));
}

// sums += weight * row, of n numbers, a multiple of 16.
void add_scaled(const bf16* row, float weight, float* sums, std::size_t n) {
  const hn::CappedTag<float, 16> d;
  const hn::Rebind<std::uint32_t, decltype(d)> words;
  const hn::Rebind<std::uint16_t, decltype(d)> halves;
  const auto factor = hn::Set(d, weight);
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const auto bits = hn::LoadU(halves, reinterpret_cast<const std::uint16_t*>(row + i));
    const auto numbers = hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(words, bits)));
    hn::StoreU(hn::MulAdd(numbers, factor, hn::LoadU(d, sums + i)), d, sums + i);
  }
}

}  // namespace ridge::experiments::ch10_megakernel_decode::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::experiments::ch10_megakernel_decode {
HWY_EXPORT(dot);
HWY_EXPORT(add_scaled);
namespace {

// A part of the rows or heads of a stage.
struct range {
  std::size_t begin = 0, end = 0;
};

range part_of(std::size_t count, int rank, int ranks) {
  const auto r = as_count(rank), n = as_count(ranks);
  return {count * r / n, count * (r + 1) / n};
}

// The stages of a step, of which a thread does a part, and what they hand on.
class stages {
 public:
  stages(const workload& w, setup& s)
      : size_(w.size),
        state_(s.workspace<float>(size_.hidden())),
        made_(s.workspace<float>(size_.token_rows())),
        attended_(s.workspace<float>(size_.hidden())),
        activations_(s.workspace<float>(size_.between())) {
    for (int i = 0; i < s.threads(); ++i) {
      normed_.push_back(s.workspace<float>(size_.hidden()));
      scores_.push_back(s.workspace<float>(size_.context + 1));
    }
    for (std::size_t pair = 0; pair < width / 2; ++pair) {
      const double angle =
          as_real(size_.context) * std::pow(rotation_base, -as_real(2 * pair) / as_real(width));
      cosine_.push_back(as_float(std::cos(angle))), sine_.push_back(as_float(std::sin(angle)));
    }
  }

  void embed(const workload& w) const { std::ranges::copy(w.embedding, state_.begin()); }

  // Norm number `index` of the whole state, for this thread.
  void norm(const workload& w, std::size_t index, std::size_t thread) const {
    const auto y = normed_[thread];
    const bf16* const factors = w.norms.data() + index * size_.hidden();
    float squares = 0;
    for (const float x : state_) squares += x * x;
    const float scale = 1 / std::sqrt(squares / static_cast<float>(size_.hidden()) + epsilon);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = state_[i] * scale * float{factors[i]};
  }

  // Pairs of rows of queries, keys and values.
  void token(const workload& w, std::size_t layer, std::size_t thread, range pairs) const {
    const auto hidden = size_.hidden();
    const bf16* const matrix = w.qkv.data() + layer * size_.token_rows() * hidden;
    for (std::size_t r = 2 * pairs.begin; r < 2 * pairs.end; r += 2) {
      float x = product_of(matrix + r * hidden, normed_[thread]);
      float y = product_of(matrix + (r + 1) * hidden, normed_[thread]);
      if (r < hidden + size_.kept_rows() / 2) {
        const float cosine = cosine_[r % width / 2], sine = sine_[r % width / 2], first = x;
        x = first * cosine - y * sine, y = y * cosine + first * sine;
      }
      made_[r] = x, made_[r + 1] = y;
      if (r < hidden) continue;
      bf16* const kept = w.appended.data() + layer * size_.kept_rows() + r - hidden;
      kept[0] = bf16(x), kept[1] = bf16(y);
    }
  }

  // Heads of queries.
  void attend(const workload& w, std::size_t layer, std::size_t thread, range queries) const {
    const auto scores = scores_[thread];
    const auto context = size_.context, rows_of_kind = size_.kv_heads * context;
    for (std::size_t query = queries.begin; query < queries.end; ++query) {
      const std::size_t head = query / group;
      const bf16* const keys = w.cache.data() + (2 * layer * rows_of_kind + head * context) * width;
      const bf16* const appended = w.appended.data() + layer * size_.kept_rows() + head * width;
      const auto q = made_.subspan(query * width, width), o = attended_.subspan(query * width, width);
      for (std::size_t j = 0; j <= context; ++j)
        scores[j] = product_of(j < context ? keys + j * width : appended, q) / 8;
      const float most = *std::ranges::max_element(scores);
      float sum = 0;
      for (float& x : scores) sum += x = std::exp(x - most);
      std::ranges::fill(o, 0.0F);
      for (std::size_t j = 0; j <= context; ++j) {
        const bf16* const value =
            j < context ? keys + (rows_of_kind + j) * width : appended + size_.kept_rows() / 2;
        HWY_DYNAMIC_DISPATCH(add_scaled)(value, scores[j] / sum, o.data(), width);
      }
    }
  }

  void project(const workload& w, std::size_t layer, range rows) const {
    const bf16* const matrix = w.projection.data() + layer * size_.hidden() * size_.hidden();
    for (std::size_t r = rows.begin; r < rows.end; ++r)
      state_[r] += product_of(matrix + r * size_.hidden(), attended_);
  }

  void gate(const workload& w, std::size_t layer, std::size_t thread, range rows) const {
    const auto hidden = size_.hidden(), between = size_.between();
    const bf16* const matrix = w.gate_up.data() + 2 * layer * between * hidden;
    for (std::size_t r = rows.begin; r < rows.end; ++r) {
      const float x = product_of(matrix + r * hidden, normed_[thread]);
      activations_[r] = x / (1 + std::exp(-x)) * product_of(matrix + (between + r) * hidden, normed_[thread]);
    }
  }

  void down(const workload& w, std::size_t layer, range rows) const {
    const bf16* const matrix = w.down.data() + layer * size_.hidden() * size_.between();
    for (std::size_t r = rows.begin; r < rows.end; ++r)
      state_[r] += product_of(matrix + r * size_.between(), activations_);
  }

  void rate(const workload& w, std::size_t thread, range rows) const {
    for (std::size_t r = rows.begin; r < rows.end; ++r)
      w.logits[r] = product_of(w.head.data() + r * size_.hidden(), normed_[thread]);
  }

 private:
  static float product_of(const bf16* row, std::span<const float> x) {
    return HWY_DYNAMIC_DISPATCH(dot)(row, x.data(), x.size());
  }

  extents size_;
  std::span<float> state_, made_, attended_, activations_;
  std::vector<std::span<float>> normed_{}, scores_{};
  std::vector<float> cosine_{}, sine_{};
};

// Every operation is handed to the threads of a pool and waited for; the norms are one thread's.
auto operations(workload& shape, setup& s) {
  return [own = stages(shape, s)](workload& w, call& c) {
    const auto& size = w.size;
    const auto share = [&](std::size_t count, auto&& stage) {
      c.team().parallel_for(count, [&](std::size_t begin, std::size_t end) { stage(range{begin, end}); });
    };
    own.embed(w);
    for (std::size_t layer = 0; layer < size.layers; ++layer) {
      own.norm(w, 2 * layer, 0);
      share(size.token_rows() / 2, [&](range r) { own.token(w, layer, 0, r); });
      c.team().run([&](int rank, int ranks) {
        own.attend(w, layer, as_count(rank), part_of(size.heads(), rank, ranks));
      });
      share(size.hidden(), [&](range r) { own.project(w, layer, r); });
      own.norm(w, 2 * layer + 1, 0);
      share(size.between(), [&](range r) { own.gate(w, layer, 0, r); });
      share(size.hidden(), [&](range r) { own.down(w, layer, r); });
    }
    own.norm(w, 2 * size.layers, 0);
    share(size.vocabulary, [&](range r) { own.rate(w, 0, r); });
  };
}

// The threads are started once for the step; each makes the norms for itself, so that five barriers a layer
// are left.
auto persistent_team(workload& shape, setup& s) {
  return [own = stages(shape, s)](workload& w, call& c) {
    const auto& size = w.size;
    own.embed(w);
    c.team().run([&](int rank, int ranks) {
      const auto thread = as_count(rank);
      const auto part = [&](std::size_t count) { return part_of(count, rank, ranks); };
      for (std::size_t layer = 0; layer < size.layers; ++layer) {
        own.norm(w, 2 * layer, thread);
        own.token(w, layer, thread, part(size.token_rows() / 2));
        c.team().barrier();
        own.attend(w, layer, thread, part(size.heads()));
        c.team().barrier();
        own.project(w, layer, part(size.hidden()));
        c.team().barrier();
        own.norm(w, 2 * layer + 1, thread);
        own.gate(w, layer, thread, part(size.between()));
        c.team().barrier();
        own.down(w, layer, part(size.hidden()));
        c.team().barrier();
      }
      own.norm(w, 2 * size.layers, thread);
      own.rate(w, thread, part(size.vocabulary));
    });
  };
}

constexpr auto in_fp32 = "weights are stored in bf16; products and sums are fp32";

}  // namespace

ladder<workload> cpu() {
  return {
      {.name = "operations",
       .is = role::baseline,
       .idea = "every operation is handed to a pool of threads and waited for",
       .run = operations,
       .explanation = in_fp32,
       .threads = all_cores},
      {.name = "persistent_team",
       .idea = "the threads run the whole step and meet at barriers",
       .run = persistent_team,
       .explanation = in_fp32,
       .threads = all_cores},
  };
}

}  // namespace ridge::experiments::ch10_megakernel_decode
#endif
