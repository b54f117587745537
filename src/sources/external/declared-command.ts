import { readFileSync } from "node:fs";
import type { ToolContext } from "../../core/context.ts";
import { DEFAULT_CUTS } from "../../core/cuts.ts";
import { ToolError } from "../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { FindSecretsKey } from "../../core/session/find-secrets.ts";
import { createCapture } from "../../system/process/capture.ts";
import { describeEnd, runProcess } from "../../system/process/process.ts";
import { parseJson } from "../../util/json/parse-json.ts";
import { errorMessage } from "../../util/text/error-message.ts";
import type { Problem } from "../runnable-names.ts";
import type { ProgramContext } from "./list-programs.ts";
import { readSchema, type Declaration } from "./schema.ts";
import { namesIn, replaceNames, templateFault } from "./template-fault.ts";

/** The program and arguments of a declared command; `{name}` stands for a parameter. */
export type CommandTemplate = readonly [string, ...string[]];

/** A tool without code: its declaration and the command that it runs. */
export interface DeclaredCommand {
  readonly declaration: Declaration;
  readonly command: CommandTemplate;
}

type Read = DeclaredCommand | { readonly problem: Problem };

const MAX_BYTES = 1024 * 1024;
const { over: maxBytes, keep: tailBytes } = DEFAULT_CUTS.log;
/** Time from TERM to KILL. */
const KILL_MS = 1000;

/** Reads a file that declares a command. Never throws. */
export function readDeclarationFile(path: string): Read {
  try {
    const text = readFileSync(path, "utf8");
    if (text.length > MAX_BYTES) return problem("it is over 1 MB");
    const document = parseJson(text);
    return isObject(document) ? readDeclaredCommand(document) : problem("it is not a JSON object");
  } catch (error) {
    return problem(errorMessage(error));
  }
}

/** Reads the declaration of a command: `name`, `command`, `description` and `parameters`. Never throws. */
export function readDeclaredCommand(document: JsonObject): Read {
  const read = readSchema(JSON.stringify(document));
  if ("problem" in read) return read;
  const { declaration } = read;
  const { command } = document;
  const isList =
    Array.isArray(command) && command.length > 0 && command.every((part) => typeof part === "string");
  if (!isList) return problem('command must be a list of texts, such as ["wc", "-w", "{path}"]');
  const [program = "", ...args] = command as readonly string[];
  const fault = templateFault([program, ...args], declaration.input);
  return fault === undefined ? { declaration, command: [program, ...args] } : problem(fault);
}

/**
 * Returns the arguments of a call. A list becomes several arguments; an argument whose parameter is absent is left out. Throws on
 * a value that the program would take for an option.
 */
export function fillCommand([program, ...args]: CommandTemplate, input: JsonObject): CommandTemplate {
  const end = args.indexOf("--");
  const filled = args.flatMap((arg, index) => {
    const names = namesIn(arg);
    if (names.length === 0) return [arg];
    if (names.some((name) => !Object.hasOwn(input, name))) return [];
    const [name = ""] = names;
    const values =
      arg === `{${name}}`
        ? [input[name] ?? null].flat().map(textOf)
        : [replaceNames(arg, (one) => textOf(input[one] ?? null))];
    const mayBeOption = !arg.startsWith("-") && (end < 0 || index < end);
    const option = mayBeOption ? values.find((value) => value.startsWith("-")) : undefined;
    if (option === undefined) return values;
    const message = `${name} must not begin with "-": ${program} would take it for an option`;
    throw new ToolError("INVALID_INPUT", message, {
      hint:
        name === "path" || name.endsWith("_path")
          ? `write ./${option}`
          : 'the declaration can put "--" before it',
    });
  });
  return [program, ...filled];
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

export interface DeclaredRun extends ProgramContext {
  readonly name: string;
  readonly command: CommandTemplate;
}

/** Runs the command without a shell and returns its standard output. Throws a `ToolError` with its output if it fails. */
export async function runDeclared(
  run: DeclaredRun,
  input: JsonObject,
  context: ToolContext,
): Promise<string> {
  const [file, ...args] = fillCommand(run.command, input);
  const output = createCapture({
    maxBytes,
    tailBytes,
    find: context.find(FindSecretsKey),
    spill: () => undefined,
  });
  const end = await runProcess({
    file,
    args,
    cwd: run.cwd,
    env: run.environment,
    signal: context.signal,
    graceMs: KILL_MS,
    roster: run.roster,
    onOutput: (chunk) => void output.write(chunk),
  });
  const { stdout, stderr } = output.peek();
  context.signal.throwIfAborted();
  if (end.exitCode === 0) return stdout.text;
  const why = stderr.text.trim().split("\n").at(-1) ?? "";
  throw new ToolError("TOOL_FAILED", `"${run.name}" ${describeEnd(end)}${why === "" ? "" : `: ${why}`}`, {
    details: { exit_code: end.exitCode, signal: end.signal, stdout: stdout.text, stderr: stderr.text },
  });
}

function problem(message: string): Read {
  return { problem: { reason: "bad_schema", message } };
}
