// SPDX-License-Identifier: Apache-2.0
#include "input/plan_parallelism_input.hpp"

namespace ridge::app_plan {

void add_parallelism_input(app::command& to, parallelism_input& of) {
  add_model_choice(to, of.model);
  add_gpu_choice(to, of.gpu);
  to.option("--gpus", of.gpus, "N,N", "GPUs: one number, or several to compare; any from 1 to 1048576")
      .option("--global-batch", of.global_batch, "N", "Sequences per step (one for 8 GPUs, at least 128)")
      .option("--sequence", of.sequence, "N", "Tokens per sequence (the model's context, at most 8192)")
      .choice("--dtype", of.dtype, {"bf16", "fp8", "both"}, "Type of matrix products (bf16)")
      .option("--topology", of.topology, "FILE",
              "Links as JSON, or dgx, nvl72, fat-tree, fat-tree:4, three-tier")
      .option("--node-size", of.node_size, "N", "GPUs on scale-up links (the GPU's own)")
      .option("--port-gbps", of.port_gigabits_per_s, "N",
              "Network bandwidth per GPU in gigabits per second (400)")
      .option("--max-tp", of.max_tp, "N", "Greatest number of tensor ranks (the GPUs of a node)")
      .flag("--tp-across-nodes", of.tensor_across_nodes, "Tensor ranks may span nodes")
      .option("--zero", of.zero, "N,N", "Stages of ZeRO: 0 to 3 (all)")
      .option("--recompute", of.recompute, "KIND,KIND", "none, selective, full (all)")
      .choice("--sequence-parallel", of.sequence_parallel, {"on", "off", "both"},
              "Whether sequence parallelism accompanies tensor ranks (on)")
      .option("--fixed", of.fixed, "NAME=N,NAME=N",
              "Fix tp, pp, vp, cp, dp, ep, etp, mbs, zero, recompute, sp")
      .choice("--objective", of.objective, {"time", "cost", "memory"}, "Quantity to minimize (time)")
      .option("--top", of.top, "N", "Plans to show (10)")
      .option("--threads", of.threads, "N", "Threads of the search (one a core); never changes the answer")
      .option("--tokens", of.tokens, "T", "Tokens of the whole run, as 15e12: time, cost, failures, energy")
      .option("--mtbf-hours", of.mtbf_hours, "H",
              "Hours between failures of one GPU (50677: Llama 3 405B); 0 never")
      .option("--checkpoint-s", of.checkpoint_s, "S", "Seconds that saving stops the job (15)")
      .option("--restart-s", of.restart_s, "S", "Seconds from a failure to computing (300)")
      .option("--price", of.price, "USD", "Price per GPU-hour (the catalogue's)")
      .option("--pue", of.power_usage, "X", "Power of the facility over that of GPUs (1)")
      .flag("--check-table", of.check_table, "Usual layouts by size of model, held against the best found");
}

}  // namespace ridge::app_plan
