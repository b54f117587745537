import type { ReactNode } from "react";
import { useRead } from "../../api/queries.ts";
import { DiffView } from "../../ui/values/diff.tsx";
import { Failed, Loading } from "../../ui/layout/states.tsx";
import { linkTo } from "../../ui/address/hooks.ts";
import { Outcome, Took, type CallDetail } from "../../ui/values/call-bits.tsx";
import { PageHead, Panel } from "../../ui/layout/panel.tsx";
import { prettyJson, shortId, timeOf } from "../../ui/values/format.ts";
import { readCallKey } from "../../../src/util/text/call-key.ts";
import { lineDiff } from "../../ui/shapes/line-diff.ts";

/** The inputs and answers of two calls, as differences. */
export function DiffPage({ left, right }: { readonly left: string; readonly right: string }): ReactNode {
  const [one, other] = [useCall(left), useCall(right)];
  const error = one.error ?? other.error;
  if (error !== null) return <Failed error={error} />;
  if (one.data === undefined || other.data === undefined) return <Loading what="the calls" />;
  return (
    <div className="page">
      <PageHead title="Two calls" about="What changed from the first call to the second." />
      <div className="columns">
        <Head id={left} detail={one.data} />
        <Head id={right} detail={other.data} />
      </div>
      <Difference title="Input" left={prettyJson(one.data.input)} right={prettyJson(other.data.input)} />
      <Difference title="Answer" left={answerOf(one.data)} right={answerOf(other.data)} />
    </div>
  );
}

function useCall(id: string): ReturnType<typeof useRead<"call">> {
  const { callId = id, receivedAt: at } = readCallKey(id) ?? {};
  return useRead("call", { callId, ...(at !== undefined && { at }) });
}

function Head({ id, detail: { call } }: { readonly id: string; readonly detail: CallDetail }): ReactNode {
  return (
    <Panel
      title={
        <span className="row">
          <a href={linkTo("calls", id)}>{call.name}</a> <Outcome call={call} />
        </span>
      }
    >
      <p className="muted">
        {timeOf(call.receivedAt)} · <Took call={call} /> ·{" "}
        <code title={call.callId}>{shortId(call.callId)}</code>
      </p>
    </Panel>
  );
}

function Difference(props: {
  readonly title: string;
  readonly left: string;
  readonly right: string;
}): ReactNode {
  const { title, left, right } = props;
  return (
    <Panel title={title}>
      {left === right ? (
        <p className="muted">The same.</p>
      ) : (
        <DiffView text={lineDiff(left, right)} label={`${title}: differences`} />
      )}
    </Panel>
  );
}

function answerOf({ result }: CallDetail): string {
  if (result === null) return "";
  const text = result.content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n");
  return result.ok ? text : `${result.error.code}: ${result.error.message}\n${text}`;
}
