import type { Fact } from "./fact.ts";
import type { JsonObject } from "./json.ts";
import type { ToolResult } from "./result.ts";
import type { Risk } from "./spec.ts";

export const HOOK_POINTS = [
  "before_tool",
  "after_tool",
  "tool_error",
  "session_start",
  "session_end",
  "file_changed",
] as const;
/** When a hook runs: around a call, after its failure, at the ends of a session, when a file has changed. */
export type HookPoint = (typeof HOOK_POINTS)[number];

/** A file that was created, changed or deleted. */
export interface ChangedFile {
  /** Canonical. */
  readonly path: string;
  /** What happened to it. */
  readonly change: "created" | "changed" | "deleted";
}

/** The situation in which a hook runs. */
export interface HookMoment {
  /** One of the points in `on` of the hook. */
  readonly point: HookPoint;
  readonly session?: string;
  /** Around a call: the call with its final input. */
  readonly call?: {
    readonly id: string;
    readonly name: string;
    readonly input: JsonObject;
    /** The id of the call whose tool made this call. */
    readonly parentId?: string;
  };
  readonly risk?: Risk;
  readonly facts?: readonly Fact[];
  /** After a call. */
  readonly result?: ToolResult;
  /** The file that changed. */
  readonly file?: ChangedFile;
}

/** The decision of a hook. It may tighten or rewrite, never loosen. */
export type HookDecision =
  | { readonly kind: "pass" }
  /** Before a call: the call does not run. After it: its answer is withheld. */
  | { readonly kind: "refuse"; readonly reason: string }
  /** Before a call: it needs approval, whatever policy says. */
  | { readonly kind: "ask"; readonly reason: string }
  /** Before a call: replaces the input, which is checked and judged like any other. */
  | { readonly kind: "rewrite"; readonly input: JsonObject }
  /** After a call: adds a text for the model to the answer. */
  | { readonly kind: "note"; readonly text: string };

/** Code that runs at points of the pipeline. */
export interface Hook {
  readonly name: string;
  /** The points at which it runs. */
  readonly on: readonly HookPoint[];
  /** For a hook whose points change: returns false while it does not listen at this point. Called before a moment is created. */
  listensAt?(point: HookPoint): boolean;
  /** Cheap and pure; default: every moment. */
  matches?(moment: HookMoment): boolean;
  /** Undefined means pass. */
  run(moment: HookMoment, signal: AbortSignal): HookDecision | undefined | Promise<HookDecision | undefined>;
  /** Time limit; default: 60 s. */
  readonly timeoutMs?: number;
  /** The decision if the hook throws, times out or returns an invalid decision; default: refuse before a call, pass elsewhere. */
  readonly onFailure?: "refuse" | "pass";
}
