// SPDX-License-Identifier: Apache-2.0
import type { Page } from "../core/page.ts";
import { analyses_page, analysis_page } from "./analysis.ts";
import { catalogue_page, experiment_page } from "./catalogue.ts";
import { compare_page } from "./compare.ts";
import { live_page } from "./live.ts";
import { machine_page } from "./machine.ts";
import { overview_page } from "./overview.ts";
import { roofline_page } from "./roofline.ts";
import { run_page } from "./run.ts";
import { runs_page } from "./runs.ts";
import { series_page } from "./series.ts";

/** The pages by the name that stands in `view=`. */
export const pages: Readonly<Record<string, Page>> = {
  overview: overview_page,
  runs: runs_page,
  run: run_page,
  series: series_page,
  compare: compare_page,
  roofline: roofline_page,
  analyses: analyses_page,
  analysis: analysis_page,
  catalogue: catalogue_page,
  experiment: experiment_page,
  machine: machine_page,
  live: live_page,
};
