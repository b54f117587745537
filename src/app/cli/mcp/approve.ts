import { ToolError } from "../../../core/errors.ts";
import type { McpSource, PinChange } from "../../../sources/mcp/types/source-types.ts";
import { loadConfig } from "../../config/config.ts";
import { loadTrustedConfig } from "../../host/store/apply-trust.ts";
import { nearHint } from "../../../util/text/near-hint.ts";
import { openConfiguredStore } from "../../host/store/open-configured-store.ts";
import type { Arguments, World } from "../../terminal/input/command.ts";
import { askLine } from "../../terminal/approve/ask-line.ts";
import { createInterrupt } from "../../terminal/input/interrupt.ts";
import { visible } from "../../../util/text/visible.ts";
import { INSTRUCTIONS } from "../../../sources/mcp/tools/definition.ts";
import { openNamed } from "./named-server.ts";

/** Shows how the tools of a server changed since they were approved, and approves exactly that. Returns 3 if the user does not confirm. */
export async function approveServer({ positionals, flags }: Arguments, world: World): Promise<number> {
  const [name, ...tools] = positionals;
  if (name === undefined)
    throw new ToolError("INVALID_INPUT", "missing server name: toolwright mcp approve NAME [TOOL …]");
  const trusted = await loadTrustedConfig(flags, loadConfig(flags, world.environment()));
  const store = await openConfiguredStore(trusted.config);
  const interrupt = createInterrupt();
  const source = openNamed(trusted, name, { store });
  try {
    const changes = chosen(await source.review(interrupt.signal), tools);
    return await approveChanges(source, name, changes, { isYes: flags["yes"] === true, world });
  } finally {
    await source.close?.();
    interrupt.close();
    await store.close();
  }
}

/** Shows changes and approves exactly these. Returns 3 if the user does not confirm. */
export async function approveChanges(
  source: Pick<McpSource, "approve">,
  name: string,
  changes: readonly PinChange[],
  { isYes, world }: { readonly isYes: boolean; readonly world: World },
): Promise<number> {
  if (changes.length === 0) {
    await world.output.print(`no changes in the tools of ${name}\n`);
    return 0;
  }
  await world.output.print(changes.map(page).join(""));
  if (!isYes && !(await isConfirmed(changes.length, world))) return 3;
  await source.approve(changes);
  await world.output.print(`approved ${changes.map((one) => visible(nameOf(one))).join(", ")}\n`);
  return 0;
}

export function chosen(changes: readonly PinChange[], tools: readonly string[]): readonly PinChange[] {
  const names = changes.map(nameOf);
  for (const tool of tools) {
    if (names.includes(tool)) continue;
    throw new ToolError("INVALID_INPUT", `no changes in the tool "${tool}"`, {
      hint: nearHint(tool, names, `changed: ${names.join(", ") || "none"}`),
    });
  }
  return tools.length === 0 ? changes : changes.filter((change) => tools.includes(nameOf(change)));
}

/** Returns the name of the tool; that of the server's instructions, which no tool can have. */
function nameOf({ tool }: PinChange): string {
  return tool === INSTRUCTIONS ? "(instructions)" : tool;
}

function page(change: PinChange): string {
  const { wasPinned, lines } = change;
  const head = `${nameOf(change)} (${wasPinned ? "changed" : "new"})`;
  return [head, ...lines.map((line) => `  ${line}`)].map((line) => `${visible(line)}\n`).join("");
}

async function isConfirmed(count: number, { isInteractive, stdin, stderr, output }: World): Promise<boolean> {
  if (!isInteractive) {
    output.log("toolwright: not approved; run it again with --yes to approve these changes");
    return false;
  }
  const question = `Approve ${count === 1 ? "it" : `these ${count}`}? [y]es; [n]o: `;
  const answer = await askLine({ stdin, stderr }, question);
  return answer !== undefined && /^y(?:es)?$/i.test(answer.trim());
}
