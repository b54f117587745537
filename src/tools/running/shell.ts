import { existsSync } from "node:fs";
import { ArtifactsKey } from "../../core/artifacts.ts";
import { Reply } from "../../core/content.ts";
import type { ToolContext } from "../../core/context.ts";
import { defineTool } from "../../core/define-tool.ts";
import { ToolError } from "../../core/errors.ts";
import { integer, object, optional, string } from "../../core/schema.ts";
import type { Tool } from "../../core/tool.ts";
import type { Captured, Tail } from "../../system/capture.ts";
import { createCapture } from "../../system/capture.ts";
import { holdTarget } from "../../system/paths-folder.ts";
import { resolveTarget } from "../../system/paths.ts";
import type { ProcessEnd } from "../../system/process.ts";
import { runProcess } from "../../system/process.ts";
import { KEPT_TEXT_BYTES, MAX_TEXT_BYTES } from "../answer-limits.ts";
import { judgedCommand, judgedPath } from "../judged.ts";
import { parameterAliasesOf } from "../parameter-aliases.ts";
import type { RunningOptions } from "./options.ts";

const DEFAULT_SECONDS = 30;
const MAX_SECONDS = 600;
/** From TERM to KILL; the call's own grace leaves room for the KILL to work and the output to be read. */
const KILL_MS = 1000;
const GRACE_MS = 2500;

/** A command that may open its own output by name. */
const OPENS_OUTPUT = /\/dev\/(?:stdout|stderr|fd\/)|\/proc\/self\/fd/;

const input = object({
  command: string("The command line", { min: 1 }),
  cwd: optional(string("The folder to run it in; left out: the workspace", { min: 1 })),
  timeout_seconds: optional(
    integer("Ends the command after so long", { min: 1, max: MAX_SECONDS }),
    DEFAULT_SECONDS,
  ),
  idle_timeout_seconds: optional(
    integer("Ends the command when it has printed nothing for so long", { min: 1, max: MAX_SECONDS }),
  ),
  description: optional(string("What it is for, in a few words, for whoever is asked to approve it")),
});

/** Runs a command line in a shell of its own. */
export function shell({ root, home, environment }: RunningOptions): Tool {
  return defineTool({
    name: "shell",
    aliases: ["bash", "terminal_execute"],
    description:
      "Runs a command line in bash (or sh) and answers with its output and exit code. Standard input is empty. " +
      `It is ended after timeout_seconds (${DEFAULT_SECONDS} if left out, at most ${MAX_SECONDS}) with everything ` +
      `it started. Output over ${MAX_TEXT_BYTES / 1024} KB shows its last ${KEPT_TEXT_BYTES / 1024} KB; read_artifact reads the whole.`,
    input,
    parameterAliases: parameterAliasesOf(input),
    risk: "high",
    place: "sandbox",
    source: "built-in",
    group: "running",
    effects: "unsafe",
    limits: { shape: "log" },
    limitsOf: ({ timeout_seconds, idle_timeout_seconds }) => ({
      timeoutMs: timeout_seconds * 1000,
      graceMs: GRACE_MS,
      ...(idle_timeout_seconds !== undefined && { idleTimeoutMs: idle_timeout_seconds * 1000 }),
    }),
    async facts({ command, cwd }) {
      const base = { cwd: root, access: "read", ...(home !== undefined && { home }) } as const;
      const folder = await resolveTarget(cwd ?? root, base);
      return [{ kind: "command", text: command, cwd: folder.path }, folder];
    },
    attributes: ({ timeout_seconds, description }) => ({
      timeout_seconds,
      ...(description !== undefined && { description }),
    }),
    async run(_input, context) {
      const { end, captured } = await execute(environment, context);
      if (context.signal.aborted) throw cutShort(context.signal.reason, end, captured);
      return answer(end, captured);
    },
  });
}

interface Execution {
  readonly end: ProcessEnd;
  readonly captured: Captured;
}

async function execute(env: RunningOptions["environment"], context: ToolContext): Promise<Execution> {
  const capture = createCapture({
    maxBytes: MAX_TEXT_BYTES,
    keptBytes: KEPT_TEXT_BYTES,
    spill: () => context.find(ArtifactsKey)?.create(),
  });
  const { text } = judgedCommand(context);
  const folder = await holdTarget(judgedPath(context));
  try {
    const end = await runProcess({
      file: existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh",
      args: ["-c", text],
      cwd: folder.here,
      env,
      signal: context.signal,
      graceMs: KILL_MS,
      namedPipes: OPENS_OUTPUT.test(text),
      onOutput(chunk) {
        context.emit(chunk);
        return capture.write(chunk);
      },
    });
    return { end, captured: await capture.close() };
  } finally {
    await folder.close();
  }
}

function cutShort(reason: unknown, end: ProcessEnd, captured: Captured): ToolError {
  const { code, message, hint, details } =
    reason instanceof ToolError ? reason : new ToolError("CANCELLED", "the call was cancelled");
  return new ToolError(code, message, {
    ...(hint !== undefined && { hint }),
    details: { ...details, ...toData(end, captured) },
    cause: reason,
  });
}

function answer(end: ProcessEnd, captured: Captured): Reply {
  const { all, artifactId } = captured;
  const output = all.text === "" ? "[no output]" : all.text;
  const lines = [output.replace(/\n$/, ""), ...outcome(end)].join("\n");
  const data = toData(end, captured);
  if (!all.isCut) return new Reply(lines, { data });
  const rest =
    artifactId === undefined ? "the rest was not kept" : `read_artifact id=${artifactId} reads the whole`;
  return new Reply(`[truncated: the last ${all.text.length} of ${all.total} characters; ${rest}]\n${lines}`, {
    data,
    truncated: { shape: "log", total: all.total, ...(artifactId !== undefined && { artifactId }) },
  });
}

function outcome({ exitCode, signal }: ProcessEnd): readonly string[] {
  if (signal !== null) return [`[ended by ${signal}]`];
  return exitCode === 0 ? [] : [`[exit code ${exitCode}]`];
}

function toData(end: ProcessEnd, { stdout, stderr }: Captured) {
  return { stdout: shown(stdout), stderr: shown(stderr), exit_code: end.exitCode, signal: end.signal };
}

function shown({ text, total, isCut }: Tail): string {
  return isCut ? `[truncated: the last ${text.length} of ${total} characters]\n${text}` : text;
}
