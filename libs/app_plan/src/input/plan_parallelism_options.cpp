// SPDX-License-Identifier: Apache-2.0
#include "input/plan_parallelism_input.hpp"

namespace ridge::app_plan {

void add_parallelism_input(app::command& command, parallelism_input& input) {
  add_model_choice(command, input.model);
  add_gpu_choice(command, input.gpu);
  command.option("--gpus", input.gpus, "N,N", "Number of GPUs, or several to compare; from 1 to 1048576")
      .option("--global-batch", input.global_batch, "N", "Sequences per step (one for 8 GPUs, at least 128)")
      .option("--sequence", input.sequence, "N", "Tokens per sequence (the model's context, at most 8192)")
      .choice("--dtype", input.dtype, {"bf16", "fp8", "both"}, "Type of matrix products (bf16)");
  add_state_options(command, input.states);
  command
      .option("--topology", input.topology, "FILE",
              "Links as JSON, or dgx, nvl72, fat-tree, fat-tree:4, three-tier")
      .option("--node-size", input.node_size, "N", "GPUs on scale-up links (those of the GPU)")
      .option("--port-gbps", input.port_gigabits_per_s, "N",
              "Network bandwidth per GPU in gigabits per second (400)")
      .option("--max-tp", input.max_tp, "N", "Greatest number of tensor ranks (the GPUs of a node)")
      .flag("--tp-across-nodes", input.tensor_across_nodes, "Tensor ranks may span nodes")
      .option("--zero", input.zero, "N,N", "Stages of ZeRO: 0 to 3 (all)")
      .option("--recompute", input.recompute, "KIND,KIND", "none, selective, full (all)")
      .flag("--recompute-latent", input.recompute_latent,
            "Selective recomputation covers norms, activations and latent attention's queries, keys and "
            "values (DeepSeek-V3)")
      .choice("--schedule", input.schedule, {"1f1b", "dualpipe", "both"},
              "Schedule of the pipeline: 1F1B, interleaved or not, or DeepSeek-V3's DualPipe (1f1b)")
      .choice("--sequence-parallel", input.sequence_parallel, {"on", "off", "both"},
              "Whether sequence parallelism accompanies tensor ranks (on)")
      .option("--fixed", input.fixed, "NAME=N,NAME=N",
              "Fix tp, pp, vp, cp, dp, ep, etp, mbs, zero, recompute, sp, schedule")
      .choice("--objective", input.objective, {"time", "cost", "memory"}, "Quantity to minimize (time)")
      .option("--top", input.top, "N", "Plans to show (10)")
      .option("--threads", input.threads, "N",
              "Threads of the search (one per core); the answer does not depend on it")
      .option("--tokens", input.tokens, "T",
              "Tokens of the whole run, as 15e12: time, cost, failures, energy")
      .option("--mtbf-hours", input.mtbf_hours, "H",
              "Mean hours between failures per GPU (50677: Llama 3 405B); 0: none")
      .option("--checkpoint-s", input.checkpoint_s, "S", "Seconds for which saving stops the job (15)")
      .option("--restart-s", input.restart_s, "S",
              "Seconds from a failure until the job computes again (300)")
      .option("--price", input.price, "USD", "Price per GPU-hour (the catalogue's)")
      .option("--pue", input.power_usage, "X", "Power of the facility over that of the GPUs (1)")
      .flag("--check-table", input.check_table,
            "Compare the usual layouts by size of model with the best plans");
}

}  // namespace ridge::app_plan
