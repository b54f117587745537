import type { Given, Handlers } from "../api/routes.ts";
import { randomUUID } from "node:crypto";
import { ERROR_CODES, ToolError } from "../../../core/errors.ts";
import { countCalls } from "../calls/count-calls.ts";
import { defined } from "../../../util/json/defined.ts";
import { errorMessage } from "../../../util/text/error-message.ts";
import { callDetail } from "../calls/call-detail.ts";
import { exportCalls } from "../../terminal/trace/export-calls.ts";
import { Refusal } from "../api/refusal.ts";
import type { Slot } from "../../../engine/types/options.ts";
import { withSlot } from "../../gateway/sessions/client-session.ts";
import type { ServedEngine } from "../server/served.ts";
import { findCalls, pageOfCalls } from "./call-pages.ts";

/** What has happened, and what happens. */
export function callHandlers(served: ServedEngine) {
  const { store, figures, running, callEvents, isOfFleet } = served;
  const { journal, artifacts } = store;
  const views = { journal, running, callEvents };
  return {
    calls: ({ query }) => pageOfCalls(served, query),
    call: ({ params: { callId }, query: { at } }) => callDetail(views, callId, at),
    counts: ({ query }) => countCalls(figures, query),
    async trace({ query }) {
      const { format, ...filter } = query;
      const calls = await findCalls(served, { ...filter, all: filter.all || isOfFleet });
      const { text, type } = exportCalls(calls, format);
      return new Response(text, { headers: { "content-type": type } });
    },
    async artifact({ params: { id }, query: { start, length } }) {
      const [info, slice] = await Promise.all([artifacts.info(id), artifacts.read(id, start, length)]);
      if (info === undefined || slice === undefined) throw unknownArtifact(id);
      return { id, ...slice, dropped: info.dropped };
    },
    async searchArtifact({ params: { id }, query: { text, isPattern, limit } }) {
      const matches = await artifacts.search(id, searchPattern(text, isPattern), limit);
      if (matches === undefined) throw unknownArtifact(id);
      return { matches };
    },
  } satisfies Partial<Handlers>;
}

export function runHandlers(served: ServedEngine) {
  return {
    run: (given) => runCall(served, given),
    cancelCall: ({ params: { callId } }) => ({ cancelled: served.running.cancel(callId) }),
  } satisfies Partial<Handlers>;
}

/** Runs a call in the session of the workspace, or in one that the client names. A client that leaves cancels a call that it waits for. */
async function runCall(
  { engine, session: own, telemetry, running, slots }: ServedEngine,
  { body, request }: Given<"run">,
): Promise<Response> {
  const { id = randomUUID(), name, input, session = own, mode, timeoutMs, wait } = body;
  const stop = running.start(id);
  const signal = wait ? AbortSignal.any([stop, request.signal]) : stop;
  const ceilings = mode === undefined ? undefined : [{ mode }];
  const options = { session, signal, fence: false, ...defined({ timeoutMs, ceilings }) };
  // The caller's own trace, as W3C's Trace Context names it.
  const traceparent = request.headers.get("traceparent");
  const run = (slot: Slot) => {
    const start = () => engine.run({ id, name, input }, withSlot(options, slot));
    return telemetry?.below(traceparent, start) ?? start();
  };
  const answering = slots.use(run, signal).finally(() => running.end(id));
  if (!wait) return Response.json({ callId: id }, { status: 202 });
  const result = await answering;
  return Response.json(result, { status: result.ok ? 200 : ERROR_CODES[result.error.code].httpStatus });
}

function unknownArtifact(id: string): Refusal {
  const message = `no stored answer has the id ${JSON.stringify(id)}`;
  return new Refusal("NOT_FOUND", message, "old ones are removed; run the call again");
}

/** Returns the pattern of a search. Throws for an invalid regular expression. */
function searchPattern(text: string, isPattern: boolean): RegExp {
  if (!isPattern) return new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), "iu");
  try {
    return new RegExp(text, "iu");
  } catch (cause) {
    throw new ToolError("INVALID_INPUT", `text: ${errorMessage(cause)}`, { cause });
  }
}
