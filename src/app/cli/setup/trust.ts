import { ToolError } from "../../../core/errors.ts";
import { createMemoryCollections } from "../../../util/json/memory-collections.ts";
import type { Config } from "../../config/config.ts";
import { loadConfig } from "../../config/config.ts";
import { nearHint } from "../../../util/text/near-hint.ts";
import { openConfiguredStore, openPresentStore } from "../../host/store/open-configured-store.ts";
import { collectTrustItems } from "../../config/trust/trust-items.ts";
import type { Trust, TrustItem } from "../../config/files/trust.ts";
import { loadTrust } from "../../config/files/trust.ts";
import { alignRows } from "../../terminal/print/align-rows.ts";
import { askLine, dropTypedAhead } from "../../terminal/approve/ask-line.ts";
import type { Arguments, Command, World } from "../../terminal/input/command.ts";
import { CONFIG_FLAGS, STORE_FLAG } from "../../terminal/input/command.ts";
import { printWarning } from "../../terminal/print/print-warning.ts";
import { visible } from "../../../util/text/visible.ts";

export const trust: Command = {
  name: "trust",
  summary: "list what this folder brings that needs your trust, and give or take it back",
  usage: "[KIND:NAME …] [--all] [--revoke] [--json]",
  positionals: ["item"],
  flags: {
    all: { summary: "everything that is listed" },
    revoke: { summary: "take trust back, from the items named or from all" },
    json: { summary: "print the items with their states as JSON, and ask nothing" },
    ...STORE_FLAG,
    profile: CONFIG_FLAGS.profile,
  },
  examples: [
    { line: "trust", does: "list the items; on a terminal, be asked about each that is off" },
    { line: "trust rule:tests mcp_server:docs", does: "trust these two as they are now" },
    { line: "trust --all", does: "trust everything that is here now" },
    { line: "trust --revoke rule:tests", does: "switch it off again" },
    { line: "trust --json", does: "the list for a program" },
  ],
  async run(given, world) {
    const config = loadConfig(given.flags);
    const { items, problems } = collectTrustItems(config);
    for (const problem of problems) printWarning(world.output, problem);
    const { kept, close } = await openTrust(config, changes(given, world));
    try {
      await act({ items, kept, given, world });
    } finally {
      await close();
    }
    return 0;
  },
};

/** True where something may be written, so that a store is needed. */
function changes({ positionals, flags }: Arguments, world: World): boolean {
  if (positionals.length > 0 || flags["all"] === true || flags["revoke"] === true) return true;
  return flags["json"] !== true && mayAsk(world);
}

interface OpenTrust {
  readonly kept: Trust;
  readonly close: () => Promise<void>;
}

/** Looking makes no store. */
async function openTrust(config: Config, isWritten: boolean): Promise<OpenTrust> {
  if (isWritten && config.store === ":memory:") {
    throw new ToolError("INVALID_INPUT", "a store in memory keeps no trust", { hint: "leave out --store" });
  }
  const store = isWritten ? await openConfiguredStore(config) : await openPresentStore(config);
  const collections = store?.collections ?? createMemoryCollections();
  const kept = await loadTrust(collections, config.workspace[0]);
  return { kept, close: async () => store?.close() };
}

interface Acting {
  readonly items: readonly TrustItem[];
  readonly kept: Trust;
  readonly given: Arguments;
  readonly world: World;
}

async function act(acting: Acting): Promise<void> {
  const { items, kept, given, world } = acting;
  const { positionals, flags } = given;
  if (flags["revoke"] === true) return revoke(acting);
  if (positionals.length > 0 || flags["all"] === true) {
    const chosen = positionals.length > 0 ? positionals.map((name) => find(name, items)) : items;
    for (const item of chosen) await give(item, acting);
  } else if (flags["json"] !== true) {
    await world.output.print(list(items, kept));
    await ask(acting);
  }
  if (flags["json"] === true) await printJson(acting);
}

async function revoke({ items, kept, given, world }: Acting): Promise<void> {
  const { positionals, flags } = given;
  // Also of things that are not there any more: the next thing of that name must be new.
  const known = [...kept.list(), ...items];
  const chosen = positionals.length > 0 ? positionals.map((name) => find(name, known)) : kept.list();
  for (const item of chosen) {
    const was = await kept.revoke(item);
    if (flags["json"] === true) continue;
    await world.output.print(`${was ? "off" : "was not trusted"}: ${shown(nameOf(item))}\n`);
  }
  if (flags["json"] === true) await printJson({ items, kept, given, world });
  else if (chosen.length === 0) await world.output.print("nothing of this folder is trusted\n");
}

async function give(item: TrustItem, { kept, given, world }: Acting): Promise<void> {
  await kept.trust(item);
  if (given.flags["json"] !== true) await world.output.print(`trusted: ${shown(nameOf(item))}\n`);
}

function list(items: readonly TrustItem[], kept: Trust): string {
  if (items.length === 0) return "nothing in this folder needs trust\n";
  return alignRows(items.map((item) => [kept.stateOf(item), shown(nameOf(item)), shown(item.detail)]));
}

/** Item by item on a terminal; elsewhere what to do is said. */
async function ask(acting: Acting): Promise<void> {
  const { items, kept, world } = acting;
  const off = items.filter((item) => kept.stateOf(item) !== "trusted");
  if (off.length === 0) return;
  if (!mayAsk(world)) {
    world.output.log("toolwright: trust one with toolwright trust KIND:NAME, or all with --all");
    return;
  }
  let isAll = false;
  for (const item of off) {
    const state = kept.stateOf(item) === "changed" ? "has changed since you trusted it" : "is new";
    const question = `\n${shown(nameOf(item))} ${state}\n  ${shown(item.detail)}\nTrust it? [y]es; [n]o; [a]ll that is left; [q]uit: `;
    const answer: string | undefined = isAll ? "y" : await askOnce(world, question);
    if (answer === undefined || answer === "q" || answer === "quit") return;
    isAll ||= answer === "a" || answer === "all";
    if (isAll || answer === "y" || answer === "yes") await give(item, acting);
  }
}

async function askOnce(world: World, question: string): Promise<string | undefined> {
  await dropTypedAhead(world);
  return (await askLine(world, question))?.trim().toLowerCase();
}

async function printJson({ items, kept, world }: Acting): Promise<void> {
  const rows = items.map((item) => ({ ...item, state: kept.stateOf(item) }));
  await world.output.print(`${JSON.stringify(rows)}\n`);
}

function find<T extends Pick<TrustItem, "kind" | "name">>(wanted: string, items: readonly T[]): T {
  const item = items.find((one) => nameOf(one) === wanted);
  if (item !== undefined) return item;
  const names = items.map(nameOf);
  const otherwise =
    names.length > 0 ? `items: ${names.map(shown).join(", ")}` : "toolwright trust lists them";
  throw new ToolError("INVALID_INPUT", `this folder has no item ${JSON.stringify(wanted)}`, {
    hint: nearHint(wanted, names, otherwise),
  });
}

function nameOf({ kind, name }: Pick<TrustItem, "kind" | "name">): string {
  return `${kind}:${name}`;
}

/** Names and contents come from strangers: on one line, with nothing in it that the terminal would act on. */
function shown(text: string): string {
  return visible(text).replaceAll("\n", "\\n");
}

function mayAsk({ isInteractive, columns }: World): boolean {
  return isInteractive && columns !== undefined;
}
