import { isAbsolute, resolve, sep } from "node:path";
import type { HookDefinition } from "./hook-definition.ts";
import { hashOf } from "../../../util/json/call-hash.ts";
import { hashOfFile } from "../../../system/files/content-hash.ts";
import type { TrustItem } from "../files/trust.ts";

/**
 * Returns a project's hook as an item to trust: its definition, and every file of the folder that its program names. A hook
 * whose script has changed is another item.
 */
export function hookItem(definition: HookDefinition, folder: string): TrustItem {
  const { name, on, match, action } = definition;
  const files = action.type === "command" ? filesOf(action.program, folder) : [];
  const conditions = Object.entries(match).map(([key, values]) => `${key} ${values.join(" or ")}`);
  const when = [on.join(", "), ...conditions].join(", ");
  return {
    kind: "hook",
    name,
    hash: hashOf([definition, files]),
    detail: `on ${when}: ${describe(definition)}`,
  };
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
