import type { AnswerOf, Given, Handlers } from "../api/routes.ts";
import { randomUUID } from "node:crypto";
import { ERROR_CODES, ToolError } from "../../../core/errors.ts";
import { countCalls } from "../calls/count-calls.ts";
import type { CallRecord, Journal, JournalQuery } from "../../../core/store/journal.ts";
import { defined } from "../../../util/json/defined.ts";
import { errorMessage } from "../../../util/text/error-message.ts";
import { callDetail } from "../calls/call-detail.ts";
import { mergeCalls } from "../calls/merge-calls.ts";
import { exportCalls } from "../../terminal/trace/export-calls.ts";
import { Refusal } from "../api/refusal.ts";
import type { Slot } from "../../../engine/types/options.ts";
import { withSlot } from "../../gateway/sessions/client-session.ts";
import type { ServedEngine } from "../server/served.ts";
import { UNPLACED } from "../../terminal/trace/watch-calls.ts";
import { toCallRow } from "../calls/call-row.ts";

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
      const { format, limit, session, name, all } = query;
      const isEvery = all || session !== undefined || isOfFleet;
      const folder = isEvery ? undefined : served.folder;
      const records = await journal.list(defined({ limit, session, name, folder }));
      const { text, type } = exportCalls(records, format);
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

/** Positions that the first step of a search covers: few, because other requests wait during a step. */
const FIRST_STEP = 5000;
/** A step of this time is followed by one of the same size, a shorter one by a larger. */
const STEP_MS = 20;
/** A page is returned after this time with what was found; `next` goes on there. */
const SEARCH_MS = 150;

/** Returns a page of the calls. A search that takes long goes through a part of each journal; `next` goes on there. */
async function pageOfCalls(
  { journals, running, folder }: Pick<ServedEngine, "journals" | "running" | "folder">,
  query: Given<"calls">["query"],
): Promise<AnswerOf<"calls">> {
  const { limit, before = "" } = query;
  const starts = before.split(".").map(toPosition);
  const pages = await Promise.all(
    // Calls of a fleet are made in folders of other machines.
    journals().map((journal, index) =>
      partOfJournal(journal, index === 0 ? folder : undefined, { ...query, before: starts[index] }),
    ),
  );
  const { calls, taken } = mergeCalls(
    pages.map(({ found }) => found),
    limit,
  );
  const ends = pages.map((page, index) => endOf(page, taken[index] ?? 0, starts[index]));
  return {
    calls: calls.map((record) => toCallRow(record, running.has(record.callId))),
    next: ends.every((end) => end === 0) ? null : ends.join("."),
    isPartial: pages.some(({ found, lowest }) => found.length <= limit && lowest >= 0),
  };
}

type PartOfJournal = Awaited<ReturnType<typeof search>>;

/** Returns the position before which the next page goes on; 0 at the end of the journal, undefined at its beginning. */
function endOf(
  { found, lowest }: PartOfJournal,
  taken: number,
  start: number | undefined,
): number | undefined {
  if (taken < found.length) return taken === 0 ? start : found[taken - 1]?.position;
  return lowest + 1;
}

/** Searches one journal for a call more than a page has. */
async function partOfJournal(
  journal: Journal,
  own: string | undefined,
  query: Omit<Given<"calls">["query"], "before"> & { readonly before: number | undefined },
): Promise<PartOfJournal> {
  const { limit, name, session, state, outcome, text, parent, all, from, to } = query;
  const before = query.before ?? (await positionAt(journal, to));
  const first = await positionAt(journal, from);
  const after = first === undefined ? undefined : first - 1;
  const folder = all || session !== undefined || parent !== undefined ? undefined : own;
  const wanted: JournalQuery = defined({
    before,
    after,
    name,
    session,
    folder,
    state,
    outcome,
    text,
    parent,
  });
  const literal = await search(journal, wanted, limit + 1);
  const pair = literal.found.length === 0 && literal.lowest < 0 ? storedPair(text) : undefined;
  return pair === undefined ? literal : search(journal, { ...wanted, text: pair }, limit + 1);
}

/** Returns `key=value`, as a call is shown on one line, in the way in which its input is stored; undefined for any other text. */
function storedPair(text: string | undefined): string | undefined {
  const [, key, value = ""] = /^([\w-]+)=(.+)$/s.exec(text ?? "") ?? [];
  if (key === undefined) return undefined;
  const isText = !/^(?:true|false|null|-?[\d.]+|[[{].*)$/s.test(value);
  return `${JSON.stringify(key)}:${isText ? JSON.stringify(value).slice(0, -1) : value}`;
}

/** Goes back through the journal in steps until it has found `limit` calls, or for some time. `lowest` is the position that it has reached, -1 at the end. */
async function search(journal: Journal, wanted: JournalQuery, limit: number) {
  const beganAt = performance.now();
  const matches: CallRecord[] = [];
  let { before } = wanted;
  const { after: floor = -1 } = wanted;
  let [step, lowest] = [FIRST_STEP, await newestBefore(journal, before)];
  while (lowest > floor && matches.length < limit && performance.now() - beganAt < SEARCH_MS) {
    const steppedAt = performance.now();
    lowest = Math.max(floor, lowest - step);
    const query = { ...wanted, ...defined({ before }), after: lowest, limit: limit - matches.length };
    matches.push(...(await journal.list(query)));
    before = lowest + 1;
    if (performance.now() - steppedAt < STEP_MS) step *= 2;
  }
  return { found: matches, lowest: lowest <= floor ? -1 : lowest };
}

/** Returns the position of the first call that was received at a time or later; undefined without a time. */
async function positionAt(journal: Journal, at: number | undefined): Promise<number | undefined> {
  if (at === undefined) return undefined;
  let [low, high] = [0, (await newestBefore(journal, undefined)) + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [call] = await journal.list({ before: middle + 1, limit: 1 });
    if (call === undefined || call.receivedAt < at) low = middle + 1;
    else high = Math.min(middle, call.position);
  }
  return low;
}

/** Returns the position of the newest call before another. */
async function newestBefore(journal: Journal, before: number | undefined): Promise<number> {
  if (before !== undefined && before !== UNPLACED) return before;
  const [newest] = await journal.list({ limit: 1, ...defined({ before }) });
  if (newest?.position !== UNPLACED) return newest?.position ?? -1;
  // Calls that are not in the database yet come before all that are; there are few.
  const [placed] = await journal.list({ limit: 1, before: UNPLACED });
  return placed?.position ?? 0;
}

/** Returns undefined for the beginning of the journal. */
function toPosition(text: string): number | undefined {
  if (text === "") return undefined;
  const position = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(position)) return position;
  throw new ToolError(
    "INVALID_INPUT",
    `before: expected the \`next\` of a page, got ${JSON.stringify(text)}`,
  );
}
