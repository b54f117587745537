import { ToolError } from "../../../core/errors.ts";
import type { HookPoint } from "../../../core/hook.ts";
import type { Json, JsonObject } from "../../../core/json.ts";
import { isObject } from "../../../core/json.ts";
import type { Risk } from "../../../core/spec.ts";
import { nearNames } from "../../../util/text/near-names.ts";
import { compileGlob } from "../../../util/text/glob-pattern.ts";
import type { HookAction, HookDefinition, HookMatch } from "./definition.ts";
import { checkTemplate } from "./template.ts";
import { errorMessage } from "../../../util/text/error-message.ts";

const POINTS = [
  "before_tool",
  "after_tool",
  "tool_error",
  "session_start",
  "session_end",
  "file_changed",
] as const satisfies readonly HookPoint[];
const RISKS = ["low", "medium", "high"] as const satisfies readonly Risk[];
const ACTIONS = { command: "program", askAgent: "prompt", block: "reason" } as const;
/** Points at which there is something to refuse. */
const REFUSABLE: ReadonlySet<HookPoint> = new Set(["before_tool", "after_tool", "tool_error"]);
const NAME = /^[\w.-]{1,64}$/;
const MAX_SECONDS = 3600;

/** Reads a list of hooks. Throws a `ToolError` that names the place and, for a key or a word nobody knows, what was probably meant. */
export function parseHookDefinitions(written: unknown): readonly HookDefinition[] {
  if (!Array.isArray(written)) throw wrong("", written, "a list of hooks");
  const definitions = written.map((one: Json, index) => parseDefinition(one, `[${index}]`));
  for (const [index, { name }] of definitions.entries()) {
    if (definitions.findIndex((other) => other.name === name) < index) {
      throw new ToolError("INVALID_INPUT", `[${index}].name: there is another hook called "${name}"`);
    }
  }
  return definitions;
}

function parseDefinition(written: Json, place: string): HookDefinition {
  const keys = ["name", "on", "match", "action", "timeoutSeconds", "onFailure"];
  const { name, on, match, action, timeoutSeconds, onFailure } = readObject(written, place, keys);
  if (typeof name !== "string" || !NAME.test(name)) {
    throw wrong(`${place}.name`, name, "a name of letters, digits, . _ and -, at most 64");
  }
  const points = readWords(on, `${place}.on`, POINTS);
  const parsed = parseAction(action, `${place}.action`);
  const pointless = points.find((point) => parsed.type === "block" && !REFUSABLE.has(point));
  if (pointless !== undefined) {
    throw new ToolError("INVALID_INPUT", `${place}.on: there is nothing to block at ${pointless}`);
  }
  return {
    name,
    on: points,
    match: match === undefined ? {} : parseMatch(match, `${place}.match`),
    action: parsed,
    ...(timeoutSeconds === undefined ? {} : { timeoutSeconds: readSeconds(timeoutSeconds, place) }),
    ...(onFailure === undefined
      ? {}
      : { onFailure: readWord(onFailure, `${place}.onFailure`, ["refuse", "pass"]) }),
  };
}

function parseMatch(written: Json, place: string): HookMatch {
  const { tool, path, risk } = readObject(written, place, ["tool", "path", "risk"]);
  return {
    ...(tool === undefined ? {} : { tool: readGlobs(tool, `${place}.tool`) }),
    ...(path === undefined ? {} : { path: readGlobs(path, `${place}.path`) }),
    ...(risk === undefined ? {} : { risk: readWords(risk, `${place}.risk`, RISKS) }),
  };
}

function parseAction(written: Json | undefined, place: string): HookAction {
  const { type: word } = isObject(written) ? written : {};
  if (!isObject(written)) throw wrong(place, written, 'an object with a "type"');
  const type = readWord(word, `${place}.type`, Object.keys(ACTIONS) as (keyof typeof ACTIONS)[]);
  const fields = readObject(written, place, ["type", ACTIONS[type]]);
  if (type === "command") return { type, program: readProgram(fields["program"], `${place}.program`) };
  if (type === "block") return { type, reason: readText(fields["reason"], `${place}.reason`) };
  const prompt = readText(fields["prompt"], `${place}.prompt`);
  checkTemplate(prompt, `${place}.prompt`);
  return { type, prompt };
}

function readProgram(written: Json | undefined, place: string): readonly [string, ...string[]] {
  const [file, ...args] = isTexts(written) ? written : [];
  if (file !== undefined && file !== "") return [file, ...args];
  throw wrong(place, written, 'a list of texts, the program first: ["node", "check.js"]');
}

function readGlobs(written: Json, place: string): readonly string[] {
  const globs = typeof written === "string" ? [written] : written;
  if (!isTexts(globs) || globs.length === 0) throw wrong(place, written, "a glob or a list of globs");
  for (const glob of globs) {
    try {
      compileGlob(glob);
    } catch (error) {
      const reason = errorMessage(error);
      throw new ToolError("INVALID_INPUT", `${place}: ${reason}`, { cause: error });
    }
  }
  return globs;
}

function readWords<T extends string>(
  written: Json | undefined,
  place: string,
  words: readonly T[],
): readonly T[] {
  const list = Array.isArray(written) ? (written as readonly Json[]) : [written];
  if (list.length === 0) throw wrong(place, written, words.join(", "));
  return [...new Set(list.map((one) => readWord(one, place, words)))];
}

function readWord<T extends string>(written: Json | undefined, place: string, words: readonly T[]): T {
  const word = words.find((one) => one === written);
  if (word !== undefined) return word;
  const near = typeof written === "string" ? nearNames(written, words) : [];
  throw wrong(place, written, words.join(", "), near);
}

function readSeconds(written: Json, place: string): number {
  if (typeof written === "number" && written > 0 && written <= MAX_SECONDS) return written;
  throw wrong(`${place}.timeoutSeconds`, written, `a number of seconds above 0, at most ${MAX_SECONDS}`);
}

function readText(written: Json | undefined, place: string): string {
  if (typeof written === "string" && written.trim() !== "") return written;
  throw wrong(place, written, "a text");
}

function readObject(written: Json, place: string, keys: readonly string[]): JsonObject {
  if (!isObject(written)) throw wrong(place, written, `an object with ${keys.join(", ")}`);
  const unknown = Object.keys(written).find((key) => !keys.includes(key));
  if (unknown === undefined) return written;
  const near = nearNames(unknown, keys);
  throw new ToolError("INVALID_INPUT", `${place}: ${JSON.stringify(unknown)} is not known there`, {
    hint: near.length > 0 ? `did you mean ${near.join(" or ")}?` : `known: ${keys.join(", ")}`,
  });
}

function isTexts(value: Json | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function wrong(place: string, got: unknown, expected: string, near: readonly string[] = []): ToolError {
  const shown = got === undefined ? "missing" : JSON.stringify(got);
  const hint = near.length > 0 ? { hint: `did you mean ${near.join(" or ")}?` } : {};
  return new ToolError("INVALID_INPUT", `${place} is ${shown}, expected ${expected}`.trimStart(), hint);
}
