import type { Trust, TrustItem } from "../../config/files/trust.ts";
import type { FolderTrust } from "../../host/store/folder-trust.ts";
import { splitWords, type SlashCommand } from "../../terminal/commands/slash-command.ts";
import { trustList, trustName, trustText } from "../../terminal/print/describe-trust.ts";
import { unknownName } from "../../../util/text/near-hint.ts";
import { counted } from "../../../util/text/words.ts";
import { visible } from "../../../util/text/visible.ts";

/** The most lines of a text that the list shows. */
const MAX_LINES = 40;
const NEXT_START = "; in use from the next start: toolwright chat --continue";

/** Lists the items of the folder that are off, and trusts some or all of them. */
export function trustCommand(folder: Pick<FolderTrust, "off" | "trust">): SlashCommand {
  return {
    name: "trust",
    summary: "list what is off in this folder, such as AGENTS.md, or trust it",
    usage: "[NAME … | --all]",
    complete: async () => ["--all", ...(await folder.off()).items.map(trustName)],
    async run(args, world) {
      const { items, stored } = await folder.off();
      if (items.length === 0) return world.print("nothing in this folder is off\n");
      const words = splitWords(args);
      if (words.length === 0) {
        const texts = items.map((item) => newText(item, stored)).join("");
        return world.print(
          `${trustList(items, stored)}${texts}/trust NAME trusts one, /trust --all trusts all\n`,
        );
      }
      const chosen = words.includes("--all") ? items : words.map((word) => find(word, items));
      for (const item of new Set(chosen)) {
        const isInUse = await folder.trust(item, stored);
        await world.print(`trusted: ${trustText(trustName(item))}${isInUse ? "" : NEXT_START}\n`);
      }
    },
  };
}

/** Returns the text of an item that was never trusted, such as AGENTS.md; empty without one. */
function newText(item: TrustItem, stored: Trust): string {
  if (item.text === undefined || stored.stateOf(item) !== "new") return "";
  const lines = visible(item.text).split("\n");
  const more = lines.length - MAX_LINES;
  const rest = more > 0 ? `  … ${counted(more, "more line")}: open the file to read all\n` : "";
  const listedLines = lines.slice(0, MAX_LINES).map((line) => `  ${line}\n`);
  return `\n${trustText(trustName(item))}:\n${listedLines.join("")}${rest}\n`;
}

/** Finds an item by `KIND:NAME`, or by its name if only one item has it. */
function find(word: string, items: readonly TrustItem[]): TrustItem {
  const named = items.filter(({ name }) => name === word);
  const item = items.find((one) => trustName(one) === word) ?? (named.length === 1 ? named[0] : undefined);
  if (item !== undefined) return item;
  const names = items.map(trustName);
  const otherwise = `off: ${names.map(trustText).join(", ")}`;
  throw unknownName(`unknown item ${JSON.stringify(word)}`, word, names, otherwise);
}
