import { defined } from "../../../util/json/defined.ts";
import { ToolError } from "../../../core/errors.ts";
import type { CallRecord, Journal, JournalQuery } from "../../../core/store/journal.ts";
import { loadConfig } from "../../config/config.ts";
import { openConfiguredStore } from "../../host/store/open-configured-store.ts";
import { alignRows } from "../print/align-rows.ts";
import { commandFailure } from "../print/command-failure.ts";
import { CONFIG_FLAGS, STORE_FLAG, type Arguments, type Command, type Shown } from "../input/command.ts";
import { printWarning } from "../print/output.ts";
import { contentText } from "../../../util/text/content-text.ts";
import { numberFlag, refuseArguments } from "../input/check-arguments.ts";
import { visible } from "../../../util/text/visible.ts";

const SHOWN = 20;

export const trace: Command = {
  name: "trace",
  summary: "list recorded calls and their answers, newest first",
  usage: "[CALL_ID] [--json] [--limit N] [--state STATE] [--session ID] [--name TOOL]",
  positionals: ["call"],
  flags: {
    json: { summary: 'print one JSON object per call: {"callId", "name", "state", "answer"}' },
    limit: { summary: `limit on calls (default: ${SHOWN}; with --json: none)`, value: "N" },
    state: {
      summary: "list only calls in this state",
      value: "STATE",
      choices: ["open", "pending", "answered", "interrupted"],
    },
    session: { summary: "list only calls of this session", value: "ID" },
    name: { summary: "list only calls of this tool", value: "TOOL" },
    ...STORE_FLAG,
    profile: CONFIG_FLAGS.profile,
  },
  examples: [
    { line: "trace", does: `the last ${SHOWN} calls, one per line` },
    { line: "trace --state interrupted", does: "calls whose process ended before they were answered" },
    { line: "trace --json --limit 100", does: "the last 100 calls as JSON lines" },
  ],
  async run(given, world) {
    refuseArguments(given.positionals.slice(1), "trace shows one call at a time");
    const config = loadConfig(given.flags, world.environment());
    for (const warning of config.warnings) printWarning(world.output, warning);
    toQuery(given);
    // Opening the journal settles calls that dead processes left open.
    const store = await openConfiguredStore(config);
    try {
      return await runTrace(store.journal, given, world);
    } finally {
      await store.close();
    }
  },
};

/** Prints the calls of an open journal. */
export async function runTrace(
  journal: Journal,
  given: Arguments,
  { output, columns }: Shown,
): Promise<number> {
  const { positionals, flags } = given;
  const [callId] = positionals;
  const calls = await journal.list(toQuery(given));
  if (callId !== undefined && calls.length === 0)
    throw new ToolError("INVALID_INPUT", `no stored call has the id "${callId}"`, {
      hint: "toolwright trace lists the last calls and their ids",
    });
  if (flags["json"] === true)
    for (const { callId: id, name, state, answer } of calls)
      await output.print(`${JSON.stringify({ callId: id, name, state, answer })}\n`);
  else if (callId !== undefined) await output.print(calls.map(page).join("\n"));
  else if (calls.length === 0) await output.print("no calls found\n");
  else await printRows(calls, { output, columns });
  return 0;
}

function toQuery({ positionals: [callId], flags }: Arguments): JournalQuery {
  const isCount = (value: number): boolean => Number.isInteger(value) && value > 0;
  const limit = numberFlag({ flags }, "limit", isCount, "a whole number above 0");
  const most = limit ?? (flags["json"] === true ? undefined : SHOWN);
  const { session, state, name } = flags;
  // The values of these flags are texts, and that of `state` is one of its choices.
  return defined({ callId, session, state, name, limit: most }) as JournalQuery;
}

/** Prints one line for each call; those that failed, and those whose command failed, are red. */
async function printRows(calls: readonly CallRecord[], { output, columns }: Shown): Promise<void> {
  const lines = alignRows(calls.map(row), columns).split(/(?<=\n)/);
  for (const [index, { answer }] of calls.entries()) {
    const isFailed = answer !== null && (!answer.ok || commandFailure(answer) !== undefined);
    await output.print(lines[index] ?? "", isFailed ? "red" : undefined);
  }
}

function row(call: CallRecord): readonly string[] {
  return [timeOf(call), visible(call.callId), visible(call.name), call.state, outcome(call)];
}

function outcome({ answer }: CallRecord): string {
  if (answer === null) return "-";
  const duration = `${answer.meta.durationMs.toFixed(1)} ms`;
  return answer.ok
    ? `${commandFailure(answer) ?? "ok"}, ${duration}`
    : `${answer.error.code}: ${visible(answer.error.message).replaceAll("\n", " ")}`;
}

function page(call: CallRecord): string {
  const { callId, name, session, state, input, answer } = call;
  const facts = [
    ["call", visible(callId)],
    ["tool", visible(name)],
    ["received", timeOf(call)],
    ["session", session ?? "-"],
    ["state", state],
    ["outcome", outcome(call)],
    ["place", answer?.meta.place ?? "-"],
  ];
  const shown = contentText(answer?.content ?? []);
  return `${alignRows(facts)}\ninput:\n${visible(JSON.stringify(input, undefined, 2))}\n\nanswer:\n${visible(shown)}\n`;
}

function timeOf({ receivedAt }: CallRecord): string {
  return new Date(receivedAt).toISOString().replace("T", " ").slice(0, 23);
}
