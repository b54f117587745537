import type { HookPoint } from "../../../core/hook.ts";
import type { Risk } from "../../../core/spec.ts";

/** What a configured hook does when it is asked. Types and not interfaces, so that they count as JSON. */
export type HookAction =
  /** Runs a program: the moment is JSON on its standard input, its decision JSON on its standard output. */
  | { readonly type: "command"; readonly program: readonly [string, ...string[]] }
  /** Queues a prompt for the agent. */
  | { readonly type: "askAgent"; readonly prompt: string }
  /** Refuses. */
  | { readonly type: "block"; readonly reason: string };

/** Every condition that is given must hold; a hook without any holds at every moment of its points. */
export type HookMatch = {
  /** Names of tools; `*` stands for any part of a name. */
  readonly tool?: readonly string[];
  /** Globs over canonical paths, `~/` is the user's home; a relative one lies in the workspace. */
  readonly path?: readonly string[];
  readonly risk?: readonly Risk[];
};

/** A hook as it is written in a config file, read and checked. */
export type HookDefinition = {
  readonly name: string;
  readonly on: readonly HookPoint[];
  readonly match: HookMatch;
  readonly action: HookAction;
  readonly timeoutSeconds?: number;
  readonly onFailure?: "refuse" | "pass";
};
