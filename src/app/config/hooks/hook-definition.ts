import type { HookPoint } from "../../../core/hook.ts";
import type { Risk } from "../../../core/spec.ts";
import { isAbsolute, resolve, sep } from "node:path";
import { hashOf } from "../../../util/json/call-hash.ts";
import { hashOfFile } from "../../../system/files/content-hash.ts";
import type { TrustItem } from "../files/trust.ts";

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

/**
 * Returns a project's hook as an item to trust: its definition, and every file of the folder that its program names. A hook
 * whose script has changed is another item.
 */
export function hookItem(definition: HookDefinition, folder: string): TrustItem {
  const { name, action } = definition;
  const files = action.type === "command" ? filesOf(action.program, folder) : [];
  return { kind: "hook", name, hash: hashOf([definition, files]), detail: describeHook(definition) };
}

/** Returns when a hook runs and what it does: `on after_tool, tool write_*: runs ["sh","lint.sh"]`. */
export function describeHook(definition: HookDefinition): string {
  const conditions = Object.entries(definition.match).map(([key, values]) => `${key} ${values.join(" or ")}`);
  return `on ${[definition.on.join(", "), ...conditions].join(", ")}: ${describe(definition)}`;
}

function describe({ action }: HookDefinition): string {
  if (action.type === "command") return `runs ${JSON.stringify(action.program)}`;
  return action.type === "block" ? `blocks: ${action.reason}` : `asks the agent: ${action.prompt}`;
}

/** Returns the arguments that are files of the folder, with the hashes of their contents; null if a hash cannot be computed. */
function filesOf(program: readonly string[], folder: string): readonly (readonly [string, string | null])[] {
  const paths = program
    .map((argument) => (isAbsolute(argument) ? argument : resolve(folder, argument)))
    .filter((path) => path.startsWith(folder + sep));
  return paths.map((path) => [path.slice(folder.length + 1), hashOfFile(path, folder) ?? null]);
}
