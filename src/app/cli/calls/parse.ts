import { resolve } from "node:path";
import { ToolError } from "../../../core/errors.ts";
import type { Json } from "../../../core/json.ts";
import { DIALECT_NAMES, type DialectName } from "../../../models/text-calls/dialects/dialects.ts";
import type { Piece } from "../../../models/text-calls/read/emitter.ts";
import type { KnownTool } from "../../../models/text-calls/read/tool-table.ts";
import type { Command } from "../../terminal/input/command.ts";
import { readStdin } from "../../terminal/input/read-stdin.ts";
import { createTextReader } from "../../../models/text-calls/create-text-reader.ts";
import { parseJson } from "../../terminal/input/read-input.ts";
import { refuseArguments } from "../../terminal/input/check-arguments.ts";
import { toKnownTools } from "../../terminal/input/known-tools.ts";

export const parse: Command = {
  name: "parse",
  summary: "find the tool calls in a model's output on standard input, without running them",
  usage: "[--dialect NAME] [--tools FILE] < FILE",
  positionals: [],
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
  examples: [
    { line: "parse < answer.txt", does: 'print {"text", "calls", "problems"}' },
    {
      line: `parse --dialect hermes <<< '<tool_call>{"name": "ls", "arguments": {}}</tool_call>'`,
      does: "read one dialect and treat all others as text",
    },
    {
      line: "parse --tools tools.json < answer.txt",
      does: "convert values to the types in the tools' schemas",
    },
  ],
  async run({ flags, positionals }, { stdin, output, environment }) {
    refuseArguments(positionals, "the text is read from standard input: toolwright parse < FILE");
    const tools =
      typeof flags["tools"] === "string" ? await readTools(flags["tools"], environment().cwd) : [];
    const reader = createTextReader({ dialect: dialectOf(flags["dialect"]), tools, unlisted: "problem" });
    const found = createFound();
    for await (const text of decode(readStdin(stdin))) found.add(reader.push(text));
    found.add(reader.end());
    await output.print(`${JSON.stringify(found.get())}\n`);
    return 0;
  },
};

/** The value was checked against the names when the flags were parsed. */
function dialectOf(flag: string | boolean | undefined): DialectName | "auto" {
  return typeof flag === "string" ? (flag as DialectName | "auto") : "auto";
}

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

/** Collects what is printed: the whole text, and the calls and problems in order. */
interface Found {
  add(pieces: readonly Piece[]): void;
  get(): Json;
}

function createFound(): Found {
  const texts: string[] = [];
  const calls: Json[] = [];
  const problems: Json[] = [];
  return {
    add: (pieces) => {
      for (const piece of pieces) {
        if (piece.kind === "text") texts.push(piece.text);
        else if (piece.kind === "call") calls.push({ name: piece.call.name, input: piece.call.input });
        else problems.push({ text: piece.text, message: piece.message });
      }
    },
    get: () => ({ text: texts.join(""), calls, problems }),
  };
}
