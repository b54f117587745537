import type { ReactNode } from "react";
import { api } from "../../api/client.ts";
import { useChange, useRead } from "../../api/queries.ts";
import { Action } from "../../ui/controls/action.tsx";
import { Copy } from "../../ui/values/code.tsx";
import { linkTo } from "../../ui/address/hooks.ts";
import { Outcome, Took, type CallDetail } from "../../ui/values/call-bits.tsx";
import { PageHead } from "../../ui/layout/panel.tsx";
import { shortId, timeOf } from "../../ui/values/format.ts";
import { useMay } from "../../api/rights.ts";
import { callKey } from "../../../src/util/text/call-key.ts";

interface CallHeadProps {
  readonly detail: CallDetail;
  /** Of its heading. */
  readonly level: 1 | 2;
}

/** The tool, outcome and time of a call, and what can be done with it. */
export function CallHead({ detail, level }: CallHeadProps): ReactNode {
  const { call, input } = detail;
  const cancel = useChange(() => api.cancelCall({ callId: call.callId }), ["call", "calls"]);
  const { data: state } = useRead("state");
  const isOwn = state?.person === null || state?.person === call.subject;
  const mayCancel = useMay("admin") || isOwn;
  const isGiven = typeof input === "object" && input !== null;
  const again = `${linkTo("tools", call.name)}?input=${encodeURIComponent(JSON.stringify(input))}`;
  return (
    <PageHead
      level={level}
      title={
        <span className="row">
          {call.name} <Outcome call={call} />
        </span>
      }
      about={
        <>
          {timeOf(call.receivedAt)} · <Took call={call} /> ·{" "}
          <code title={call.callId}>{shortId(call.callId)}</code>
        </>
      }
    >
      {call.state === "open" && call.isHere && mayCancel && (
        <Action right="call" look="danger" change={cancel} onClick={() => cancel.mutate(undefined)}>
          Cancel the call
        </Action>
      )}
      {isGiven && (
        <a className="button" href={again}>
          Run again…
        </a>
      )}
      <Copy text={callKey(call)} label="Copy key" />
    </PageHead>
  );
}
