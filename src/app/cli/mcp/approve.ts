import { ToolError } from "../../../core/errors.ts";
import type { McpSource, PinChange } from "../../../sources/mcp/types/source-types.ts";
import { openServer } from "../../host/sources/mcp-sources.ts";
import { unknownName } from "../../../util/text/near-hint.ts";
import { openConfiguredStore } from "../../host/store/open-configured-store.ts";
import type { Arguments, World } from "../../terminal/input/command.ts";
import { askLine } from "../../terminal/approve/ask-line.ts";
import { visible } from "../../../util/text/visible.ts";
import { pinName } from "../../../sources/mcp/tools/definition.ts";
import { namedServer } from "./config-entries.ts";

/** Shows how the tools of a server changed since they were approved, and approves exactly that. Returns 3 if the user does not confirm. */
export async function approveServer(args: Arguments, world: World): Promise<number | void> {
  const [name, ...names] = args.positionals;
  if (name === undefined)
    throw new ToolError("INVALID_INPUT", "missing server name: toolwright mcp approve NAME [TOOL …]");
  const { config, entry } = await namedServer(name, args, world);
  await using store = await openConfiguredStore(config, world.output.warn);
  // A server may list some tools only to clients that support sampling, as the programs with a model do.
  const source = openServer(entry, config, { collections: store.collections, sample: declineSampling });
  return await approveChanges(source, name, { names, isYes: args.flags["yes"] === true, world });
}

function declineSampling(): Promise<never> {
  return Promise.reject(new ToolError("DENIED", "toolwright mcp approve asks no model"));
}

interface Approving {
  /** The tools whose changes are approved; all if there are none. */
  readonly names: readonly string[];
  readonly isYes: boolean;
  readonly world: World;
}

/** Shows the changes of a source, approves exactly these and closes the source. Returns 3 if the user does not confirm. */
export async function approveChanges(
  source: Pick<McpSource, "review" | "approve" | "close">,
  name: string,
  { names, isYes, world }: Approving,
): Promise<number | void> {
  using interrupt = world.interrupt();
  try {
    const changes = chosen(await source.review(interrupt.signal), names);
    if (changes.length === 0) return await world.output.print(`no changes in the tools of ${name}\n`);
    await world.output.print(changes.map(page).join(""));
    if (!isYes && !(await isConfirmed(changes.length, world))) return 3;
    await source.approve(changes);
    return await world.output.print(`approved ${changes.map((one) => visible(pinName(one))).join(", ")}\n`);
  } finally {
    await source.close?.();
  }
}

function chosen(changes: readonly PinChange[], tools: readonly string[]): readonly PinChange[] {
  const names = changes.map(pinName);
  const unchanged = tools.find((tool) => !names.includes(tool));
  if (unchanged !== undefined)
    throw unknownName(
      `no changes in the tool "${unchanged}"`,
      unchanged,
      names,
      `changed: ${names.join(", ") || "none"}`,
    );
  return tools.length === 0 ? changes : changes.filter((change) => tools.includes(pinName(change)));
}

function page(change: PinChange): string {
  const { wasPinned, lines } = change;
  const head = `${pinName(change)} (${wasPinned ? "changed" : "new"})`;
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
