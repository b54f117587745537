import type { ReactNode } from "react";
import { useRead } from "../../api/queries.ts";
import { bucketNameOf, costOf, countOf, durationOf, shortCountOf, timeOf } from "../../ui/values/format.ts";
import { Chart } from "../../ui/charts/chart.tsx";
import { DataTable, type Column } from "../../ui/layout/data-table.tsx";
import { Empty, Failed, Loading } from "../../ui/layout/states.tsx";
import { linkTo, useAddressed, useNow } from "../../ui/address/hooks.ts";
import { PageHead, Panel } from "../../ui/layout/panel.tsx";
import { Segments, valuesOf } from "../../ui/controls/inputs.tsx";
import {
  callsSeriesOf,
  codesSeriesOf,
  knownPoints,
  linkToCalls,
  SPANS,
  type Counts,
  type KnownPoint,
} from "./counts.ts";

type ToolCounts = Counts["tools"][number];
type ModelCounts = Counts["models"][number];

const number = <Row,>(
  title: string,
  valueOf: (row: Row) => number | null,
  format: (value: number) => string,
  width = "5rem",
): Column<Row> => ({
  title,
  width,
  render: (row) => {
    const value = valueOf(row);
    return value === null ? "–" : format(value);
  },
  sortBy: (row) => valueOf(row) ?? -1,
  isNumber: true,
});

const wide = <Row,>(column: Column<Row>): Column<Row> => ({ ...column, isWide: true });

const TOOLS: readonly Column<ToolCounts>[] = [
  {
    title: "Tool",
    width: "minmax(7rem, 2fr)",
    render: ({ name }) => <a href={linkTo("tools", name)}>{name}</a>,
    sortBy: ({ name }) => name,
  },
  number("Calls", ({ calls }) => calls, countOf, "4.5rem"),
  number("Failed", ({ failed }) => failed, countOf, "4.5rem"),
  wide(number("Denied", ({ denied }) => denied, countOf)),
  wide(number("p50", ({ p50Ms }) => p50Ms, durationOf)),
  number("p95", ({ p95Ms }) => p95Ms, durationOf),
  wide(number("p99", ({ p99Ms }) => p99Ms, durationOf)),
  wide(number("Tokens", ({ inputTokens, outputTokens }) => inputTokens + outputTokens, shortCountOf)),
  wide(number("Cost", ({ cost }) => cost, costOf)),
];

const MODELS: readonly Column<ModelCounts>[] = [
  { title: "Model", width: "minmax(7rem, 2fr)", render: ({ model }) => model, sortBy: ({ model }) => model },
  number("Calls", ({ calls }) => calls, countOf),
  wide(number("Input tokens", ({ inputTokens }) => inputTokens, countOf, "7rem")),
  wide(number("Output tokens", ({ outputTokens }) => outputTokens, countOf, "7rem")),
  number("Cost", ({ cost }) => cost, costOf),
];

/** Charts of rate, latency, failures and cost of any time, and the same by tool and model. */
export function ChartsPage(): ReactNode {
  const [span, setSpan] = useAddressed("range", "86400000", valuesOf(SPANS));
  const now = useNow(30_000);
  const since = Math.floor((now - Number(span)) / 30_000) * 30_000;
  const { data, error, refetch } = useRead(
    "counts",
    { since, buckets: 60 },
    { everyMs: 30_000, keepsPrevious: true },
  );
  if (error !== null) return <Failed error={error} retry={refetch} />;
  return (
    <div className="page">
      <PageHead title="Charts" about="How many calls, how long they ran, what failed and what it cost.">
        <Segments label="Time" options={SPANS} value={span} onChange={setSpan} />
      </PageHead>
      {data === undefined ? <Loading what="counts" /> : <Charts counts={data} />}
    </div>
  );
}

function Charts({ counts }: { readonly counts: Counts }): ReactNode {
  const { bucketMs, total } = counts;
  if (total.calls === 0 && !counts.isPartial)
    return <Empty title="No calls in this time">Choose a longer time, or run a tool.</Empty>;
  const points = knownPoints(counts);
  const at = points.map((point) => point.at);
  const per = bucketNameOf(bucketMs);
  const common = { at, bucketMs };
  const codes = Object.entries(total.codes)
    .toSorted(([, left], [, right]) => right - left)
    .map(([code]) => code);
  const ran = total.calls - total.denied;
  return (
    <>
      <p role="status">
        Since {timeOf(counts.since)}: {countOf(total.calls)} calls, {countOf(total.failed)} failed (
        {((total.failed / Math.max(1, ran)) * 100).toFixed(1)} % of those not denied), {countOf(total.denied)}{" "}
        denied
        {counts.isPartial && "; older calls are still being counted"}
      </p>
      <div className="columns charts">
        <Panel title={`Calls per ${per}`}>
          <Chart
            {...common}
            label="Calls"
            kind="bars"
            format={shortCountOf}
            series={callsSeriesOf(points)}
            linkOf={(from, to) => linkToCalls({ from, to })}
          />
        </Panel>
        <Panel title="Time that tools ran">
          <Chart
            {...common}
            label="Time that tools ran"
            kind="lines"
            format={durationOf}
            series={[
              { name: "p50", colour: "info", values: points.map((point) => point.p50Ms ?? null) },
              { name: "p95", colour: "accent", values: points.map((point) => point.p95Ms ?? null) },
            ]}
            linkOf={(from, to) => linkToCalls({ from, to })}
          />
        </Panel>
        <Panel title={`Failed or denied per ${per}, by code`}>
          {codes.length === 0 ? (
            <p className="muted">None failed, and none was denied.</p>
          ) : (
            <Chart
              {...common}
              label="Calls that failed or were denied"
              kind="bars"
              format={shortCountOf}
              series={codesSeriesOf(points, codes)}
              linkOf={(from, to) => linkToCalls({ from, to, show: "unsuccessful" })}
            />
          )}
        </Panel>
        <Panel title="Waiting for people, p95">
          {total.waitP95Ms === null ? (
            <p className="muted">No call waited for a person.</p>
          ) : (
            <Chart
              {...common}
              label="Waiting for people"
              kind="lines"
              format={durationOf}
              series={[
                { name: "p95", colour: "warn", values: points.map((point) => point.waitP95Ms ?? null) },
              ]}
            />
          )}
        </Panel>
      </div>
      <DataTable
        label="Calls by tool"
        rows={counts.tools}
        columns={TOOLS}
        idOf={({ name }) => name}
        maxHeight="24rem"
      />
      {counts.models.length > 0 && <Costs counts={counts} points={points} />}
    </>
  );
}

function Costs({
  counts,
  points,
}: {
  readonly counts: Counts;
  readonly points: readonly KnownPoint[];
}): ReactNode {
  const { bucketMs, models } = counts;
  return (
    <>
      <Panel title={`Cost per ${bucketNameOf(bucketMs)}`}>
        <Chart
          at={points.map(({ at }) => at)}
          bucketMs={bucketMs}
          label="Cost"
          kind="bars"
          format={costOf}
          series={[{ name: "USD", colour: "ok", values: points.map((point) => point.cost ?? null) }]}
        />
        <p className="small muted">
          Of the model answers that asked for calls; the page of a session has all its tokens.
        </p>
      </Panel>
      <DataTable
        label="Cost by model"
        rows={models}
        columns={MODELS}
        idOf={({ model }) => model}
        maxHeight="16rem"
      />
    </>
  );
}
