import type { HookPoint } from "../../../core/hook.ts";
import type { Risk } from "../../../core/spec.ts";

/** What a configured hook does. Types and not interfaces, so that they count as JSON. */
export type HookAction =
  /** Runs a program: the moment is JSON on its standard input, its decision JSON on its standard output. */
  | { readonly type: "command"; readonly program: readonly [string, ...string[]] }
  /** Queues a prompt for the agent. */
  | { readonly type: "askAgent"; readonly prompt: string }
  /** Refuses. */
  | { readonly type: "block"; readonly reason: string };

/** Conditions that must all hold; a hook without any runs at every moment of its points. */
export type HookMatch = {
  /** Names of tools; `*` matches any part of a name. */
  readonly tool?: readonly string[];
  /** Globs over canonical paths; `~/` is the user's home, relative ones are in the workspace. */
  readonly path?: readonly string[];
  readonly risk?: readonly Risk[];
};

/** A hook of a config file, parsed and checked. */
export type HookDefinition = {
  readonly name: string;
  readonly on: readonly HookPoint[];
  readonly match: HookMatch;
  readonly action: HookAction;
  readonly timeoutSeconds?: number;
  readonly onFailure?: "refuse" | "pass";
};
