// SPDX-License-Identifier: Apache-2.0
// A chart as a file: numbers, vectors, pixels.
import { file_name, h, save_file } from "../core/dom.ts";
import type { Column } from "../sheet/column.ts";
import { csv_of, markdown_of } from "../sheet/export.ts";
import type { DrawnChart } from "./drawing.ts";
import { PlainDrawing } from "./plain_drawing.ts";

export interface PointRow { series: string; x: number | string | null; y: number | null; low: number | null; high: number | null; says: string }

/** Returns every point of the series that are shown. */
export function rows_of(chart: DrawnChart, hidden: ReadonlySet<number>): PointRow[] {
  return chart.series.flatMap((series, index) =>
    hidden.has(index) ? [] : series.x.map((x, at) => ({
      series: series.name,
      x: x === null || x === undefined ? null : chart.x.categories.length > 0 ? (chart.x.categories[x] ?? x) : chart.x_text ? chart.x_text(x) : x,
      y: series.y[at] ?? null,
      low: series.low[at] ?? null,
      high: series.high[at] ?? null,
      says: series.says[at] ?? "",
    })));
}

/** Returns the columns of those points; what no point has is left out. */
export function columns_of(chart: DrawnChart, rows: readonly PointRow[]): Column<PointRow>[] {
  const has = (member: keyof PointRow): boolean => rows.some((row) => row[member] !== null && row[member] !== "");
  const words = chart.x.categories.length > 0 || chart.x_text;
  const all: Column<PointRow>[] = [
    { key: "series", header: "series", unit: "text", value: (row) => row.series },
    { key: "x", header: chart.x.label || "x", unit: words ? "text" : chart.x.unit || "1", value: (row) => row.x },
    { key: "y", header: chart.y.label || "y", unit: chart.y.unit || "1", value: (row) => row.y },
    { key: "low", header: "low", unit: chart.y.unit || "1", value: (row) => row.low },
    { key: "high", header: "high", unit: chart.y.unit || "1", value: (row) => row.high },
    { key: "says", header: "what", unit: "text", value: (row) => row.says.replace(/\n/g, "; ") },
  ];
  return all.filter(({ key }) => has(key as keyof PointRow));
}

const kept_styles = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "opacity", "font-size", "font-style", "font-family", "letter-spacing"];

/** Returns the chart as an SVG file that needs no style sheet, in the colours of the theme in force. */
export function svg_text(chart: DrawnChart, hidden: ReadonlySet<number>, width = 880): string {
  const drawing = new PlainDrawing(chart);
  drawing.draw(width, hidden);
  const stage = h("div", { class: "export-stage", "aria-hidden": "true" });
  stage.append(drawing.element);
  document.body.append(stage);
  for (const element of drawing.element.querySelectorAll<SVGElement>("path,line,circle,rect,text")) {
    const seen = getComputedStyle(element);
    for (const name of kept_styles) {
      const value = seen.getPropertyValue(name);
      if (value && value !== "none" && value !== "normal") element.setAttribute(name, value.replace(/"/g, "'"));
      else if (name === "fill" || name === "stroke") element.setAttribute(name, "none");
    }
  }
  for (const element of drawing.element.querySelectorAll("[class]")) element.removeAttribute("class");
  drawing.element.removeAttribute("class");
  drawing.element.setAttribute("font-family", getComputedStyle(document.body).fontFamily.replace(/"/g, "'"));
  const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  paper.setAttribute("width", "100%");
  paper.setAttribute("height", "100%");
  paper.setAttribute("fill", getComputedStyle(document.body).backgroundColor);
  drawing.element.prepend(paper);
  stage.remove();
  return new XMLSerializer().serializeToString(drawing.element);
}

/** Saves the chart as SVG or, twice as large, as PNG. */
export async function save_picture(chart: DrawnChart, hidden: ReadonlySet<number>, kind: "svg" | "png"): Promise<void> {
  const vector = new Blob([svg_text(chart, hidden)], { type: "image/svg+xml" });
  if (kind === "svg") return save_file(file_name(chart.title, "svg"), vector);
  const url = URL.createObjectURL(vector);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = h("canvas", { width: image.naturalWidth * 2, height: image.naturalHeight * 2 });
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    const pixels = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
    if (pixels) save_file(file_name(chart.title, "png"), pixels);
  } finally {
    URL.revokeObjectURL(url);
  }
}

export function save_csv(chart: DrawnChart, hidden: ReadonlySet<number>): void {
  const rows = rows_of(chart, hidden);
  save_file(file_name(chart.title, "csv"), new Blob([csv_of(columns_of(chart, rows), rows)], { type: "text/csv" }));
}

export function chart_markdown(chart: DrawnChart, hidden: ReadonlySet<number>): string {
  const rows = rows_of(chart, hidden);
  return markdown_of(columns_of(chart, rows), rows);
}
