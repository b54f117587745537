import type { Given, Handlers } from "../api/routes.ts";
import { randomUUID } from "node:crypto";
import { ERROR_CODES, ToolError } from "../../../core/errors.ts";
import { countCalls } from "../calls/count-calls.ts";
import { defined } from "../../../util/json/defined.ts";
import { errorMessage } from "../../../util/text/error-message.ts";
import { callDetail } from "../calls/call-detail.ts";
import { exportCalls } from "../../terminal/trace/export-calls.ts";
import { onlySubject, sessionFor, subjectToCancel, type Caller } from "../../host/people/caller.ts";
import type { Journal } from "../../../core/store/journal.ts";
import { Refusal } from "../api/refusal.ts";
import type { Slot } from "../../../engine/types/options.ts";
import { withSlot } from "../../gateway/sessions/client-session.ts";
import { endSessionWith } from "../server/end-session-with.ts";
import type { ServedEngine } from "../server/served.ts";
import { findCalls, pageOfCalls } from "./call-pages.ts";

/** What has happened, and what happens. */
export function callHandlers(served: ServedEngine) {
  const { store, figures, running, callEvents } = served;
  const { journal, artifacts } = store;
  const views = { journal, running, callEvents };
  return {
    calls: ({ query, caller }) => pageOfCalls({ ...served, subject: onlySubject(caller) }, query),
    call: ({ params: { callId }, query: { at }, caller }) =>
      callDetail(views, defined({ callId, receivedAt: at, subject: onlySubject(caller) })),
    counts: ({ query }) => countCalls(figures, query),
    async trace({ query, caller }) {
      const { format, ...filter } = query;
      const calls = await findCalls({ ...served, subject: onlySubject(caller) }, filter);
      const { text, type } = exportCalls(calls, format);
      return new Response(text, { headers: { "content-type": type } });
    },
    async artifact({ params: { id }, query: { start, length, call }, caller }) {
      await checkArtifact(journal, caller, { id, call });
      const [info, slice] = await Promise.all([artifacts.info(id), artifacts.read(id, start, length)]);
      if (info === undefined || slice === undefined) throw unknownArtifact(id);
      return { id, ...slice, dropped: info.dropped };
    },
    async searchArtifact({ params: { id }, query: { text, isPattern, limit, call }, caller }) {
      await checkArtifact(journal, caller, { id, call });
      const matches = await artifacts.search(id, searchPattern(text, isPattern), limit);
      if (matches === undefined) throw unknownArtifact(id);
      return { matches };
    },
  } satisfies Partial<Handlers>;
}

export function runHandlers(served: ServedEngine) {
  return {
    run: (given) => runCall(served, given),
    cancelCall: ({ params: { callId }, caller }) => ({
      cancelled: served.running.cancel(callId, subjectToCancel(caller)),
    }),
  } satisfies Partial<Handlers>;
}

/** Runs a call in the session of the workspace, or in one that the client names; each person has sessions of their own. A client that leaves cancels a call that it waits for. */
async function runCall(
  { engine, session: own, telemetry, running, slots }: ServedEngine,
  { body, request, caller }: Given<"run">,
): Promise<Response> {
  const { id = randomUUID(), name, input, session = own, mode, timeoutMs, wait } = body;
  const { subject, ended } = caller;
  const callSession = sessionFor(subject, session);
  const stop = running.start(id, subject?.id);
  const signals = [stop, ...(wait ? [request.signal] : []), ...(ended === undefined ? [] : [ended])];
  const signal = AbortSignal.any(signals);
  const ceilings = [...caller.ceilings, ...(mode === undefined ? [] : [{ mode }])];
  const limits = { ceilings, ...defined({ timeoutMs, subject }) };
  const options = { session: callSession, signal, fence: false, ...limits };
  endSessionWith(ended, engine, callSession);
  // The caller's own trace, as W3C's Trace Context names it.
  const traceparent = request.headers.get("traceparent");
  const run = (slot: Slot) => {
    const start = () => engine.run({ id, name, input }, withSlot(options, slot));
    return telemetry?.below(traceparent, start) ?? start();
  };
  const answering = slots.use(run, signal).finally(() => running.end(id, subject?.id));
  if (!wait) return Response.json({ callId: id }, { status: 202 });
  const result = await answering;
  return Response.json(result, { status: result.ok ? 200 : ERROR_CODES[result.error.code].httpStatus });
}

/** Throws for an artifact that is not the answer of a call of a caller who may read only their own. */
async function checkArtifact(
  journal: Journal,
  caller: Caller,
  { id, call: callId }: { readonly id: string; readonly call: string | undefined },
): Promise<void> {
  const subject = onlySubject(caller);
  if (subject === undefined) return;
  const calls = callId === undefined ? [] : await journal.list({ callId, subject, limit: SAME_ID });
  if (!calls.some(({ answer }) => answer?.meta.truncated?.artifactId === id)) throw unknownArtifact(id);
}

/** The number of calls with one id in which an artifact is looked for. */
const SAME_ID = 20;

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
