import { isObject, type Json, type JsonObject } from "../../src/core/json.ts";
import { WIRES } from "../../test/support/models/provider-streams.ts";
import type { Streamed, StreamedCall } from "../../test/support/models/provider-wire.ts";

/** One result of a tool, as the model received it. */
export interface Result {
  readonly text: string;
  readonly images: number;
}

/** The tools and results in one request. */
export interface Received {
  /** The client's own tools. */
  readonly own: readonly string[];
  /** The tools of the gateway, by the names that the client gave them. */
  readonly tools: readonly string[];
  readonly results: readonly Result[];
}

/** The tool with which Qwen Code calls the tools of servers; it names them in a text and does not declare them. */
export const CALLER = "tool_call";
/** The id of calls that wait for the tools of the gateway. */
export const WAITING = "call_waiting";

interface Wire {
  readonly path: RegExp;
  /** The declared tools; those of a namespace have its name before theirs. */
  tools(body: JsonObject): readonly string[];
  /** The parts of the conversation in order: results, and other parts, which may hold the images of the result before them. */
  parts(body: JsonObject): readonly JsonObject[];
  /** The id of the call and the content of a result; undefined for other parts. */
  result(part: JsonObject): readonly [id: Json | undefined, content: Json | undefined] | undefined;
  readonly stream: (answer: Streamed) => string;
}

const WIRE_FORMATS: readonly Wire[] = [
  {
    path: /\/messages(?:\?|$)/,
    tools: ({ tools }) => objects(tools).map(nameOf),
    parts: ({ messages }) => objects(messages).flatMap(({ content }) => objects(content)),
    result: ({ type, tool_use_id: id, content }) => (type === "tool_result" ? [id, content] : undefined),
    stream: (answer) => WIRES.anthropic.stream(answer),
  },
  {
    path: /\/responses(?:\?|$)/,
    tools: ({ tools }) =>
      objects(tools).flatMap((one) =>
        one["tools"] === undefined
          ? [nameOf(one)]
          : objects(one["tools"]).map((inner) => `${nameOf(one)}/${nameOf(inner)}`),
      ),
    parts: ({ input }) => objects(input),
    result: ({ type, call_id: id, output }) => (type === "function_call_output" ? [id, output] : undefined),
    stream: (answer) => WIRES.openai.stream(answer),
  },
  {
    path: /\/chat\/completions(?:\?|$)/,
    tools: ({ tools }) => objects(tools).map((one) => nameOf(one["function"] as JsonObject)),
    parts: ({ messages }) => objects(messages),
    result: ({ role, tool_call_id: id, content }) => (role === "tool" ? [id, content] : undefined),
    stream: (answer) => WIRES.compatible.stream(answer),
  },
  {
    path: /:streamGenerateContent/,
    tools: ({ tools }) =>
      objects(tools)
        .flatMap(({ functionDeclarations }) => objects(functionDeclarations))
        .map(nameOf),
    parts: ({ contents }) => objects(contents).flatMap(({ parts }) => objects(parts)),
    result: ({ functionResponse: answer }) => (isObject(answer) ? [answer["id"], answer] : undefined),
    stream: (answer) => WIRES.google.stream(answer),
  },
];

/** Reads a request of any wire; undefined if the path is not of a model. */
export function readRequest(path: string, body: JsonObject): Received | undefined {
  const wire = wireOf(path);
  if (wire === undefined) return undefined;
  const results: Result[] = [];
  for (const part of wire.parts(body)) {
    const [id, content = ""] = wire.result(part) ?? [];
    const last = results.at(-1);
    if (id === WAITING) continue;
    if (id !== undefined) results.push({ text: textOf(content), images: imagesIn(content) });
    else if (last !== undefined)
      results[results.length - 1] = { ...last, images: last.images + imagesIn(part) };
  }
  const declared = wire.tools(body);
  const own = declared.filter((name) => !name.includes("toolwright"));
  const tools = declared.filter((name) => name.includes("toolwright"));
  if (!own.includes(CALLER)) return { own, tools, results };
  const named = JSON.stringify(body).match(/mcp__toolwright__\w+/g) ?? [];
  return { own, tools: [...new Set(named)], results };
}

/** Streams a call, or a last sentence. */
export function streamAnswer(path: string, call: StreamedCall | undefined): string {
  const answer = call === undefined ? { text: "Done." } : { calls: [call] };
  const stream = wireOf(path)?.stream(answer) ?? "";
  // Codex has the tools of a server in a namespace.
  return stream.replaceAll(/"name":"(mcp__\w+)\/(\w+)"/g, '"namespace":"$1","name":"$2"');
}

/** Tells whether a client's name, such as `mcp__toolwright__ls`, is that of a tool of the gateway. */
export function isNameOf(name: string, tool: string): boolean {
  return new RegExp(`toolwright[_/]+${tool}$`).test(name);
}

function wireOf(path: string): Wire | undefined {
  return WIRE_FORMATS.find((wire) => wire.path.test(path));
}

function objects(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The name of a tool; tools that the provider runs have none. */
function nameOf({ name }: JsonObject): string {
  return typeof name === "string" ? name : "";
}

/** All texts of a value, one after another. */
function textOf(value: Json): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(textOf).join("\n");
  if (!isObject(value) || isImage(value)) return "";
  const { type: _type, id: _id, name: _name, ...rest } = value;
  return Object.values(rest).map(textOf).join("\n");
}

function imagesIn(value: Json): number {
  if (isObject(value) && isImage(value)) return 1;
  const inner = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  return inner.reduce<number>((sum, one) => sum + imagesIn(one), 0);
}

function isImage({ type, inlineData }: JsonObject): boolean {
  return (
    inlineData !== undefined ||
    (typeof type === "string" && ["image", "image_url", "input_image"].includes(type))
  );
}
