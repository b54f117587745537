import { randomUUID } from "node:crypto";
import {
  ArtifactsKey,
  type ArtifactInfo,
  type Artifacts,
  type ArtifactWriter,
} from "../../../src/core/store/artifacts.ts";
import { Reply } from "../../../src/core/content.ts";
import type { Key, Progress, ToolContext } from "../../../src/core/context.ts";
import type { Fact } from "../../../src/core/fact.ts";
import { ToolError } from "../../../src/core/errors.ts";
import { isObject, type JsonObject } from "../../../src/core/json.ts";
import { SessionKey, type SessionResource, type SessionScope } from "../../../src/core/session/session.ts";
import type { Tool } from "../../../src/core/tool.ts";

export interface TestRun {
  readonly signal?: AbortSignal;
  /** The deadline of the call (default: none). */
  readonly deadlineAt?: number;
  readonly artifacts?: Artifacts;
  /** Default: a new session. */
  readonly session?: SessionScope;
  /** Called between the judging and the run. */
  readonly beforeRun?: () => void | Promise<void>;
  readonly onProgress?: (progress: Progress) => void;
}

/** Runs a tool directly, as the engine would: defaults filled in, facts from the tool itself, then the run. */
export async function runTool(tool: Tool, given: JsonObject, options: TestRun = {}): Promise<Reply> {
  const input = { ...defaultsOf(tool), ...given };
  const context = toolContext(tool, input, options);
  const facts = (await tool.facts?.(input, context)) ?? [];
  await options.beforeRun?.();
  const output: unknown = await tool.run(input, { ...context, facts });
  return output instanceof Reply ? output : new Reply("", { data: output as JsonObject });
}

/** The text of an answer. */
export function textOf(reply: Pick<Reply, "content">): string {
  return reply.content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n");
}

/** The fields of an answer's data. */
export function dataOf(reply: Reply): JsonObject {
  if (!isObject(reply.data)) throw new Error("the answer has no data");
  return reply.data;
}

/** What one session keeps, for as long as the test holds it. */
export function testSession(id = "test"): SessionScope {
  const kept = new Map<string, SessionResource<unknown>>();
  return {
    id,
    getOrCreate<T>(key: Key<T>, create: () => SessionResource<T>): T {
      const known = kept.get(key.name) ?? create();
      kept.set(key.name, known);
      return known.value as T;
    },
  };
}

/** What a tool is run with. */
export function toolContext(tool: Tool, input: JsonObject, options: TestRun = {}): ToolContext {
  const facts: readonly Fact[] = [];
  const session = options.session ?? testSession();
  const find = <T>(key: Key<T>): T | undefined => {
    if (key.name === SessionKey.name) return session as T;
    return key.name === ArtifactsKey.name ? (options.artifacts as T | undefined) : undefined;
  };
  return {
    call: { id: randomUUID(), name: tool.name, input },
    facts,
    attempt: 1,
    idempotencyKey: "test",
    signal: options.signal ?? new AbortController().signal,
    deadlineAt: options.deadlineAt ?? Number.POSITIVE_INFINITY,
    emit: (progress) => options.onProgress?.(progress),
    ask: () => Promise.resolve({ approved: false, reason: "nobody is there to ask" }),
    find,
    get(key) {
      const value = find(key);
      if (value === undefined) throw new ToolError("MISSING_CONTEXT", key.name);
      return value;
    },
    run: () => Promise.reject(new Error("there is no engine here")),
    runAll: () => Promise.reject(new Error("there is no engine here")),
  };
}

function defaultsOf(tool: Tool): JsonObject {
  const properties = tool.input["properties"];
  if (!isObject(properties)) return {};
  const filled = Object.entries(properties).flatMap(([name, schema]) =>
    isObject(schema) && schema["default"] !== undefined ? [[name, schema["default"]] as const] : [],
  );
  return Object.fromEntries(filled);
}

/** Artifacts in memory, whole; small enough for a test to see what was kept. */
export function memoryArtifacts(): Artifacts & { readonly texts: ReadonlyMap<string, string> } {
  const texts = new Map<string, string>();
  const infoOf = (id: string, text: string): ArtifactInfo => ({
    id,
    size: Buffer.byteLength(text),
    dropped: 0,
    createdAt: 0,
  });
  const create = (): ArtifactWriter => {
    const id = `artifact-${texts.size + 1}`;
    texts.set(id, "");
    return {
      id,
      write: (text) => void texts.set(id, `${texts.get(id)}${text}`),
      close: () => Promise.resolve(infoOf(id, texts.get(id) ?? "")),
    };
  };
  return {
    texts,
    storage: { maxBytes: Number.MAX_SAFE_INTEGER, where: "memory" },
    create,
    info: (id) => Promise.resolve(texts.has(id) ? infoOf(id, texts.get(id) ?? "") : undefined),
    read(id, start, length) {
      const text = texts.get(id);
      if (text === undefined) return Promise.resolve(undefined);
      const bytes = Buffer.from(text);
      const end = Math.min(bytes.length, start + length);
      return Promise.resolve({ text: bytes.toString("utf8", start, end), start, end, size: bytes.length });
    },
    search(id, pattern, limit) {
      const text = texts.get(id);
      if (text === undefined) return Promise.resolve(undefined);
      const found = text.split("\n").flatMap((line, index) => {
        return pattern.test(line) ? [{ line: index + 1, start: 0, text: line }] : [];
      });
      return Promise.resolve(found.slice(0, limit));
    },
    close: () => Promise.resolve(),
  };
}
