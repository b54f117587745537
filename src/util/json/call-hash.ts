import type { Fact } from "../../core/fact.ts";
import type { Job } from "../../core/job.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";

/** Binds a yes to the tool's identity, the final input and what it leads to: the same call has the same hash, no other has. */
export function hashOfJob({ tool, input, facts }: Job): string {
  return hashOf([[tool.name, tool.source, tool.input], input, facts.map(targetOf)]);
}

/** A hash of a value, whatever the order of its keys. */
export function hashOf(parts: Json): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256")
    .update(JSON.stringify(sorted(parts)))
    .digest("hex");
}

/** Where a fact leads, without what changes from one look to the next. */
function targetOf(fact: Fact): JsonObject {
  if (fact.kind === "path") return { path: fact.path, access: fact.access };
  if (fact.kind === "command") return { command: fact.text, cwd: fact.cwd, kept: fact.interactive === true };
  if (fact.kind === "mcp") return { server: fact.server, tool: fact.tool };
  return { host: fact.host };
}

/** The same value in the one order of keys, so that equal inputs have equal hashes. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort();
  return keys.map((key) => [key, sorted(value[key] ?? null)]);
}
