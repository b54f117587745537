import { isAbsolute, resolve, sep } from "node:path";
import type { HookDefinition } from "./hook-definition.ts";
import { hashOf } from "../../../util/json/call-hash.ts";
import { hashOfFile } from "../../../system/files/content-hash.ts";
import type { TrustItem } from "../files/trust.ts";

/**
 * A project's hook as something to trust: what is written of it, and every file of the folder that its program names.
 * A hook whose script has changed is another hook.
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

/** Words that are files of the folder, with the hashes of their contents; null where one cannot be told. */
function filesOf(program: readonly string[], folder: string): readonly (readonly [string, string | null])[] {
  const paths = program
    .map((word) => (isAbsolute(word) ? word : resolve(folder, word)))
    .filter((path) => path.startsWith(folder + sep));
  return paths.map((path) => [path.slice(folder.length + 1), hashOfFile(path) ?? null]);
}
