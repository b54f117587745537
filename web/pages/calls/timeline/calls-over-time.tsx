import type { ReactNode } from "react";
import { useRead } from "../../../api/queries.ts";
import { bucketNameOf, shortCountOf } from "../../../ui/values/format.ts";
import { Chart } from "../../../ui/charts/chart.tsx";
import { useNow } from "../../../ui/address/hooks.ts";
import type { Call } from "../../../ui/values/call-bits.tsx";
import { callsSeriesOf, knownPoints, linkToCalls } from "../../overview/counts.ts";
import { Timeline } from "./timeline.tsx";

/** More bars than these cannot be told apart: then calls are counted. */
const MAX_BARS = 150;

/** The last calls as bars over time, or how many there were if they are many. */
export function CallsOverTime({
  calls,
  windowMs,
}: {
  readonly calls: readonly Call[];
  readonly windowMs: number;
}): ReactNode {
  const now = useNow(10_000);
  const inWindow = calls.filter(({ receivedAt }) => receivedAt > now - windowMs);
  if (inWindow.length < MAX_BARS) return <Timeline calls={inWindow} windowMs={windowMs} />;
  return <Histogram since={Math.floor((now - windowMs) / 10_000) * 10_000} />;
}

function Histogram({ since }: { readonly since: number }): ReactNode {
  const { data } = useRead("counts", { since, buckets: 60 }, { everyMs: 10_000, keepsPrevious: true });
  if (data === undefined) return null;
  const points = knownPoints(data);
  return (
    <section className="panel padded" aria-label="Calls over time">
      <h2>Calls of every folder per {bucketNameOf(data.bucketMs)}</h2>
      <Chart
        label="Calls of every folder"
        kind="bars"
        height={130}
        at={points.map(({ at }) => at)}
        bucketMs={data.bucketMs}
        format={shortCountOf}
        series={callsSeriesOf(points)}
        linkOf={(from, to) => linkToCalls({ from, to })}
      />
    </section>
  );
}
