import type { ReactNode } from "react";
import { useRead } from "../../api/queries.ts";
import { costOf, plural, shortCountOf } from "../../ui/values/format.ts";
import { Empty, Failed, Loading } from "../../ui/layout/states.tsx";
import { Waterfall } from "../../ui/charts/waterfall.tsx";

/** What happened in a session and in those of its agents, on one time axis. */
export function SessionWaterfall({ id }: { readonly id: string }): ReactNode {
  const { data, error, refetch } = useRead("waterfall", { id });
  if (error !== null) return <Failed error={error} retry={refetch} />;
  if (data === undefined) return <Loading what="the waterfall" />;
  if (data.spans.length < 2) return <Empty title="Nothing happened yet" />;
  return <Waterfall spans={data.spans} label="Agents, turns and calls over time" />;
}

/** Tokens and cost of a session with its agents, by model. */
export function SessionCost({ id }: { readonly id: string }): ReactNode {
  const { data } = useRead("waterfall", { id });
  if (data === undefined || data.inputTokens + data.outputTokens === 0) return null;
  return (
    <ul className="legend" aria-label="Tokens and cost">
      <li>
        <b>{shortCountOf(data.inputTokens)}</b> tokens in, <b>{shortCountOf(data.outputTokens)}</b> out,{" "}
        <b>{costOf(data.cost)}</b>
      </li>
      {data.models.length > 1 &&
        data.models.map(({ model, turns, cost }) => (
          <li key={model}>
            {model}: {plural(turns, "turn")}, {costOf(cost)}
          </li>
        ))}
    </ul>
  );
}
