import type { ToolCall } from "../../core/call.ts";
import { Reply, type Content } from "../../core/content.ts";
import { ToolError } from "../../core/errors.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import type { Failure, Fault, Meta, Success, ToolResult } from "../../core/result.ts";
import { HOST } from "../../core/spec.ts";
import { attempt } from "../../util/async/attempt.ts";
import { copyJson } from "../../util/json/copy-json.ts";
import { failedResult, stackOf, toFault } from "../../util/json/fault.ts";
import { asText } from "../../util/json/parse-json.ts";
import { maskJson } from "../../secrets/mask-json.ts";
import { SENDABLE_NOTE } from "../../util/text/sendable.ts";
import { maskedHead } from "../../secrets/masked-ends.ts";
import { headOf } from "../../util/text/text-ends.ts";
import { now, type CallState } from "../call/call-state.ts";
import type { EngineParts } from "../types/engine-parts.ts";
import { cleanText, maskerOf } from "./clean-text.ts";
import { toEnvelope } from "./envelope.ts";
import { fence } from "./fence.ts";
import { sizeOf } from "./cut.ts";
import { fits, howToRead, shrinkJson } from "./truncate.ts";

/** Returns the answer to a call that passed every stage. */
export function success(state: CallState): ToolResult {
  const { call, data } = state;
  const isNoted = state.isEscaped || call.repaired !== undefined;
  const content: readonly Content[] = isNoted
    ? [...state.content, { type: "text", text: noteOf(state) ?? "" }]
    : state.content;
  const { id: callId, name } = call;
  const meta = metaOf(state);
  const result: Success =
    data === undefined
      ? { callId, name, ok: true, content, meta }
      : { callId, name, ok: true, content, meta, data };
  return state.engine.modelText === "plain" ? result : enveloped(state, result);
}

/** Returns the answer to a call that a stage stopped. */
export function failure(state: CallState, fault: Fault): ToolResult {
  const { call } = state;
  const error = masked(state, fault);
  const isPlain = state.engine.modelText === "plain";
  const text = isPlain ? fenced(state, describe(state, error)) : describe(state, error);
  const content: readonly Content[] = [{ type: "text", text }];
  const { id: callId, name } = call;
  const result: Failure = { callId, name, ok: false, content, error, meta: metaOf(state, "failed") };
  return isPlain ? result : enveloped(state, result);
}

/** Returns the answer to a call whose answer could not be made. Depends on nothing that can fail. */
export function lastResort(call: ToolCall, error: unknown): Failure {
  const message = `the answer could not be made: ${toFault(error).message}`;
  const [callId = "", name = ""] = [attempt(() => asText(call.id)), attempt(() => asText(call.name))];
  return failedResult(callId, name, { code: "TOOL_FAILED", message });
}

/** Marks text of an untrusted tool. A call that did not run has only text of the engine. */
function fenced(state: CallState, text: string): string {
  const { entry, attempts } = state;
  return entry === undefined || attempts === 0 || !state.isFenced ? text : fence(text, entry.tool.source);
}

const MAX_STACK = 8 * 1024;

function metaOf(state: CallState, outcome: "ok" | "failed" = "ok"): Meta {
  const { startedAt, startedAtMonotonic, attempts, entry, approval, coerced, truncated } = state;
  const meta: { -readonly [K in keyof Meta]: Meta[K] } = {
    startedAt,
    durationMs: Math.round((now() - startedAtMonotonic) * 1000) / 1000,
    place: placeOf(state),
    attempts,
    source: entry?.tool.source ?? "none",
  };
  if (approval !== undefined) meta.waitedMs = Math.max(0, approval.answeredAt - approval.askedAt);
  if (state.isRepaired || state.call.repaired !== undefined) meta.repaired = true;
  if (coerced !== undefined) meta.coerced = coerced;
  if (truncated !== undefined) meta.truncated = truncated;
  const stack = outcome === "failed" ? stackOf(state.thrown) : undefined;
  if (stack === undefined) return meta;
  state.stack = cleanText(state, maskedHead(stack, MAX_STACK, maskerOf(state).find));
  // Not enumerable: a program that answers a request with the result sends no paths of its server.
  return Object.defineProperty(meta, "stack", { value: state.stack });
}

/** Returns where the call ran. On this machine that may be a sandbox of its own, as the tool reports or the verdict demands. */
function placeOf({ executor, verdict, attempts, isApproved, output, thrown }: CallState): string {
  const place = executor?.place ?? HOST;
  if (executor?.isElsewhere === true) return place;
  const ended = output ?? thrown;
  if ((ended instanceof Reply || ended instanceof ToolError) && ended.place !== undefined) return ended.place;
  return (attempts > 0 && !isApproved ? verdict?.place : undefined) ?? place;
}

/** Returns the fault without secrets, each part of it cut to the limit of an answer. */
function masked(state: CallState, fault: Fault): Fault {
  const { over, keep } = state.engine.cuts.text;
  const clean = (text: string): string => {
    const whole = cleanText(state, text);
    if (fits(whole, over)) return whole;
    const textHead = headOf(whole, keep);
    return `${textHead}\n[truncated: the first ${sizeOf(textHead)} of ${sizeOf(whole)} shown; ${howToRead(undefined)}]`;
  };
  const { code, message, hint, details } = fault;
  return {
    code,
    message: clean(message),
    ...(hint !== undefined && { hint: clean(hint) }),
    ...(details !== undefined && { details: maskDetails(state.engine, details) }),
  };
}

function maskDetails({ masker, cuts }: EngineParts, details: JsonObject): JsonObject {
  const { data, text } = maskJson(copyJson(details, undefined), masker);
  const short = fits(text, cuts.log.over) ? data : shrinkJson(data, cuts.log.over, { keepTail: true });
  return isObject(short) ? short : {};
}

/** Returns the text of a failure for the model: what happened, what to do, and the output so far. */
function describe(state: CallState, { message, hint, details = {} }: Fault): string {
  const { exit_code: exitCode, stdout, stderr, emitted } = details;
  return [
    `Error: ${message}`,
    hint,
    typeof exitCode === "number" ? `exit code: ${exitCode}` : undefined,
    section(state, "output before the end", emitted),
    section(state, "stdout", stdout),
    section(state, "stderr", stderr),
    noteOf(state),
  ]
    .filter((part) => part !== undefined)
    .join("\n");
}

/** Returns what the model must know about its call and this answer. */
function noteOf({ isEscaped, call: { repaired } }: CallState): string | undefined {
  const repair = repaired === undefined ? "" : `[the call was damaged and was repaired: ${repaired}]`;
  const note = isEscaped ? SENDABLE_NOTE : "";
  return [note, repair].filter((text) => text !== "").join("\n") || undefined;
}

function section(state: CallState, title: string, text: unknown): string | undefined {
  return typeof text === "string" && text !== "" ? `${title}:\n${cleanText(state, text)}` : undefined;
}

function enveloped(state: CallState, result: ToolResult): ToolResult {
  const others = result.content.filter((content) => content.type !== "text");
  const text = fenced(state, JSON.stringify(toEnvelope(result, argsOf(state, result))));
  return { ...result, content: [{ type: "text", text }, ...others] };
}

/** The arguments as the call gave them, without the secrets that the engine knows. */
function argsOf({ call, engine }: CallState, { ok }: ToolResult): unknown {
  if (ok || call.input === undefined) return undefined;
  const copy = attempt(() => copyJson(call.input, undefined));
  return copy === undefined ? undefined : maskJson(copy, engine.masker).data;
}
