import type { Fact } from "./fact.ts";
import type { JsonObject } from "./json.ts";
import type { ToolResult } from "./result.ts";
import type { Risk } from "./spec.ts";

export type HookPoint =
  | "before_tool"
  | "after_tool"
  | "tool_error"
  | "session_start"
  | "session_end"
  | "file_changed";

/** A file that is not what it was. */
export interface ChangedFile {
  /** Canonical. */
  readonly path: string;
  readonly change: "created" | "changed" | "deleted";
}

/** What is happening when a hook is asked. */
export interface HookMoment {
  readonly point: HookPoint;
  readonly session?: string;
  /** Around a call: the call with its final input. */
  readonly call?: { readonly id: string; readonly name: string; readonly input: JsonObject };
  readonly risk?: Risk;
  readonly facts?: readonly Fact[];
  /** After a call. */
  readonly result?: ToolResult;
  /** Of a file that has changed. */
  readonly file?: ChangedFile;
}

/** What a hook says. It may tighten or rewrite; there is nothing it could say to loosen. */
export type HookDecision =
  | { readonly kind: "pass" }
  /** Before a call: it does not run. After it: its answer is withheld. */
  | { readonly kind: "refuse"; readonly reason: string }
  /** Before a call: someone must approve it, whatever policy says. */
  | { readonly kind: "ask"; readonly reason: string }
  /** Before a call: this input instead, checked and judged like any other. */
  | { readonly kind: "rewrite"; readonly input: JsonObject }
  /** After a call: words for the model, added to the answer. */
  | { readonly kind: "note"; readonly text: string };

/** Something that is asked at points of the line. */
export interface Hook {
  readonly name: string;
  readonly on: readonly HookPoint[];
  /** For a hook whose points come and go: false while it would hear nothing at this one of them. Asked before a moment is made. */
  listensAt?(point: HookPoint): boolean;
  /** Cheap and pure; left out: every moment. */
  matches?(moment: HookMoment): boolean;
  /** Nothing means pass. */
  run(moment: HookMoment, signal: AbortSignal): HookDecision | undefined | Promise<HookDecision | undefined>;
  /** How long it may take; 60 s. */
  readonly timeoutMs?: number;
  /** What a hook means that throws, hangs or answers nonsense: refuse before a call, pass elsewhere. */
  readonly onFailure?: "refuse" | "pass";
}
