import type { Entry, SessionInfo, Transcripts } from "../../../agent/sessions/transcript.ts";
import type { CallRecord, Journal } from "../../../core/store/journal.ts";
import { callKey } from "../../../util/text/call-key.ts";
import { shortened } from "../../../util/text/shortened.ts";
import type { CallRow } from "../api/call-shapes.ts";
import type { AnswerOf } from "../api/routes.ts";
import { toCallRow } from "./call-row.ts";
import { phasesOf } from "./phases.ts";

type Waterfall = AnswerOf<"waterfall">;
type Span = Waterfall["spans"][number];

/** Agents below agents, and the calls of each, that are shown. */
const MAX_DEPTH = 5;
const MAX_CALLS = 2000;

interface Sources {
  readonly transcripts: Pick<Transcripts, "entries">;
  readonly journal: Pick<Journal, "list">;
  /** All stored sessions, among which are those of the agents that the session started. */
  readonly stored: readonly SessionInfo[];
}

/** Returns what happened in a session and in those of its agents, on one time axis, and what it cost. */
export async function waterfallOf(sources: Sources, info: SessionInfo, now: number): Promise<Waterfall> {
  const spans = await spansOf(sources, info, undefined, 0);
  const turns = spans.filter(({ kind }) => kind === "turn");
  const sum = (valueOf: (span: Span) => number | null): number =>
    turns.reduce((total, span) => total + (valueOf(span) ?? 0), 0);
  const models = Map.groupBy(turns, ({ name }) => name);
  return {
    from: Math.min(info.createdAt, ...spans.map(({ from }) => from)),
    to: Math.max(info.createdAt, ...spans.map(({ from, to }) => to ?? Math.max(from, now))),
    spans,
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    cost: sum(({ cost }) => cost),
    models: [...models].map(([model, found]) => ({
      model,
      turns: found.length,
      inputTokens: found.reduce((total, span) => total + (span.inputTokens ?? 0), 0),
      outputTokens: found.reduce((total, span) => total + (span.outputTokens ?? 0), 0),
      cost: found.reduce((total, span) => total + (span.cost ?? 0), 0),
    })),
  };
}

async function spansOf(
  sources: Sources,
  info: SessionInfo,
  below: string | undefined,
  depth: number,
): Promise<readonly Span[]> {
  const { transcripts, journal, stored } = sources;
  const [entries, calls] = await Promise.all([
    transcripts.entries(info.id),
    journal.list({ session: info.id, limit: MAX_CALLS }),
  ]);
  const own = `session ${info.id}`;
  const turns = turnsOf(entries, info, own);
  const children = depth >= MAX_DEPTH ? [] : stored.filter((one) => isStartedBy(one, info));
  const callSpans = callSpansOf(calls, turns, own);
  const agents = await Promise.all(
    children.map((child) => spansOf(sources, child, delegatingCall(callSpans, child) ?? own, depth + 1)),
  );
  const inside = [...turns.map(({ span }) => span), ...callSpans, ...agents.flat()].toSorted(
    (left, right) => left.from - right.from,
  );
  const ends = inside.map(({ from, to }) => to ?? from);
  const session: Span = {
    ...EMPTY,
    id: own,
    parentId: below ?? null,
    kind: "agent",
    name: info.agent.name,
    detail: info.title,
    from: Math.min(info.createdAt, ...inside.map(({ from }) => from)),
    to: isWorking(info.state) ? null : Math.max(info.createdAt, ...ends),
    outcome: info.state === "failed" ? "failed" : "ok",
    address: ["sessions", info.id],
  };
  return [session, ...inside];
}

const EMPTY = {
  outcome: null,
  phases: [],
  inputTokens: null,
  outputTokens: null,
  cost: null,
  worker: null,
  machine: null,
  address: null,
} satisfies Partial<Span>;

function isStartedBy(one: SessionInfo, { agent }: SessionInfo): boolean {
  return one.agent.parentId === agent.id && one.agent.id !== agent.id;
}

function isWorking(state: SessionInfo["state"]): boolean {
  return ["waiting_for_model", "executing_tools", "waiting_for_approval"].includes(state);
}

interface Turn {
  readonly span: Span;
  /** The calls that the answer asks for. */
  readonly callIds: readonly string[];
}

/** Returns the turns of the model: from the message before an answer to the answer. */
function turnsOf(entries: readonly Entry[], info: SessionInfo, parentId: string): readonly Turn[] {
  const paid = paidByTurn(entries);
  let before = info.createdAt;
  return entries.flatMap((entry) => {
    if (entry.kind !== "message") return [];
    const from = before;
    before = entry.at;
    if (entry.message.role !== "assistant") return [];
    const { model = info.model, ...spent } = paid.get(entry.turn) ?? {};
    // A turn is paid once, also if it added two messages.
    paid.delete(entry.turn);
    const { parts } = entry.message;
    const callIds = parts.flatMap((part) => (part.type === "call" ? [part.call.id] : []));
    const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(" ");
    const span: Span = {
      ...EMPTY,
      id: `${parentId} turn ${entry.seq}`,
      parentId,
      kind: "turn",
      name: model,
      detail: shortened(text.replaceAll(/\s+/g, " "), 120),
      from,
      to: entry.at,
      ...spent,
    };
    return [{ span, callIds }];
  });
}

interface Paid {
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cost: number | null;
}

/** Returns what the model was paid in each turn: for its answer, and for summaries of the conversation. */
function paidByTurn(entries: readonly Entry[]): Map<number, Paid> {
  const paid = new Map<number, Paid>();
  for (const entry of entries) {
    if (entry.kind !== "usage") continue;
    const before = paid.get(entry.turn);
    paid.set(entry.turn, {
      model: entry.model,
      inputTokens: (before?.inputTokens ?? 0) + entry.usage.inputTokens,
      outputTokens: (before?.outputTokens ?? 0) + entry.usage.outputTokens,
      cost: entry.cost === undefined ? (before?.cost ?? null) : (before?.cost ?? 0) + entry.cost,
    });
  }
  return paid;
}

/**
 * Returns the calls of a session: a nested one below the call that made it, another below the turn that asked for it. Ids of calls
 * repeat, so that the newest call or turn with the id before it counts.
 */
function callSpansOf(
  records: readonly CallRecord[],
  turns: readonly Turn[],
  session: string,
): readonly Span[] {
  const calls = records.map((record) => ({
    record,
    row: toCallRow(record),
    id: `${session} call ${callKey(record)}`,
  }));
  const byId = Map.groupBy(
    calls.toSorted((left, right) => left.row.receivedAt - right.row.receivedAt),
    ({ row }) => row.callId,
  );
  const turnsByCall = Map.groupBy(
    turns.flatMap(({ span, callIds }) => callIds.map((callId) => ({ callId, span }))),
    ({ callId }) => callId,
  );
  return calls.map(({ record, row, id }) => {
    const { callId, parentId, receivedAt } = row;
    const outer = parentId === null ? [] : (byId.get(parentId) ?? []);
    const parent =
      outer.findLast((one) => one.row.receivedAt <= receivedAt)?.id ??
      turnsByCall.get(callId)?.findLast(({ span }) => span.from <= receivedAt)?.span.id;
    return callSpanOf(record, row, id, parent ?? session);
  });
}

function callSpanOf(record: CallRecord, row: CallRow, id: string, parentId: string): Span {
  const { usage, trace, machine } = record;
  return {
    ...EMPTY,
    id,
    parentId,
    kind: "call",
    name: row.name,
    detail: row.summary,
    from: row.receivedAt,
    to: row.durationMs === null ? null : row.receivedAt + row.durationMs,
    outcome: row.outcome,
    phases: phasesOf(record),
    inputTokens: usage?.inputTokens ?? null,
    outputTokens: usage?.outputTokens ?? null,
    cost: usage?.cost ?? null,
    worker: trace?.ranOn?.worker ?? null,
    machine: trace?.ranOn?.machine ?? machine,
    address: ["calls", callKey(row)],
  };
}

/** Returns the call during which an agent was started. */
function delegatingCall(calls: readonly Span[], { createdAt }: SessionInfo): string | undefined {
  const open = calls.filter(({ from, to }) => from <= createdAt && (to === null || createdAt <= to));
  return open.toSorted((left, right) => right.from - left.from)[0]?.id;
}
