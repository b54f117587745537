import type { AnswerOf, Given, Handlers } from "../api/routes.ts";
import { randomUUID } from "node:crypto";
import { ERROR_CODES, ToolError } from "../../../core/errors.ts";
import type { CallRecord, Journal } from "../../../core/store/journal.ts";
import { defined } from "../../../util/json/defined.ts";
import { errorMessage } from "../../../util/text/error-message.ts";
import { callDetail } from "../calls/call-detail.ts";
import { pageOfCalls } from "../calls/call-page.ts";
import { exportCalls } from "../../terminal/trace/export-calls.ts";
import type { Served } from "../server/served.ts";

export function callHandlers(served: Served) {
  const { host, running, callEvents } = served;
  const { journal, artifacts } = host.store;
  // Calls of a fleet are made in folders of other machines.
  const workspace = host.fleet.open === undefined ? host.config.workspace[0] : undefined;
  const views = { journal, running, callEvents };
  return {
    calls: ({ query }) => pageOfCalls(views, workspace, query),
    call: ({ params: { callId = "" } }) => callDetail(views, callId),
    run: (given) => runCall(served, given),
    cancelCall: ({ params: { callId = "" } }) => ({ cancelled: running.cancel(callId) }),
    counts: ({ query }) => countCalls(journal, query),
    async trace({ query }) {
      const { format, limit, session, name, all } = query;
      const folder = all || session !== undefined ? undefined : workspace;
      const records = await journal.list(defined({ limit, session, name, folder }));
      const { text, type } = exportCalls(records, format);
      return new Response(text, { headers: { "content-type": type } });
    },
    async artifact({ params: { id = "" }, query: { start, length } }) {
      const [info, slice] = await Promise.all([artifacts.info(id), artifacts.read(id, start, length)]);
      if (info === undefined || slice === undefined) throw unknownArtifact(id);
      return { id, ...slice, dropped: info.dropped };
    },
    async searchArtifact({ params: { id = "" }, query: { text, isPattern, limit } }) {
      const matches = await artifacts.search(id, searchPattern(text, isPattern), limit);
      if (matches === undefined) throw unknownArtifact(id);
      return { matches };
    },
  } satisfies Partial<Handlers>;
}

/** Runs a call in the session of the workspace, or in one that the client names. A client that leaves cancels a call that it waits for. */
async function runCall({ host, running }: Served, { body, request }: Given<"run">): Promise<Response> {
  const { id = randomUUID(), name, input, session = host.session, mode, timeoutMs, wait } = body;
  const stop = running.start(id);
  const signal = wait ? AbortSignal.any([stop, request.signal]) : stop;
  const ceilings = mode === undefined ? undefined : [{ mode }];
  const answering = host.engine
    .run({ id, name, input }, { session, signal, fence: false, ...defined({ timeoutMs, ceilings }) })
    .finally(() => running.end(id));
  if (!wait) return Response.json({ callId: id }, { status: 202 });
  const result = await answering;
  return Response.json(result, { status: result.ok ? 200 : ERROR_CODES[result.error.code].httpStatus });
}

function unknownArtifact(id: string): ToolError {
  return new ToolError("TOOL_NOT_FOUND", `no stored answer has the id ${JSON.stringify(id)}`, {
    hint: "old ones are removed; run the call again",
  });
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

/** The newest calls that are counted: parsing more would take too long. */
const COUNTED = 5000;
const HOUR_MS = 3_600_000;

/** Counts the calls of a time by bucket and by tool; by default those of the last hour. */
async function countCalls(
  journal: Journal,
  { since, until = Date.now(), buckets }: Given<"counts">["query"],
): Promise<AnswerOf<"counts">> {
  const from = since ?? until - HOUR_MS;
  if (from >= until)
    throw new ToolError("INVALID_INPUT", `since: expected a time before until (${until}), got ${from}`);
  const newest = await journal.list({ limit: COUNTED });
  const calls = newest.filter(({ receivedAt }) => receivedAt >= from && receivedAt < until);
  const bucketMs = (until - from) / buckets;
  const byBucket = Map.groupBy(calls, ({ receivedAt }) => Math.floor((receivedAt - from) / bucketMs));
  const byTool = Map.groupBy(calls, ({ name }) => name);
  const oldest = newest.at(-1)?.receivedAt ?? 0;
  return {
    bucketMs,
    points: Array.from({ length: buckets }, (_, index) => ({
      at: from + index * bucketMs,
      ...countsOf(byBucket.get(index) ?? []),
      codes: codesOf(byBucket.get(index) ?? []),
    })),
    tools: [...byTool]
      .map(([name, ofTool]) => ({ name, ...countsOf(ofTool) }))
      .toSorted((left, right) => right.calls - left.calls),
    isPartial: newest.length === COUNTED && oldest > from,
  };
}

function countsOf(calls: readonly CallRecord[]) {
  const durations = calls
    .flatMap(({ answer }) => answer?.meta.durationMs ?? [])
    .toSorted((left, right) => left - right);
  const at = (share: number): number | null => durations[Math.floor(durations.length * share)] ?? null;
  const failed = calls.filter(({ answer }) => answer?.ok === false).length;
  return { calls: calls.length, failed, p50Ms: at(0.5), p95Ms: at(0.95) };
}

function codesOf(calls: readonly CallRecord[]): Readonly<Record<string, number>> {
  const failed = calls.flatMap(({ answer }) => (answer?.ok === false ? answer.error.code : []));
  return Object.fromEntries(
    [...Map.groupBy(failed, (code) => code)].map(([code, all]) => [code, all.length]),
  );
}
