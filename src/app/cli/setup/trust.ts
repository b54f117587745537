import { ToolError } from "../../../core/errors.ts";
import { createMemoryCollections } from "../../../util/json/memory-collections.ts";
import { loadConfig } from "../../config/config.ts";
import type { ConfigGroups } from "../../config/groups.ts";
import { unknownName } from "../../../util/text/near-hint.ts";
import { openConfiguredStore, openPresentStore, type Store } from "../../host/store/open-configured-store.ts";
import { findInstructions, instructionItems } from "../../config/trust/project-instructions.ts";
import { collectTrustItems } from "../../config/trust/trust-items.ts";
import { loadTrust, type Trust, type TrustItem } from "../../config/files/trust.ts";
import { trustDifference, trustList, trustName, trustText } from "../../terminal/print/describe-trust.ts";
import { askLine, dropTypedAhead } from "../../terminal/approve/ask-line.ts";
import { STORED_FLAGS, type Arguments, type Command, type World } from "../../terminal/input/command.ts";

export const trust: Command = {
  name: "trust",
  summary: "list this folder's items that need trust, and trust or revoke them",
  usage: "[KIND:NAME … | --all] [--json]\n--revoke [KIND:NAME …] [--json]",
  positionals: ["entry"],
  flags: {
    all: { summary: "trust every listed item" },
    revoke: { summary: "revoke trust in the named items, or in all" },
    json: { summary: "print the items and their state as JSON, without prompting" },
    ...STORED_FLAGS,
  },
  examples: {
    trust: "list the items; on a terminal, prompt for each untrusted one",
    "trust rule:tests mcp_server:docs": "trust two items as they are now",
    "trust --all": "trust every item as it is now",
    "trust --revoke rule:tests": "stop trusting an item",
    "trust --json": "print the list as JSON",
  },
  async run(given, world) {
    const config = loadConfig(given.flags, world.environment());
    const { items, problems } = trustableItems(config);
    for (const problem of problems) world.output.warn(problem);
    await using store = await openFor(config, changes(given, world));
    const stored = await loadTrust(
      store?.collections ?? createMemoryCollections(),
      config.paths.workspace[0],
    );
    await act({ items, stored, given, world });
  },
};

/** Returns everything in the workspace that needs trust, its instructions too. */
export function trustableItems(config: ConfigGroups<"paths" | "report" | "hooks" | "mcp">) {
  const { items, problems } = collectTrustItems(config);
  const instructions = instructionItems(findInstructions(config.paths.workspace[0]));
  return { items: [...items, ...instructions], problems };
}

/** Whether the command can write, and so needs a store. */
function changes({ positionals, flags }: Arguments, world: World): boolean {
  if (positionals.length > 0 || flags["all"] === true || flags["revoke"] === true) return true;
  return flags["json"] !== true && mayAsk(world);
}

/** Creates a store only to write. */
async function openFor(
  config: ConfigGroups<"paths" | "storage" | "fleet">,
  isWritten: boolean,
): Promise<Store | undefined> {
  if (isWritten && config.paths.store === ":memory:")
    throw new ToolError("INVALID_INPUT", "trust cannot be stored in memory", {
      hint: "remove --store :memory:",
    });
  return isWritten ? openConfiguredStore(config) : openPresentStore(config);
}

interface Acting {
  readonly items: readonly TrustItem[];
  readonly stored: Trust;
  readonly given: Arguments;
  readonly world: World;
}

async function act(acting: Acting): Promise<void> {
  const { items, stored, given, world } = acting;
  const { positionals, flags } = given;
  if (flags["revoke"] === true) return revoke(acting);
  if (positionals.length > 0 || flags["all"] === true) {
    const chosen = positionals.length > 0 ? positionals.map((name) => find(name, items)) : items;
    for (const item of chosen) await give(item, acting);
  } else if (flags["json"] !== true) {
    await world.output.print(
      items.length === 0 ? "nothing in this folder needs trust\n" : trustList(items, stored),
    );
    await ask(acting);
  }
  if (flags["json"] === true) await printJson(acting);
}

async function revoke({ items, stored, given, world }: Acting): Promise<void> {
  const { positionals, flags } = given;
  // Includes items that no longer exist: a later item with that name must not be trusted.
  const known = [...stored.list(), ...items];
  const chosen = positionals.length > 0 ? positionals.map((name) => find(name, known)) : stored.list();
  for (const item of chosen) {
    const was = await stored.revoke(item);
    if (flags["json"] === true) continue;
    await world.output.print(`${was ? "off" : "was not trusted"}: ${trustText(trustName(item))}\n`);
  }
  if (flags["json"] === true) await printJson({ items, stored, given, world });
  else if (chosen.length === 0) await world.output.print("nothing in this folder is trusted\n");
}

async function give(item: TrustItem, { stored, given, world }: Acting): Promise<void> {
  await stored.trust(item);
  if (given.flags["json"] !== true) await world.output.print(`trusted: ${trustText(trustName(item))}\n`);
}

/** Prompts for each untrusted item on a terminal; prints what to run otherwise. */
async function ask(acting: Acting): Promise<void> {
  const { items, stored, world } = acting;
  const off = items.filter((item) => stored.stateOf(item) !== "trusted");
  if (off.length === 0) return;
  if (!mayAsk(world)) {
    world.output.log(
      "toolwright: run toolwright trust KIND:NAME to trust an item, or toolwright trust --all",
    );
    return;
  }
  let isAll = false;
  for (const item of off) {
    const state = stored.stateOf(item) === "changed" ? "has changed since you trusted it" : "is new";
    const question = `\n${trustText(trustName(item))} ${state}\n  ${trustText(item.detail)}\n${trustDifference(item, stored)}Trust it? [y]es; [n]o; [a]ll remaining; [q]uit: `;
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

async function printJson({ items, stored, world }: Acting): Promise<void> {
  const rows = items.map(({ text: _text, ...item }) => ({ ...item, state: stored.stateOf(item) }));
  await world.output.print(`${JSON.stringify(rows)}\n`);
}

function find<T extends Pick<TrustItem, "kind" | "name">>(wanted: string, items: readonly T[]): T {
  const item = items.find((one) => trustName(one) === wanted);
  if (item !== undefined) return item;
  const names = [...new Set(items.map(trustName))];
  const otherwise =
    names.length > 0 ? `items: ${names.map(trustText).join(", ")}` : "toolwright trust lists them";
  throw unknownName(`unknown item ${JSON.stringify(wanted)}`, wanted, names, otherwise);
}

function mayAsk({ isInteractive, columns }: World): boolean {
  return isInteractive && columns !== undefined;
}
