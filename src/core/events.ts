import type { GrantScope } from "./grant.ts";
import type { Progress } from "./context.ts";
import type { ErrorCode } from "./errors.ts";
import type { ChangedFile, HookDecision, HookPoint } from "./hook.ts";
import type { Json } from "./json.ts";
import type { Verdict } from "./verdict.ts";
import type { ToolResult } from "./result.ts";
import type { SourceState } from "./source.ts";
import type { Attributes } from "./tool.ts";

/** Where and when an event happened: the fields that every event has. */
export interface EventOrigin {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The session of the call, or the session that changed; undefined if there is none. */
  readonly session: string | undefined;
  /** The id of the call whose tool made this call; undefined for a call from outside. */
  readonly parentId: string | undefined;
}

/** Returns the common fields of an event that happens now. Events of every call spell them out instead: a spread costs more. */
export function originOf(session?: string, parentId?: string): EventOrigin {
  return { at: Date.now(), session, parentId };
}

/** An event of the engine. Texts in it are already masked. */
export type EngineEvent = EventOrigin & EventBody;

export type EventBody =
  | {
      readonly type: "call.received";
      readonly callId: string;
      readonly name: string;
      readonly input: Json;
    }
  | {
      readonly type: "call.judged";
      readonly callId: string;
      readonly name: string;
      readonly verdict: Verdict;
    }
  | {
      readonly type: "call.started";
      readonly callId: string;
      readonly name: string;
      readonly attempt: number;
      readonly attributes?: Attributes;
    }
  | { readonly type: "call.progressed"; readonly callId: string; readonly progress: Progress }
  | {
      readonly type: "call.retried";
      readonly callId: string;
      readonly code: ErrorCode;
      readonly waitMs: number;
      readonly attempt: number;
    }
  | { readonly type: "call.answered"; readonly callId: string; readonly result: ToolResult }
  /** The call waits for a decision outside of the process: `engine.resume` goes on with it. */
  | { readonly type: "call.suspended"; readonly callId: string; readonly name: string }
  /** A tool returned after its caller had been answered; its value was dropped. */
  | { readonly type: "call.returned_late"; readonly callId: string; readonly name: string }
  | { readonly type: "approval.asked"; readonly callId: string; readonly hash: string }
  | { readonly type: "approval.answered"; readonly callId: string; readonly approved: boolean }
  | {
      readonly type: "approval.saved";
      readonly callId: string;
      readonly grantId: string;
      readonly scope: GrantScope;
    }
  | {
      readonly type: "hook.decided";
      readonly hook: string;
      readonly point: HookPoint;
      readonly callId?: string;
      readonly decision: HookDecision["kind"];
      /** The reason, or the note. */
      readonly reason?: string;
    }
  /** A hook threw, timed out or returned an invalid decision; `onFailure` says what follows. */
  | {
      readonly type: "hook.failed";
      readonly hook: string;
      readonly point: HookPoint;
      readonly callId?: string;
      readonly message: string;
    }
  /** Changed by a call that names the file as its target, or by another program if files are watched. */
  | {
      readonly type: "file.changed";
      readonly path: string;
      readonly change: ChangedFile["change"];
      readonly callId?: string;
    }
  /** The call ran, but its answer could not be stored. */
  | { readonly type: "journal.failed"; readonly callId: string; readonly message: string }
  | { readonly type: "tool.added"; readonly name: string; readonly source: string }
  | { readonly type: "tool.removed"; readonly name: string; readonly source: string }
  /** A source started to load, or has loaded; `tools` counts its tools that are registered now. */
  | {
      readonly type: "source.changed";
      readonly source: string;
      readonly state: SourceState;
      readonly tools: number;
      readonly problems: number;
    }
  | {
      readonly type: "group.changed";
      /** Undefined if single tools were switched. */
      readonly group: string | undefined;
      readonly active: boolean;
    };

/** Receives every event, in order, synchronously. Its exceptions are dropped. */
export type Listener = (event: EngineEvent) => void;

/** Adds a listener for every event, or for the named ones only, to which its event is narrowed. Returns a function that removes it. */
export type Subscribe = <Type extends EngineEvent["type"] = EngineEvent["type"]>(
  listener: (event: Extract<EngineEvent, { readonly type: Type }>) => void,
  only?: readonly Type[],
) => () => void;
