// SPDX-License-Identifier: Apache-2.0
// Kernels under the limits of their machine: intensity against the rate of arithmetic.
import { address_of, change_view } from "../core/address.ts";
import type { Roof, Roofline, RooflineChart, RooflinePoint } from "../core/answers.ts";
import { get } from "../core/api.ts";
import { h } from "../core/dom.ts";
import type { Child } from "../core/dom.ts";
import type { Page, PageContext } from "../core/page.ts";
import { facts, keyed, page_head } from "../core/page.ts";
import { date_text, quantity_text, significant } from "../core/quantity.ts";
import { Figure } from "../chart/figure.ts";
import type { DrawnChart, DrawnSeries } from "../chart/drawing.ts";
import { known } from "../chart/drawing.ts";
import { slots_of } from "../chart/palette.ts";
import { empty_state, run_link, share_cell } from "../sheet/cells.ts";
import type { Column } from "../sheet/column.ts";
import { Sheet } from "../sheet/sheet.ts";

const flat = { low: [], high: [] };

/** Returns the lines of the roofs between two intensities. */
export function roof_lines(roofs: readonly Roof[], least: number, greatest: number): DrawnSeries[] {
  const shown = roofs.filter(({ shown: drawn }) => drawn);
  const bandwidths = shown.filter(({ kind }) => kind === "bandwidth");
  const peaks = shown.filter(({ kind }) => kind === "compute");
  const top = Math.max(...peaks.map(({ value }) => value));
  const steepest = Math.max(...bandwidths.map(({ value }) => value));
  const line = (roof: Roof, x: number[], y: number[]): DrawnSeries => ({
    name: roof.label, mark: roof.origin === "specified" ? "dashed" : "line", key: null, roof: true, x, y, says: x.map(() => ""), ...flat,
  });
  return [
    ...bandwidths.map((roof) => {
      const knee = Number.isFinite(top) ? Math.min(greatest, top / roof.value) : greatest;
      return line(roof, [least, knee], [least * roof.value, knee * roof.value]);
    }),
    ...peaks.map((roof) => line(roof, [Number.isFinite(steepest) ? Math.max(least, roof.value / steepest) : least, greatest], [roof.value, roof.value])),
  ];
}

/** Returns one chart with the kernels of each experiment as a series. */
export function roofline_chart(found: RooflineChart): DrawnChart {
  const points = found.points.filter((point) => known(point.intensity) && known(point.flop_per_s) && point.intensity > 0 && point.flop_per_s > 0);
  const intensities = points.map((point) => point.intensity!);
  const knees = found.roofs.filter(({ kind, shown }) => kind === "compute" && shown).flatMap(({ value }) =>
    found.roofs.filter((roof) => roof.kind === "bandwidth" && roof.shown).map((roof) => value / roof.value));
  const least = Math.min(...intensities, ...knees) / 3;
  const greatest = Math.max(...intensities, ...knees) * 12;
  const experiments = [...new Set(points.map(({ group }) => group.split(" ")[0]!))];
  const slots = slots_of(experiments);
  return {
    title: found.device || found.backend, subtitle: "Solid roofs were measured on this machine, dashed ones are the vendor's. A point below its roof has room.",
    x: { label: "intensity, FLOP per byte", unit: "", scale: "logarithmic", categories: [] },
    y: { label: "rate", unit: "FLOP/s", scale: "logarithmic", categories: [] },
    series: [
      ...roof_lines(found.roofs, least, greatest),
      ...experiments.map((name): DrawnSeries => {
        const kernels = points.filter(({ group }) => group.split(" ")[0] === name);
        return {
          name, mark: "points", key: slots.get(name) ?? 0, x: kernels.map(({ intensity }) => intensity), y: kernels.map(({ flop_per_s }) => flop_per_s),
          says: kernels.map(point_says), low: kernels.map(({ flop_per_s_ci }) => flop_per_s_ci?.lo), high: kernels.map(({ flop_per_s_ci }) => flop_per_s_ci?.hi),
        };
      }),
    ],
    limits: [], height: 460,
  };
}

function point_says(point: RooflinePoint): string {
  const { verdict } = point;
  const lines = [point.kernel];
  if (verdict && known(verdict.share)) lines.push(`${Math.round(verdict.share * 100)} % of ${verdict.roof}, bound by ${verdict.bound}`);
  if (verdict?.next) lines.push(verdict.next);
  return lines.join("\n");
}

const columns: Column<RooflinePoint>[] = [
  { key: "group", header: "workload", unit: "text", value: (point) => point.group },
  { key: "label", header: "variant", unit: "text", value: (point) => point.label },
  { key: "intensity", header: "FLOP/B", unit: "1", value: (point) => point.intensity, cell: (point) => (known(point.intensity) ? significant(point.intensity) : "") },
  { key: "flop_per_s", header: "rate", unit: "FLOP/s", value: (point) => point.flop_per_s },
  { key: "bytes_per_s", header: "traffic", unit: "B/s", value: (point) => point.bytes_per_s },
  { key: "share", header: "of its roof", unit: "1", value: (point) => point.verdict?.share, cell: (point) => share_cell(point.verdict?.share) },
  { key: "bound", header: "bound", unit: "text", value: (point) => point.verdict?.bound },
];

function more_of(point: RooflinePoint): Child {
  const { verdict } = point;
  if (!verdict) return "Nothing is known of the roof above this kernel.";
  return h("div", { class: "reading" },
    h("p", {}, `At ${significant(point.intensity ?? NaN)} FLOP per byte ${verdict.roof} allows ${quantity_text(verdict.attainable, "FLOP/s")}: ${known(verdict.headroom) ? `${significant(verdict.headroom)}× of what was measured` : "how far that is, is unknown"}.`),
    verdict.next && h("p", {}, `What would lift it: ${verdict.next}.`));
}

function chart_part(context: PageContext, found: RooflineChart, index: number): Child {
  return [
    new Figure(roofline_chart(found)).root,
    keyed(context, new Sheet<RooflinePoint>({
      key: `r${index}`, title: `Kernels on ${found.device || found.backend}`, columns, rows: found.points, sort: "-share", detail: more_of,
      empty: empty_state("No kernel of this run has both work and traffic:", "ridge run ch01"),
    })),
  ];
}

export const roofline_page: Page = async (context) => {
  context.title("Roofline");
  const asked = context.view["run"];
  const roofline = await get<Roofline>("roofline", { run: asked }, context.signal);
  const wanted = Number(context.view["chart"] ?? 0);
  const chart = roofline.charts[wanted] ?? roofline.charts[0];
  context.margin(
    facts("Run", [["id", run_link(roofline.run)], ["machine", roofline.machine], ["measured", date_text(roofline.started)]]),
    chart && facts("Roofs", chart.roofs.filter(({ shown }) => shown).map((roof) => [
      `${roof.dtype || roof.level} ${roof.units}`.trim(),
      [quantity_text(roof.value, roof.kind === "bandwidth" ? "B/s" : "FLOP/s"), roof.origin === "specified" ? " stated" : ""],
    ])));
  if (!chart)
    return [page_head("Limits", "Roofline"), h("p", { class: "empty" }, empty_state("No limits are stored for this run. Measure them once:", "ridge peak"))];
  return [
    page_head(`Limits of ${roofline.machine}`, "Roofline",
      h("p", { class: "lead" }, "How far each kernel is from what its machine can do at its intensity."),
      roofline.charts.length > 1 && h("div", { class: "switches", role: "group", "aria-label": "Which part of the machine" },
        roofline.charts.map((found, index) => h("button", {
          type: "button", class: "tool", "aria-pressed": String(found === chart), onclick: () => change_view({ chart: String(index) }),
        }, found.device || found.backend, found.threads > 0 ? ` (${found.threads} threads)` : ""))),
      h("p", { class: "ways" }, asked && h("a", { href: address_of({ view: "roofline" }) }, "the newest run's"))),
    chart_part(context, chart, wanted),
  ];
};
