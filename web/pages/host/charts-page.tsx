import type { ReactNode } from "react";
import type { AnswerOf } from "../../../src/app/http/api.ts";
import { useRead } from "../../api/queries.ts";
import {
  countOf,
  DataTable,
  durationOf,
  Empty,
  Failed,
  linkTo,
  Loading,
  PageHead,
  Panel,
  Segments,
  useNow,
  type Column,
  useAddressed,
  valuesOf,
} from "../../ui/index.ts";
import { Chart, type Series } from "./chart.tsx";

type Counts = AnswerOf<"counts">;
type ToolCounts = Counts["tools"][number];

const SPANS = [
  ["900000", "15 min"],
  ["3600000", "1 h"],
  ["86400000", "1 day"],
  ["604800000", "7 days"],
] as const;

const COLUMNS: readonly Column<ToolCounts>[] = [
  {
    title: "Tool",
    width: "minmax(8rem, 2fr)",
    render: ({ name }) => <a href={linkTo("tools", name)}>{name}</a>,
    sortBy: ({ name }) => name,
  },
  {
    title: "Calls",
    width: "5rem",
    render: ({ calls }) => countOf(calls),
    sortBy: ({ calls }) => calls,
    isNumber: true,
  },
  {
    title: "Failed",
    width: "5rem",
    render: ({ failed }) => countOf(failed),
    sortBy: ({ failed }) => failed,
    isNumber: true,
  },
  {
    title: "p50",
    width: "5rem",
    render: ({ p50Ms }) => ms(p50Ms),
    sortBy: ({ p50Ms }) => p50Ms ?? -1,
    isNumber: true,
  },
  {
    title: "p95",
    width: "5rem",
    render: ({ p95Ms }) => ms(p95Ms),
    sortBy: ({ p95Ms }) => p95Ms ?? -1,
    isNumber: true,
    isWide: true,
  },
];

/** Charts of rate, latency and failures, and the same by tool. */
export function ChartsPage(): ReactNode {
  const [span, setSpan] = useAddressed("range", "3600000", valuesOf(SPANS));
  const now = useNow(30_000);
  const since = Math.floor((now - Number(span)) / 30_000) * 30_000;
  const { data, error, refetch } = useRead("counts", { since, buckets: 60 });
  if (error !== null) return <Failed error={error} retry={refetch} />;
  return (
    <div className="page">
      <PageHead title="Charts" about="Rate, latency and failures of calls.">
        <Segments label="Time" options={SPANS} value={span} onChange={setSpan} />
      </PageHead>
      {data === undefined ? <Loading what="counts" /> : <Charts counts={data} />}
    </div>
  );
}

function Charts({ counts }: { readonly counts: Counts }): ReactNode {
  const { points, bucketMs } = counts;
  const total = points.reduce((sum, { calls }) => sum + calls, 0);
  const failed = points.reduce((sum, point) => sum + point.failed, 0);
  const at = points.map((point) => point.at / 1000);
  const per = durationOf(bucketMs);
  const codes = [...new Set(points.flatMap((point) => Object.keys(point.codes)))].slice(
    0,
    FAILURE_COLOURS.length,
  );
  if (total === 0) return <Empty title="No calls in this time">Choose a longer time, or run a tool.</Empty>;
  return (
    <>
      <p role="status">
        {countOf(total)} calls, {countOf(failed)} failed ({((failed / total) * 100).toFixed(1)} %)
        {counts.isPartial && "; only the newest were counted"}
      </p>
      <div className="columns">
        <Panel title={`Calls per ${per}`}>
          <Chart
            label="Calls"
            at={at}
            series={[{ name: "calls", colour: "accent", values: points.map(({ calls }) => calls) }]}
          />
        </Panel>
        <Panel title="Latency in ms">
          <Chart
            label="Latency"
            at={at}
            series={[
              { name: "p50", colour: "info", values: points.map(({ p50Ms }) => p50Ms) },
              { name: "p95", colour: "warn", values: points.map(({ p95Ms }) => p95Ms) },
            ]}
          />
        </Panel>
        <Panel title={`Failures per ${per}`}>
          {codes.length === 0 ? (
            <p className="muted">None failed.</p>
          ) : (
            <Chart
              label="Failures"
              at={at}
              series={codes.map((code, index): Series => ({
                name: code,
                colour: FAILURE_COLOURS[index] ?? "muted",
                values: points.map((point) => point.codes[code] ?? 0),
              }))}
            />
          )}
        </Panel>
      </div>
      <DataTable
        label="Calls by tool"
        rows={counts.tools}
        columns={COLUMNS}
        idOf={({ name }) => name}
        maxHeight="24rem"
      />
    </>
  );
}

const FAILURE_COLOURS = ["bad", "warn", "info", "accent", "muted"];

function ms(value: number | null): string {
  return value === null ? "–" : durationOf(value);
}
