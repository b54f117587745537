import { resolve } from "node:path";
import { ToolError } from "../../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import { DIALECT_NAMES, type DialectName } from "../../../models/text-calls/dialects/dialects.ts";
import type { Piece } from "../../../models/text-calls/read/emitter.ts";
import type { KnownTool } from "../../../models/text-calls/read/tool-table.ts";
import type { Command } from "../../terminal/input/command.ts";
import { readStdin } from "../../terminal/input/read-stdin.ts";
import { createTextReader } from "../../../models/text-calls/create-text-reader.ts";
import { parseJson } from "../../terminal/input/read-input.ts";
import { refuseArguments } from "../../terminal/input/check-arguments.ts";

export const parse: Command = {
  name: "parse",
  summary: "find the tool calls in a model's output on standard input, without running them",
  usage: "[--dialect NAME] [--tools FILE] < FILE",
  flags: {
    dialect: {
      summary: "call syntax of the model (default: auto)",
      value: "NAME",
      choices: ["auto", ...DIALECT_NAMES],
    },
    tools: {
      summary: "JSON array of the tools the model was given, in any provider's format",
      value: "FILE",
    },
  },
  examples: {
    "parse < answer.txt": 'print {"text", "calls", "problems"}',
    [`parse --dialect hermes <<< '<tool_call>{"name": "ls", "arguments": {}}</tool_call>'`]:
      "read one dialect and treat all others as text",
    "parse --tools tools.json < answer.txt": "convert values to the types in the tools' schemas",
  },
  async run({ flags, positionals }, { stdin, output, environment }) {
    refuseArguments(positionals, "the text is read from standard input: toolwright parse < FILE");
    const tools =
      typeof flags["tools"] === "string" ? await readTools(flags["tools"], environment().cwd) : [];
    // The value was checked against the names when the flags were parsed.
    const dialect = (flags["dialect"] ?? "auto") as DialectName | "auto";
    const reader = createTextReader({ dialect, tools, unlisted: "problem" });
    const pieces: Piece[] = [];
    for await (const text of decode(readStdin(stdin))) pieces.push(...reader.push(text));
    pieces.push(...reader.end());
    await output.print(`${JSON.stringify(toFound(pieces))}\n`);
  },
};

async function readTools(file: string, folder: string): Promise<readonly KnownTool[]> {
  const { readFile } = await import("node:fs/promises");
  const text = await readFile(resolve(folder, file), "utf8").catch((error: unknown) => {
    throw new ToolError("INVALID_INPUT", `cannot read ${file}`, { cause: error });
  });
  const parsed = parseJson(text, file);
  if ("unreadable" in parsed) throw new ToolError("INVALID_INPUT", parsed.unreadable);
  return toKnownTools(parsed.input, file);
}

async function* decode(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (error instanceof ToolError) throw error;
    throw new ToolError("INVALID_INPUT", "standard input is not UTF-8 text", { cause: error });
  }
}

function toFound(pieces: readonly Piece[]): JsonObject {
  const texts = pieces.filter((piece) => piece.kind === "text").map(({ text }) => text);
  const calls = pieces
    .filter((piece) => piece.kind === "call")
    .map(({ call: { name, input, repair } }) => ({
      name,
      input,
      ...(repair === undefined ? {} : { repair }),
    }));
  const problems = pieces.filter((piece) => piece.kind === "problem");
  return {
    text: texts.join(""),
    calls,
    problems: problems.map(({ text, message }) => ({ text, message })),
  };
}

/** The keys under which providers put the schema of a tool's parameters. */
const SCHEMA_KEYS = ["input", "parameters", "input_schema", "inputSchema"];

/** Parses a list of tools in the format of any provider. Throws on anything else. */
function toKnownTools(value: Json, file: string): readonly KnownTool[] {
  const list = isObject(value) && Array.isArray(value["tools"]) ? value["tools"] : value;
  const tools = Array.isArray(list)
    ? (list as readonly Json[]).flatMap(unfold).map(toKnownTool)
    : [undefined];
  if (tools.includes(undefined))
    throw new ToolError("INVALID_INPUT", `${file} is not a list of tools`, {
      hint: 'expected the output of "toolwright tools --format openai" or of another provider',
    });
  return tools.filter((tool) => tool !== undefined);
}

/** Google lists functions inside of tools. */
function unfold(value: Json): readonly Json[] {
  const inner = isObject(value)
    ? (value["functionDeclarations"] ?? value["function_declarations"])
    : undefined;
  return Array.isArray(inner) ? (inner as readonly Json[]) : [value];
}

function toKnownTool(value: Json): KnownTool | undefined {
  if (!isObject(value)) return undefined;
  const spec: JsonObject = isObject(value["function"]) ? value["function"] : value;
  const { name } = spec;
  if (typeof name !== "string") return undefined;
  const input = SCHEMA_KEYS.map((key) => spec[key]).find(isObject);
  return { name, input: input ?? {} };
}
