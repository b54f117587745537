import type { AnswerOf } from "../../../src/app/http/api.ts";
import { linkTo } from "../../ui/address/hooks.ts";
import type { Series } from "../../ui/charts/chart-values.ts";

export type Counts = AnswerOf<"counts">;
type Point = Counts["points"][number];

export const SPANS = [
  ["900000", "15 min"],
  ["3600000", "1 h"],
  ["86400000", "1 day"],
  ["604800000", "7 days"],
  ["7776000000", "90 days"],
] as const;

/** A bucket, or only its time if it is before all that was counted: that is a gap, and not zero. */
export type KnownPoint = Point | ({ readonly at: number } & Partial<Omit<Point, "at">>);

/** Returns the buckets, without values before the first counted call. */
export function knownPoints({ points, countedSince, bucketMs }: Counts): readonly KnownPoint[] {
  return points.map((point) =>
    countedSince !== null && point.at + bucketMs > countedSince ? point : { at: point.at },
  );
}

/** Returns the calls of the buckets as done, denied and failed. */
export function callsSeriesOf(points: readonly KnownPoint[]): readonly Series[] {
  const values = (valueOf: (point: Point) => number): readonly (number | null)[] =>
    points.map((point) => (point.calls === undefined ? null : valueOf(point as Point)));
  return [
    {
      name: "done",
      colour: "chart-done",
      values: values(({ calls, failed, denied }) => calls - failed - denied),
    },
    { name: "denied", colour: "chart-denied", values: values(({ denied }) => denied) },
    { name: "failed", colour: "chart-failed", values: values(({ failed }) => failed) },
  ];
}

const COLOURS = ["chart-failed", "info", "accent", "ok", "syntax-keyword", "muted"];

/** Returns the calls of the buckets by code: the first six codes, and all others together. */
export function codesSeriesOf(points: readonly KnownPoint[], codes: readonly string[]): readonly Series[] {
  const [largest, rest] = [codes.slice(0, 6), codes.slice(6)];
  const series = (name: string, colour: string, counted: readonly string[]): Series => ({
    name,
    colour,
    values: points.map(({ codes: counts }) =>
      counts === undefined ? null : counted.reduce((sum, code) => sum + (counts[code] ?? 0), 0),
    ),
  });
  return [
    ...largest.map((code, index) => series(code, colourOfCode(code, index), [code])),
    ...(rest.length > 0 ? [series("other", "line", rest)] : []),
  ];
}

/** Returns the same colour for a denial everywhere. */
function colourOfCode(code: string, index: number): string {
  return code === "DENIED" ? "chart-denied" : (COLOURS[index % COLOURS.length] ?? "muted");
}

interface CallsAddress {
  readonly from: number;
  readonly to: number;
  readonly show?: "failed" | "unsuccessful";
  readonly name?: string;
}

/** Returns the address of the calls of a time, in every folder, as the charts count them. */
export function linkToCalls({ from, to, show, name }: CallsAddress): string {
  const query = new URLSearchParams({ folders: "every", from: String(from), to: String(to) });
  if (show !== undefined) query.set("show", show);
  if (name !== undefined) query.set("tool", name);
  return `${linkTo("calls")}?${query.toString()}`;
}
