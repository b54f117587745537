import type { Fact } from "../../core/fact.ts";
import type { Job } from "../../core/job.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";

/**
 * Returns the hash of the tool's identity, the final input and its targets: the same for the same call, and for no other. What a
 * command is said to be for, and how long it may take, do not make it another one.
 */
export function hashOfJob({ tool, input, facts }: Job): string {
  const isCommand = tool.source === "built-in" && facts.some(({ kind }) => kind === "command");
  const { description: _for, timeout_seconds: _limit, idle_timeout_seconds: _idle, ...command } = input;
  return hashOf([[tool.name, tool.source, tool.input], isCommand ? command : input, facts.map(targetOf)]);
}

/** Returns the hash of a value; the order of keys does not matter. */
export function hashOf(parts: Json): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256")
    .update(JSON.stringify(sorted(parts)))
    .digest("hex");
}

/** Returns the target of a fact without properties that change over time. The keys are part of stored hashes. */
function targetOf(fact: Fact): JsonObject {
  if (fact.kind === "path") return { path: fact.path, access: fact.access };
  if (fact.kind === "command") return { command: fact.text, cwd: fact.cwd, kept: fact.interactive === true };
  if (fact.kind === "mcp") return { server: fact.server, tool: fact.tool };
  return { host: fact.host };
}

/** Sorts keys, so that equal inputs have equal hashes. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort();
  return keys.map((key) => [key, sorted(value[key] ?? null)]);
}
