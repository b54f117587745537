import type { ChangedFile, Hook, HookDecision, HookMoment, HookPoint } from "../../core/hook.ts";

/** A hook's decision, or the reason why it made none. */
export type HookResult = HookDecision | { readonly kind: "failed"; readonly message: string };

/** Registers a callback that stops a hook and names the reason. Returns a function that unregisters it. */
export type OnStop = (stop: (reason: string) => void) => () => void;

/** The hooks of an engine. */
export interface Hooks {
  /** Returns the hooks that listen at a point now, in order, or undefined if there are none. */
  at(point: HookPoint): readonly Hook[] | undefined;
  /** Runs one hook and emits its result. Returns undefined if the hook does not match. Never rejects. */
  run(
    hook: Hook,
    moment: HookMoment,
    onStop?: OnStop,
  ): HookResult | undefined | Promise<HookResult | undefined>;
  /** Stops every running hook and waits briefly for its processes to end. */
  close(): Promise<void>;
}

/** Runs the hooks at the start and the end of a session. Their decisions are ignored. */
export interface SessionHooks {
  /** Runs the start hooks once a session, before its first call. Calls that arrive meanwhile wait for the same run. */
  start(id: string): undefined | Promise<void>;
  /** Does nothing for a session that was never started. */
  end(id: string): Promise<void>;
  endAll(): Promise<void>;
}

/** The call and session that changed a file. */
export interface ChangedBy {
  readonly callId?: string;
  readonly session?: string | undefined;
  readonly parentId?: string | undefined;
}

/** Reports changed files: to listeners at once, to hooks one after the other in the background. */
export interface FileChanges {
  /** Returns whether any listener or hook would be notified. */
  isObserved(): boolean;
  /** Reports a change. A change from outside to a file that a call has claimed counts as that call's own. */
  notify(file: ChangedFile, by?: ChangedBy): void;
  /** Announces that a call is about to change the file and will report it. */
  claim(path: string): void;
  /** Ends a claim. If the call reported nothing, a change seen meanwhile is reported now. */
  release(path: string): void;
  /** Resolves when the hooks have run for every reported change. */
  drained(): Promise<void>;
}
