import { extname, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ToolError } from "../../../core/errors.ts";
import type { CallRecord, Journal, JournalQuery } from "../../../core/store/journal.ts";
import { defined } from "../../../util/json/defined.ts";
import { callKey } from "../../../util/text/call-key.ts";
import { openConfiguredStore } from "../../host/store/open-configured-store.ts";
import { numberFlag, onlyArgument, refuseArguments, refuseFlags } from "../input/check-arguments.ts";
import { STORED_FLAGS, type Arguments, type Command, type Shown } from "../input/command.ts";
import { loadStoreSettings } from "../input/load-settings.ts";
import { writeNewFile } from "../print/write-new-file.ts";
import { callLines } from "../trace/call-lines.ts";
import { exportCalls, toJsonLine, TRACE_FORMATS, type TraceFormat } from "../trace/export-calls.ts";
import { findCalls, findPages, listIn, listPages } from "../trace/find-calls.ts";
import { callsMadeBy, showCall } from "../trace/show-call.ts";
import { watchCalls } from "../trace/watch-calls.ts";

const SHOWN = 20;
const EXPORTED = 10_000;
const POLL_MS = 250;

const ACTIONS = ["list", "show", "follow", "search", "export"] as const;
type Action = (typeof ACTIONS)[number];
const LISTING: readonly Action[] = ["list", "search", "export"];

/** Formats by the ending of a file. */
const ENDINGS: Readonly<Record<string, TraceFormat>> = {
  ".jsonl": "jsonl",
  ".json": "otlp",
  ".html": "html",
};

export const trace: Command = {
  name: "trace",
  summary: "list, show, follow, search or export recorded calls",
  usage:
    "[list] [--all] [--limit N] [--state STATE] [--outcome OUTCOME] [--session ID] [--name TOOL] [--json]\n" +
    "[show] CALL [--json]\nfollow [--limit N] [--json]\nsearch TEXT [--json]\nexport [FILE] [--format FORMAT]",
  notes:
    "The calls of this folder, or with --all of every folder. An id can be given by its end; of several calls with one id, show lists the keys.",
  positionals: ["action", "entry"],
  actions: ACTIONS,
  flags: {
    all: { summary: "include the calls of other folders", for: [...LISTING, "follow"] },
    json: { summary: "print each call as a line of JSON, whole", for: ["list", "show", "follow", "search"] },
    limit: {
      summary: `newest calls, at most (default: ${SHOWN}; export: ${EXPORTED}; with --json: all); follow: end after this many`,
      value: "N",
    },
    state: {
      summary: "only calls in this state",
      value: "STATE",
      choices: ["open", "pending", "answered", "interrupted"],
      for: LISTING,
    },
    outcome: {
      summary: "only calls with this outcome: ok, failed or an error code",
      value: "OUTCOME",
      for: LISTING,
    },
    session: { summary: "only calls of this session", value: "ID" },
    name: { summary: "only calls of this tool", value: "TOOL", for: [...LISTING, "follow"] },
    format: {
      summary: "export: format (default: by the ending of FILE, .jsonl, .json or .html; else jsonl)",
      value: "FORMAT",
      choices: TRACE_FORMATS,
      for: ["export"],
    },
    ...STORED_FLAGS,
  },
  examples: {
    trace: `the last ${SHOWN} calls of this folder, one per line`,
    "trace --all --outcome failed": "calls that failed, in any folder",
    "trace show 9f1c02ab": "one call whole: input, decision, answer",
    "trace follow": "print calls as they begin and end, until Ctrl-C",
    'trace search "TODO"': "calls with this text in their tool, input or answer",
    "trace export calls.html": "a page that needs no other file",
    "trace export spans.json": "an OTLP request, with a span for each call",
  },
  async run(given, world) {
    const config = loadStoreSettings(given.flags, world);
    readRequest(given);
    using interrupt = given.positionals[0] === "follow" ? world.interrupt() : undefined;
    // Opening the journal settles calls that dead processes left open.
    await using store = await openConfiguredStore(config, world.output.warn);
    const ended = interrupt && AbortSignal.any([interrupt.signal, world.output.closed]);
    await runTrace({ journal: store.journal, folder: config.paths.workspace[0], ended }, given, world);
  },
};

export interface Traced {
  readonly journal: Journal;
  readonly folder: string;
  /** Ends `follow`, which is refused without it. */
  readonly ended?: AbortSignal | undefined;
}

/** Prints calls of an open journal. */
export async function runTrace(traced: Traced, given: Arguments, shown: Shown): Promise<void> {
  const request = readRequest(given);
  await RUN[request.action](traced, request, shown);
}

interface Request {
  readonly action: Action;
  readonly argument: string | undefined;
  readonly query: JournalQuery;
  readonly isAll: boolean;
  readonly isJson: boolean;
  readonly format: TraceFormat | undefined;
}

/** Throws on unused arguments, and on flags that the action does not use. A first argument that is no action is the id of a call. */
function readRequest(given: Arguments): Request {
  const { flags, positionals } = given;
  const [first = "list", ...others] = positionals;
  const known = ACTIONS.find((name) => name === first);
  const [action, rest] = known === undefined ? (["show", positionals] as const) : ([known, others] as const);
  refuseFlags(trace, given, action);
  const isCount = (value: number): boolean => Number.isInteger(value) && value > 0;
  const limit = numberFlag(given, "limit", isCount, "a whole number above 0");
  const { session, state, name, outcome } = flags;
  const [isAll, isJson] = [flags["all"] === true, flags["json"] === true];
  return {
    action,
    argument: argumentOf(action, rest),
    // The values of these flags are texts, and that of `state` is one of its choices.
    query: defined({ session, state, name, outcome, limit }) as JournalQuery,
    isAll: isAll || session !== undefined,
    isJson,
    format: flags["format"] as TraceFormat | undefined,
  };
}

function argumentOf(action: Action, rest: readonly string[]): string | undefined {
  if (action === "show") return onlyArgument(rest, "call id: toolwright trace show CALL");
  if (action === "search") return onlyArgument(rest, "text: toolwright trace search TEXT", "quote the text");
  refuseArguments(action === "export" ? rest.slice(1) : rest);
  return rest[0];
}

type Run = (traced: Traced, request: Request, shown: Shown) => Promise<void>;

const RUN: Readonly<Record<Action, Run>> = {
  list: (traced, request, shown) => list(traced, request, shown),

  search: (traced, request, shown) => list(traced, request, shown, { text: request.argument ?? "" }),

  async show({ journal }, { argument = "", query: { session }, isJson }, shown) {
    const calls = await findCalls(journal, argument, session);
    const [call, ...others] = calls;
    if (isJson || call === undefined) return printCalls(calls, { isJson }, shown);
    if (others.length === 0) {
      const made = await callsMadeBy(call, journal);
      return shown.output.print(showCall(call, made.toReversed(), shown.columns));
    }
    await printCalls(calls, { isJson }, shown);
    return shown.output.log(
      `${calls.length} calls have the id ${call.callId}: toolwright trace show ${callKey(call)}`,
    );
  },

  async follow({ journal, folder, ended }, { query, isAll, isJson }, shown) {
    if (ended === undefined)
      throw new ToolError("INVALID_INPUT", "follow can only be used on the command line", {
        hint: "calls are shown as they run",
      });
    const { limit = Number.POSITIVE_INFINITY, ...filter } = query;
    const changes = watchCalls(journal, { ...filter, ...(!isAll && { folder }) });
    for (let count = 0; count < limit && !ended.aborted;) {
      for (const call of await changes()) {
        if (count === limit) return;
        if (call.answer !== null) count += 1;
        await printCalls([call], { isJson, isGrowing: true }, shown);
      }
      if (count < limit) await wait(POLL_MS, undefined, { signal: ended }).catch(() => undefined);
    }
  },

  async export({ journal, folder }, { argument: file, query, isAll, format }, { output }) {
    const { limit = EXPORTED, ...filter } = query;
    const wanted = { ...filter, limit, ...(!isAll && { folder }) };
    const { pages, count, isCut } = await findPages((one) => journal.list(one), wanted);
    const chosen = format ?? ENDINGS[extname(file ?? "")] ?? "jsonl";
    const texts = chosen === "jsonl" ? linesOf(journal, pages) : oneText(await journal.list(wanted), chosen);
    if (isCut && query.limit === undefined)
      output.log(`toolwright: only the newest ${limit} calls are exported; --limit N exports more`);
    if (file === undefined) {
      for await (const text of texts) await output.print(text);
      return undefined;
    }
    await writeNewFile(resolve(folder, file), texts);
    return output.log(`wrote ${file}: ${count} calls`);
  },
};

/** An OTLP request and a page are one document. */
async function* oneText(calls: readonly CallRecord[], format: TraceFormat): AsyncIterable<string> {
  yield exportCalls(calls, format).text;
}

/** Yields the calls oldest first, a page at a time. */
async function* linesOf(journal: Journal, pages: readonly JournalQuery[]): AsyncIterable<string> {
  for (const page of pages.toReversed()) yield exportCalls(await journal.list(page), "jsonl").text;
}

async function list(
  { journal, folder }: Traced,
  { query, isAll, isJson }: Request,
  shown: Shown,
  more: JournalQuery = {},
): Promise<void> {
  const limit = query.limit ?? (isJson ? undefined : SHOWN);
  const wanted = { ...query, ...more, ...defined({ limit }) };
  let isEmpty = true;
  const find = (one: JournalQuery) => (isAll ? journal.list(one) : listIn(journal, folder, one));
  for await (const calls of listPages(find, wanted)) {
    isEmpty = false;
    await printCalls(calls, { isJson }, shown);
  }
  if (!isEmpty || isJson) return undefined;
  return shown.output.print(
    isAll ? "no calls found\n" : "no calls found in this folder; --all lists those of every folder\n",
  );
}

/** Prints one line for each call; those that failed, and those whose command failed, are red. */
async function printCalls(
  calls: readonly CallRecord[],
  { isJson, isGrowing }: { readonly isJson: boolean; readonly isGrowing?: boolean },
  { output, columns }: Shown,
): Promise<void> {
  if (isJson) for (const call of calls) await output.print(toJsonLine(call));
  else
    for (const { text, isFailed } of callLines(calls, columns, isGrowing))
      await output.print(`${text}\n`, isFailed ? "red" : undefined);
}
