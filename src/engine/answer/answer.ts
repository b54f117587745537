import type { Content } from "../../core/content.ts";
import type { JsonObject } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";
import type { Failure, Fault, Meta, Success, ToolResult } from "../../core/result.ts";
import { copyJson } from "../../util/json/copy-json.ts";
import { toEnvelope } from "./envelope.ts";
import type { EngineParts } from "../types/engine-parts.ts";
import { fence, isFenced } from "./fence.ts";
import { maskJson } from "../../util/json/mask-json.ts";
import type { CallState } from "../call/call-state.ts";
import { clock } from "../call/call-state.ts";
import { sanitize } from "../../util/text/sanitize.ts";
import { fits, shrinkJson } from "./truncate.ts";

/** The answer to a call that came to the end of the line. */
export function success(state: CallState): ToolResult {
  const { call, content, data } = state;
  const base = { callId: call.id, name: call.name, ok: true as const, content, meta: metaOf(state) };
  const result: Success = data === undefined ? base : { ...base, data };
  return state.engine.modelText === "plain" ? result : enveloped(state, result);
}

/** The answer to a call that was stopped on the way. */
export function failure(state: CallState, stopped: Fault): ToolResult {
  const { call } = state;
  const error = masked(state, stopped);
  const isPlain = state.engine.modelText === "plain";
  const text = isPlain ? fenced(state, describe(error)) : describe(error);
  const content: readonly Content[] = [{ type: "text", text }];
  const result: Failure = {
    callId: call.id,
    name: call.name,
    ok: false,
    content,
    error,
    meta: metaOf(state),
  };
  return isPlain ? result : enveloped(state, result);
}

/** What a stranger's tool says is fenced; a call that did not run has only our words. */
function fenced(state: CallState, text: string): string {
  const { entry, attempts } = state;
  return entry === undefined || attempts === 0 || !isFenced(state) ? text : fence(text, entry.tool.source);
}

function metaOf(state: CallState): Meta {
  const { startedAt, startedAtMonotonic, attempts, entry, executor, coerced, truncated } = state;
  const meta: { -readonly [K in keyof Meta]: Meta[K] } = {
    startedAt,
    durationMs: Math.round((clock.now() - startedAtMonotonic) * 1000) / 1000,
    place: executor?.place ?? "host",
    attempts,
    source: entry?.tool.source ?? "none",
  };
  if (coerced !== undefined) meta.coerced = coerced;
  if (truncated !== undefined) meta.truncated = truncated;
  return meta;
}

/** A fault with nothing secret in it and no more details than an answer may have. */
function masked({ engine }: CallState, fault: Fault): Fault {
  const clean = (text: string): string => engine.masker.text(sanitize(text));
  const { code, message, hint, details } = fault;
  return {
    code,
    message: clean(message),
    ...(hint === undefined ? {} : { hint: clean(hint) }),
    ...(details === undefined ? {} : { details: maskDetails(engine, details) }),
  };
}

function maskDetails({ masker, cuts }: EngineParts, details: JsonObject): JsonObject {
  const { data, text } = maskJson(copyJson(details, undefined), masker);
  const kept = fits(text, cuts.log.over) ? data : shrinkJson(data, cuts.log.over, true);
  return isObject(kept) ? kept : {};
}

/** What the model reads of a failure: what happened, what to do, and how far the tool had come. */
function describe({ message, hint, details = {} }: Fault): string {
  const { exit_code: exitCode, stdout, stderr, emitted } = details;
  return [
    `Error: ${message}`,
    hint,
    typeof exitCode === "number" ? `exit code: ${exitCode}` : undefined,
    section("output before the end", emitted),
    section("stdout", stdout),
    section("stderr", stderr),
  ]
    .filter((part) => part !== undefined)
    .join("\n");
}

function section(title: string, text: unknown): string | undefined {
  return typeof text === "string" && text !== "" ? `${title}:\n${sanitize(text)}` : undefined;
}

function enveloped(state: CallState, result: ToolResult): ToolResult {
  const others = result.content.filter((content) => content.type !== "text");
  const text = fenced(state, JSON.stringify(toEnvelope(result)));
  return { ...result, content: [{ type: "text", text }, ...others] };
}
