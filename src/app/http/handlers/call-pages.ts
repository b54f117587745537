import type { AnswerOf, Given } from "../api/routes.ts";
import { ToolError } from "../../../core/errors.ts";
import type { CallRecord, Journal, JournalQuery } from "../../../core/store/journal.ts";
import { defined } from "../../../util/json/defined.ts";
import { mergeCalls } from "../calls/merge-calls.ts";
import type { RunningCalls } from "../calls/running-calls.ts";
import { UNPLACED } from "../../terminal/trace/watch-calls.ts";
import { toCallRow } from "../calls/call-row.ts";

/** The calls that pages are made of. */
interface PagedCalls {
  readonly journals: () => readonly Journal[];
  readonly running: Pick<RunningCalls, "has">;
  /** The folder whose calls are listed, unless all are asked for. */
  readonly folder: string | undefined;
  /** The person whose calls alone are listed. */
  readonly subject?: string | undefined;
}

/** Positions that the first step of a search covers: few, because other requests wait during a step. */
const FIRST_STEP = 5000;
/** A step of this time is followed by one of the same size, a shorter one by a larger. */
const STEP_MS = 20;
/** A page is returned after this time with what was found; `next` goes on there. */
const SEARCH_MS = 150;

/** Returns a page of the calls. A search that takes long goes through a part of each journal; `next` goes on there. */
export async function pageOfCalls(
  paged: PagedCalls,
  query: Given<"calls">["query"],
): Promise<AnswerOf<"calls">> {
  const { calls, ...rest } = await pageOfRecords(paged, query);
  return { calls: calls.map((record) => toCallRow(record, paged.running.has(record.callId))), ...rest };
}

/** The largest page. */
const LARGEST_PAGE = 1000;

/** Returns the newest calls that match, however long the search takes. */
export async function findCalls(
  paged: PagedCalls,
  { limit, ...query }: Omit<Given<"calls">["query"], "before">,
): Promise<readonly CallRecord[]> {
  const matches: CallRecord[] = [];
  let before: string | null = "";
  while (before !== null && matches.length < limit) {
    const size = Math.min(LARGEST_PAGE, limit - matches.length);
    const page: PageOfRecords = await pageOfRecords(paged, { ...query, before, limit: size });
    matches.push(...page.calls);
    before = page.next;
  }
  return matches;
}

type PageOfRecords = Omit<AnswerOf<"calls">, "calls"> & { readonly calls: readonly CallRecord[] };

async function pageOfRecords(
  { journals, folder, subject }: Omit<PagedCalls, "running">,
  query: Given<"calls">["query"],
): Promise<PageOfRecords> {
  const { limit, before = "" } = query;
  const starts = before.split(".").map(toPosition);
  const pages = await Promise.all(
    // Calls of a fleet are made in folders of other machines.
    journals().map((journal, index) =>
      partOfJournal(journal, index === 0 ? folder : undefined, { ...query, before: starts[index], subject }),
    ),
  );
  const { calls, taken } = mergeCalls(
    pages.map(({ found }) => found),
    limit,
  );
  const ends = pages.map((page, index) => endOf(page, taken[index] ?? 0, starts[index]));
  return {
    calls,
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
  query: Omit<Given<"calls">["query"], "before"> & {
    readonly before: number | undefined;
    readonly subject: string | undefined;
  },
): Promise<PartOfJournal> {
  const { limit, name, session, state, outcome, text, parent, all, from, to, subject } = query;
  const before = query.before ?? (await positionAt(journal, to));
  const first = await positionAt(journal, from);
  const after = first === undefined ? undefined : first - 1;
  const isAnywhere = all || session !== undefined || parent !== undefined;
  const folder = query.folder ?? (isAnywhere ? undefined : own);
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
    subject,
  });
  const isMatch = matchOf(query);
  const literal = await search(journal, wanted, limit + 1, isMatch);
  const pair = literal.found.length === 0 && literal.lowest < 0 ? storedPair(text) : undefined;
  return pair === undefined ? literal : search(journal, { ...wanted, text: pair }, limit + 1, isMatch);
}

/** Returns the test of what no store has an index for; undefined if nothing of it is asked for. */
function matchOf({
  source,
  place,
  machine,
  model,
}: Pick<Given<"calls">["query"], "source" | "place" | "machine" | "model">) {
  if ([source, place, machine, model].every((one) => one === undefined)) return undefined;
  const is = (wanted: string | undefined, ...values: readonly unknown[]): boolean =>
    wanted === undefined || values.includes(wanted);
  return ({ answer, trace, usage, machine: receivedOn }: CallRecord): boolean =>
    is(source, answer?.meta.source) &&
    is(place, answer?.meta.place) &&
    is(machine, trace?.ranOn?.worker, trace?.ranOn?.machine ?? receivedOn) &&
    is(model, usage?.model);
}

/** Returns `key=value`, as a call is shown on one line, in the way in which its input is stored; undefined for any other text. */
function storedPair(text: string | undefined): string | undefined {
  const [, key, value = ""] = /^([\w-]+)=(.+)$/s.exec(text ?? "") ?? [];
  if (key === undefined) return undefined;
  const isText = !/^(?:true|false|null|-?[\d.]+|[[{].*)$/s.test(value);
  return `${JSON.stringify(key)}:${isText ? JSON.stringify(value).slice(0, -1) : value}`;
}

/** Calls that are read at once to be tested one by one. */
const TESTED = 1000;

/** Goes back through the journal in steps until it has found `limit` calls, or for some time, but one step at least. `lowest` is the position that it has reached, -1 at the end. */
async function search(
  journal: Journal,
  wanted: JournalQuery,
  limit: number,
  isMatch?: (call: CallRecord) => boolean,
) {
  const matches: CallRecord[] = [];
  let { before } = wanted;
  const { after: floor = -1 } = wanted;
  let [step, lowest] = [FIRST_STEP, await newestBefore(journal, before)];
  const beganAt = performance.now();
  for (let steps = 0; lowest > floor && matches.length < limit; steps += 1) {
    const steppedAt = performance.now();
    if (steps > 0 && steppedAt - beganAt > SEARCH_MS) break;
    lowest = Math.max(floor, lowest - step);
    const most = isMatch === undefined ? limit - matches.length : TESTED;
    const calls = await journal.list({ ...wanted, ...defined({ before }), after: lowest, limit: most });
    matches.push(...(isMatch === undefined ? calls : calls.filter(isMatch)));
    // There may be more calls in this step: the next one goes on after the last of these.
    if (isMatch !== undefined && calls.length === TESTED) lowest = (calls.at(-1)?.position ?? 0) - 1;
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
