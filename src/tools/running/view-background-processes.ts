import { maskedPart } from "../../secrets/masked-ends.ts";
import { shortened } from "../../util/text/shortened.ts";
import { builtIn, namedAs } from "../shared/built-in-tool.ts";
import { Reply } from "../../core/content.ts";
import type { JsonObject } from "../../core/json.ts";
import { FindSecretsKey, type FindSecrets } from "../../core/session/find-secrets.ts";
import { integer, list, nullable, object, oneOf, optional, string } from "../../schema/define/schema.ts";
import type { Tool } from "../../core/tool.ts";
import { defined } from "../../util/json/defined.ts";
import { SHOWN_TEXT_BYTES } from "../shared/answer-limits.ts";
import { isRunning, type NamedProcess } from "./background-processes.ts";
import type { Running } from "./running.ts";

const DEFAULT_LINES = 50;
const MAX_LINES = 1000;

const input = object({
  id: optional(string("The id that shell returned; default: a list of all", { min: 1 })),
  mode: optional(
    oneOf(
      ["tail", "since_last", "lines"],
      "tail: the last lines; since_last: the output since the last call with since_last; lines: the first lines",
    ),
    "tail",
  ),
  lines: optional(
    integer("The maximum number of lines, for tail and lines", { min: 1, max: MAX_LINES }),
    DEFAULT_LINES,
  ),
});

const processFields = {
  id: string(),
  pid: integer(),
  command: string(),
  state: oneOf(["running", "ended"]),
  started_at: string(),
  exit_code: nullable(integer()),
  signal: nullable(string()),
  bytes: integer(),
  artifact_id: optional(string()),
};
const process = object(processFields);

export const VIEW_BACKGROUND_PROCESSES = namedAs(
  "view_background_processes",
  input,
  oneOf([object({ processes: list(process) }), object({ ...processFields, output: string() })]),
);

interface View {
  readonly mode: "tail" | "since_last" | "lines";
  readonly lines: number;
  readonly find: FindSecrets | undefined;
}

/** Shows the background processes of the session, or the output of one. */
export function viewBackgroundProcesses(running: Running): Tool {
  return builtIn({
    ...VIEW_BACKGROUND_PROCESSES,
    description:
      "Lists the processes that shell started with background=true in this session, or shows the output of one. " +
      `The first and the last ${SHOWN_TEXT_BYTES / 1024} KB of each are available; longer output is stored as an artifact.`,
    risk: "low",
    place: "sandbox",
    group: "running",
    effects: "own-state",
    limits: { shape: "log" },
    run({ id, mode, lines }, context) {
      const processes = running.processesOf(context);
      if (id !== undefined)
        return show(processes.get(id), { mode, lines, find: context.find(FindSecretsKey) });
      const list = processes.list();
      const text = list.length === 0 ? "[no background processes]" : list.map(lineOf).join("\n");
      return new Reply(text, { data: { processes: list.map(dataOf) } });
    },
  });
}

/** Describes a process in one line. */
function lineOf(named: NamedProcess): string {
  const { id, command, process } = named;
  const seconds = Math.round((Date.now() - process.startedAt) / 1000);
  const end = process.end();
  const ended = end?.signal === null ? `exit code ${end.exitCode}` : `ended by ${end?.signal}`;
  const state = end === undefined ? `running for ${seconds} s` : ended;
  return `[${id}] pid ${process.pid}, ${state}, ${process.bytes()} bytes: ${shortened(command.replaceAll(/\s+/g, " "), 120)}`;
}

/** Returns the data of a process for programs. */
function dataOf(named: NamedProcess): JsonObject {
  const { id, command, process } = named;
  const end = process.end();
  const { artifactId } = process.output();
  return {
    id,
    pid: process.pid,
    command,
    state: isRunning(named) ? "running" : "ended",
    started_at: new Date(process.startedAt).toISOString(),
    exit_code: end?.exitCode ?? null,
    signal: end?.signal ?? null,
    bytes: process.bytes(),
    ...defined({ artifact_id: artifactId }),
  };
}

function show(named: NamedProcess, view: View): Reply {
  const { output, notice } = outputOf(named, view);
  const outputText = output === "" ? "[no output]" : output.replace(/\n$/, "");
  const text = [lineOf(named), ...(notice === undefined ? [] : [notice]), outputText].join("\n");
  return new Reply(text, { data: { ...dataOf(named), output } });
}

function outputOf(named: NamedProcess, { mode, lines, find }: View) {
  const { process } = named;
  const { all, artifactId } = process.output();
  const whole =
    artifactId === undefined ? "" : `; read_artifact id=${artifactId} reads the whole once it has ended`;
  if (mode === "lines") return { output: linesOf(process.head(), 0, lines) };
  if (mode === "tail") {
    const output = linesOf(all.text, -lines, undefined);
    const left = all.total - output.length;
    return left === 0 ? { output } : { output, notice: `[${left} characters before these${whole}]` };
  }
  const unseen = all.total - named.readCharacters;
  named.readCharacters = all.total;
  const output =
    unseen === 0 ? "" : maskedPart(all.text, [Math.max(0, all.text.length - unseen), all.text.length], find);
  const lost = unseen - output.length;
  return lost === 0 ? { output } : { output, notice: `[truncated: ${lost} characters before these${whole}]` };
}

/** Returns lines from the beginning or, with a negative number, from the end. */
function linesOf(text: string, from: number, count: number | undefined): string {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  return lines.slice(from, count).join("");
}

const DEFAULT_SECONDS = 5;
const MAX_SECONDS = 60;
/** Time for the kill and for reading the last output. */
const MARGIN_MS = 5000;

const stopInput = object({
  id: string("The id that shell returned", { min: 1 }),
  grace_seconds: optional(
    integer("Seconds to end by itself before it is killed", { min: 0, max: MAX_SECONDS }),
    DEFAULT_SECONDS,
  ),
});

export const STOP_BACKGROUND_PROCESS = namedAs("stop_background_process", stopInput, process);

/** Ends a background process and all processes it started. */
export function stopBackgroundProcess(running: Running): Tool {
  return builtIn({
    ...STOP_BACKGROUND_PROCESS,
    description:
      "Ends a process that shell started with background=true, and all processes it started: TERM first, KILL after " +
      `grace_seconds (default: ${DEFAULT_SECONDS}, at most ${MAX_SECONDS}).`,
    risk: "medium",
    place: "sandbox",
    group: "running",
    effects: "idempotent",
    limitsOf: ({ grace_seconds }) => ({ timeoutMs: grace_seconds * 1000 + MARGIN_MS }),
    async run({ id, grace_seconds }, context) {
      const named = running.processesOf(context).get(id);
      if (!isRunning(named))
        return new Reply(`${lineOf(named)}\n[it had already ended]`, { data: dataOf(named) });
      await named.process.stop(grace_seconds * 1000);
      return new Reply(lineOf(named), { data: dataOf(named) });
    },
  });
}
