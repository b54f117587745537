import { availableParallelism, loadavg } from "node:os";
import { mapConcurrent } from "../../util/async/map-concurrent.ts";
import { hashOfFile } from "../../system/files/content-hash.ts";
import { readDeclarationFile, type CommandTemplate } from "./declared-command.ts";
import {
  isDeclarationFile,
  listPrograms,
  identityOf,
  type Program,
  type ProgramContext,
} from "./list-programs.ts";
import { UNTRUSTED, type Problem } from "../runnable-names.ts";
import { readSchema, type Declaration } from "./schema.ts";
import { errorMessage } from "../../util/text/error-message.ts";
import { ToolError } from "../../core/errors.ts";
import { describeEnd, runProcess, type ProcessEnd } from "../../system/process/process.ts";

/** A folder whose programs are tools. */
export interface ToolDirectory {
  /** Each program in it is a tool. */
  readonly path: string;
  /**
   * Called for each program before it is first run, with its file name and the SHA-256 of its content; an untrusted program is never
   * run. Default: all programs in the folder are trusted.
   */
  readonly isTrusted?: (fileName: string, hash: string) => boolean;
  /** Returns true if a program of this name is trusted with another content, for the message about it. */
  readonly wasTrusted?: (fileName: string) => boolean;
}

/** The result for one file. */
export type Discovered =
  | { readonly program: Program; readonly declaration: Declaration; readonly command?: CommandTemplate }
  | { readonly path: string; readonly problem: Problem };

/**
 * Queries every program in the folders for its schema, many at a time. A program that hangs, crashes or prints too much becomes a
 * problem of its own; rejects only if a folder cannot be read or the signal is aborted.
 */
export async function discover(
  directories: readonly ToolDirectory[],
  context: ProgramContext,
  signal: AbortSignal,
): Promise<readonly Discovered[]> {
  const lists = await Promise.all(
    directories.map(async (directory) =>
      (await listPrograms(directory.path)).map((listed) => ({ directory, listed })),
    ),
  );
  return mapConcurrent(lists.flat(), concurrency(), async ({ directory, listed }) => {
    signal.throwIfAborted();
    return "problem" in listed ? listed : inspect(listed.program, directory, context, signal);
  });
}

/** Programs mostly wait, but each must finish within its second. */
function concurrency(): number {
  return Math.min(32, Math.max(8, availableParallelism() * 4));
}

async function inspect(
  program: Program,
  directory: ToolDirectory,
  context: ProgramContext,
  signal: AbortSignal,
): Promise<Discovered> {
  const { path } = program;
  const problem = checkTrust(program, directory);
  if (problem !== undefined) return { path, problem };
  if (isDeclarationFile(program.fileName)) {
    const declared = readDeclarationFile(path);
    return "problem" in declared ? { path, problem: declared.problem } : { program, ...declared };
  }
  const output = await querySchema(program, context, signal);
  const read = "problem" in output ? output : readSchema(output.text);
  return "problem" in read ? { path, problem: read.problem } : { program, declaration: read.declaration };
}

function checkTrust(
  { path, fileName, identity }: Program,
  { isTrusted, wasTrusted }: ToolDirectory,
): Problem | undefined {
  if (isTrusted === undefined) return undefined;
  const hash = hashOfFile(path);
  if (hash === undefined) return { reason: "failed", message: "it cannot be read, or is over 64 MB" };
  // The hashed content must be what is called later.
  if (identityOf(path) === identity && isTrusted(fileName, hash)) return undefined;
  return wasTrusted?.(fileName) === true ? CHANGED : UNTRUSTED;
}

const CHANGED: Problem = {
  reason: "untrusted",
  message: "it changed since you trusted it",
  hint: "toolwright trust shows the difference, and trusts it again",
};

const TIMEOUT_MS = 1000;
const MAX_LOAD_FACTOR = 3;
const GRACE_MS = 100;
const MAX_BYTES = 1024 * 1024;
const SHOWN_CHARACTERS = 200;

/** The printed schema of a program, or why there is none. */
type SchemaOutput = { readonly text: string } | { readonly problem: Problem };

/**
 * Runs `PROGRAM --schema` with an empty standard input. The program has one second (up to three under load) and one megabyte of
 * output; beyond that its process tree is ended. Rejects only if the signal is aborted.
 */
async function querySchema(
  { path }: Program,
  { cwd, environment, roster }: ProgramContext,
  signal: AbortSignal,
): Promise<SchemaOutput> {
  const timeoutMs = schemaTimeoutMs();
  const timeout = AbortSignal.timeout(timeoutMs);
  const stdout: string[] = [];
  let stderr = "";
  let bytes = 0;
  try {
    const end = await runProcess({
      file: path,
      args: ["--schema"],
      cwd,
      env: environment,
      signal: AbortSignal.any([signal, timeout]),
      graceMs: GRACE_MS,
      roster,
      onOutput({ stream, text }) {
        if (stream === "stderr") {
          stderr = (stderr + text).slice(0, SHOWN_CHARACTERS);
          return;
        }
        bytes += Buffer.byteLength(text);
        // Ends the program.
        if (bytes > MAX_BYTES) throw new Error("too large");
        stdout.push(text);
      },
    });
    signal.throwIfAborted();
    return timeout.aborted ? { problem: late(timeoutMs) } : outputOf(end, stdout.join(""), stderr);
  } catch (error) {
    signal.throwIfAborted();
    if (bytes > MAX_BYTES) return { problem: LARGE };
    return { problem: timeout.aborted ? late(timeoutMs) : notStarted(error) };
  }
}

/** Returns the time limit for `--schema`: longer on a busy machine, so that no tool is lost because a build is running. */
export function schemaTimeoutMs(): number {
  const [load = 0] = loadavg();
  const factor = Math.min(MAX_LOAD_FACTOR, Math.max(1, load / availableParallelism()));
  return Math.round(TIMEOUT_MS * factor);
}

function late(timeoutMs: number): Problem {
  return {
    reason: "timeout",
    message: `it did not answer --schema within ${timeoutMs / 1000} s`,
    hint: "with --schema a program must print its schema and exit without reading standard input",
  };
}

const LARGE: Problem = { reason: "too_large", message: "it printed over 1 MB for --schema" };

function outputOf(end: ProcessEnd, text: string, stderr: string): SchemaOutput {
  if (end.exitCode === 0) return { text };
  const output = stderr.trim() === "" ? "" : `: ${stderr.trim()}`;
  return {
    problem: { reason: "exit_code", message: `it ${describeEnd(end)} when run with --schema${output}` },
  };
}

/** Describes a failed start: a missing program, a missing interpreter, or a script without an interpreter line. */
function notStarted(error: unknown): Problem {
  const message = errorMessage(error);
  const errno = error instanceof ToolError ? error.details?.["errno"] : undefined;
  const mayLackInterpreter = errno === "ENOEXEC" || errno === "ENOENT" || errno === "EACCES";
  const hint = "a script must start with a line that names its interpreter, such as #!/bin/sh";
  return { reason: "failed", message, ...(mayLackInterpreter && { hint }) };
}
