import type { Progress } from "./context.ts";
import type { ErrorCode } from "./errors.ts";
import type { ChangedFile, HookDecision, HookPoint } from "./hook.ts";
import type { Json } from "./json.ts";
import type { Verdict } from "./policy.ts";
import type { ToolResult } from "./result.ts";
import type { SourceState } from "./source.ts";
import type { Attributes } from "./tool.ts";

/** Everything that happens. Text in it is already masked. */
export type Event =
  | {
      readonly type: "call.received";
      readonly callId: string;
      readonly name: string;
      readonly input: Json;
      readonly session: string | undefined;
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
  /** A tool came back after its caller had been answered; its value was dropped. */
  | { readonly type: "call.returned_late"; readonly callId: string; readonly name: string }
  | {
      readonly type: "approval.asked";
      readonly callId: string;
      readonly hash: string;
      readonly session?: string;
    }
  | {
      readonly type: "approval.answered";
      readonly callId: string;
      readonly approved: boolean;
      readonly session?: string;
    }
  | {
      readonly type: "approval.kept";
      readonly callId: string;
      readonly grantId: string;
      readonly scope: "session" | "always";
    }
  | {
      readonly type: "hook.decided";
      readonly hook: string;
      readonly point: HookPoint;
      readonly callId?: string;
      readonly decision: HookDecision["kind"];
      /** Why, or what it notes. */
      readonly reason?: string;
    }
  /** A hook threw, hung or answered nonsense; what that means is its `onFailure`. */
  | {
      readonly type: "hook.failed";
      readonly hook: string;
      readonly point: HookPoint;
      readonly callId?: string;
      readonly message: string;
    }
  /** By a call that names the file as its target, or by somebody else where files are watched. */
  | {
      readonly type: "file.changed";
      readonly path: string;
      readonly change: ChangedFile["change"];
      readonly callId?: string;
      readonly session?: string;
    }
  /** The call ran, but its answer could not be kept. */
  | { readonly type: "journal.failed"; readonly callId: string; readonly message: string }
  | { readonly type: "tool.added"; readonly name: string; readonly source: string }
  | { readonly type: "tool.removed"; readonly name: string; readonly source: string }
  /** A source began to load, or has; `tools` are those of its tools that are registered now. */
  | {
      readonly type: "source.changed";
      readonly source: string;
      readonly state: SourceState;
      readonly tools: number;
      readonly problems: number;
    }
  | {
      readonly type: "group.changed";
      /** Undefined where single tools were switched. */
      readonly group: string | undefined;
      readonly active: boolean;
      readonly session: string | undefined;
    };

/** Hears every event, in order, in the engine's own tick. What it throws is dropped. */
export type Listener = (event: Event) => void;
