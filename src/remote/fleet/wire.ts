import { hash } from "node:crypto";
import type { Progress } from "../../core/context.ts";
import { isObject, type Json } from "../../core/json.ts";
import type { RanOn, ToolResult } from "../../core/result.ts";
import type { Effects, ToolSpec } from "../../core/spec.ts";
import { attempt } from "../../util/async/attempt.ts";
import { hashOf } from "../../util/json/call-hash.ts";
import type { RemoteCall } from "../wire.ts";
import { LANES } from "../../core/fleet-names.ts";
import type { Lane } from "./types/options.ts";

/** What an engine allows: a call without its input, which has its hash. It is signed as text, and a worker does nothing else. */
export interface JobHead extends Required<Pick<RemoteCall, "id" | "tool" | "session">> {
  /** Of the call and its attempt: one key, one answer. */
  readonly key: string;
  /** The version of the tool that was judged. */
  readonly version: string;
  /** The hash of the input. */
  readonly hash: string;
  readonly effects: Effects;
  readonly namespace: string;
  /** The identity of the streams for which it is meant: see `StreamIdentity`. */
  readonly streams: string;
  readonly pool: string;
  readonly lane: Lane;
  readonly labels: readonly string[];
  /** The engine that waits for the answer. */
  readonly engine: string;
  /** When it was sent, by the clock of the engine: milliseconds since 1970. */
  readonly issuedAt: number;
  /** When the engine gives up, by its clock; a later start is refused. */
  readonly expiresAt: number;
  /** True if the input is in the object store, under the key. */
  readonly isStored?: true;
  /** True if a rule or a proof allowed the call, not a person or the mode: see `Verdict.isGuarded`. */
  readonly isGuarded?: true;
}

/** The headers of a call; the server drops a second message with the same id. */
export const MESSAGE_ID = "Nats-Msg-Id";
export const HEAD = "Tw-Head";
export const SIGNATURE = "Tw-Signature";
/** The header of a dead letter. */
export const REASON = "Tw-Reason";

/** Returns the name under which a long input is in the object store. */
export const callObject = (key: string): string => `call-${key}`;

/** A part of an answer in the object store. */
export interface SentArtifact {
  readonly name: string;
  /** Of its content, as the object store computes it. */
  readonly digest: string;
}

/** A message of the answer stream, sealed as `answer` under its key; the last one of a key counts. */
export type StoredState =
  | { readonly state: "started"; readonly worker: string; readonly attempt: number }
  | {
      readonly state: "answered";
      readonly result: ToolResult;
      readonly artifacts?: readonly SentArtifact[];
      /** The worker that ran it; absent in an answer of the engine itself, and of a worker of an earlier version. */
      readonly ranOn?: RanOn;
    }
  /** The answer is in the object store. */
  | { readonly state: "answered"; readonly object: string };
export type StoredAnswer = Extract<StoredState, { readonly result: ToolResult }>;

/** What a worker sends to the engine that waits, sealed as `notice` under the id of the engine. */
export type SealedNotice =
  | { readonly key: string; readonly type: "progress"; readonly attempt: number; readonly progress: Progress }
  | { readonly key: string; readonly type: "refused"; readonly refusal: Refusal };

/** The notice of an answer needs no seal: the answer has one. */
export interface AnswerNotice {
  readonly key: string;
  readonly type: "answered";
  /** A sealed `StoredState`. Absent: it is long, and in the answer stream. */
  readonly answer?: string;
  /** Present: the servers have yet to confirm that this publisher stored it. */
  readonly publisher?: string;
}

/** Why a worker refused a call that an engine signed. */
export interface Refusal {
  readonly message: string;
  /** True if it was meant for other streams: those were made anew, or lost. */
  readonly isForOtherStreams?: true;
}

/** The name of a tool with its version: see `versionOf`. */
export type VersionedTool = `${string}@${string}`;

/** What a worker says of itself, every second or so; sealed as `advert` under its id. */
export interface WorkerAdvert {
  readonly id: string;
  /** By the clock of the worker: milliseconds since 1970. */
  readonly sentAt: number;
  /** True in the last one: the worker takes no calls and runs none. */
  readonly isGone?: true;
  readonly pool: string;
  readonly labels: readonly string[];
  readonly tools: readonly VersionedTool[];
  readonly concurrency: number;
  readonly running: number;
  readonly isDraining: boolean;
  /** Of Toolwright. */
  readonly release: string;
  readonly host: string;
  readonly pid: number;
  readonly startedAt: number;
}

const versions = new WeakMap<object, string>();

/** Returns the version of a tool: engines and workers with the same one mean the same by a call. */
export function versionOf(tool: Pick<ToolSpec, "name" | "input" | "effects">): string {
  const known = versions.get(tool);
  if (known !== undefined) return known;
  const version = hashOf([tool.name, tool.input, tool.effects]).slice(0, 16);
  versions.set(tool, version);
  return version;
}

export function hashOfInput(input: Uint8Array): string {
  return hash("sha256", input, "base64");
}

/** Returns true if the input is the one that the engine allowed. */
export function isAllowedInput(head: JobHead, input: Uint8Array): boolean {
  return hashOfInput(input) === head.hash;
}

/** Returns the head in a text whose signature has been checked, or undefined if it is none. */
export function parseHead(text: string): JobHead | undefined {
  const head = attempt(() => JSON.parse(text) as Json);
  if (!isObject(head)) return undefined;
  const { key, lane, labels } = head;
  const isHead =
    typeof key === "string" && Array.isArray(labels) && (LANES as readonly unknown[]).includes(lane);
  return isHead ? (head as unknown as JobHead) : undefined;
}
