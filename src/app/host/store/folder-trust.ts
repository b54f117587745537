import type { Collections } from "../../../core/store/collection.ts";
import { loadConfig } from "../../config/config.ts";
import { loadTrust, type Trust, type TrustItem } from "../../config/files/trust.ts";
import {
  findInstructions,
  instructionItems,
  type ProjectInstructions,
} from "../../config/trust/project-instructions.ts";
import { collectTrustItems } from "../../config/trust/trust-items.ts";
import type { UntrustedConfig } from "./apply-trust.ts";

/** What a folder has that needs trust, for a person who decides about it while a program runs. */
export type FolderTrust = ReturnType<typeof createFolderTrust>;

/** Reads the folder anew each time. `first` are the instructions that are in use. */
export function createFolderTrust(
  { flags, config }: UntrustedConfig,
  collections: Collections,
  first: readonly ProjectInstructions[],
) {
  const {
    paths: { workspace, userHome },
    environment: { variables },
  } = config;
  const [cwd, ...roots] = workspace;
  let instructions = first;
  return {
    /** Returns the instructions in use: the user's own, then those of the folder that are trusted. */
    instructions: (): readonly ProjectInstructions[] => instructions,
    /** Returns the items that are not trusted as they are now, and what is stored about them. Throws for a config that is invalid. */
    async off(): Promise<{ readonly items: readonly TrustItem[]; readonly stored: Trust }> {
      const untrusted = loadConfig(flags, { cwd, roots, variables, userHome });
      const stored = await loadTrust(collections, cwd);
      const all = [...collectTrustItems(untrusted).items, ...instructionItems(findInstructions(cwd))];
      return { items: all.filter((item) => stored.stateOf(item) !== "trusted"), stored };
    },
    /** Trusts an item with the content that it has here. Returns true if it is in use now, false if from the next start. */
    async trust(item: TrustItem, stored: Trust): Promise<boolean> {
      await stored.trust(item);
      const { kind, name: path, text, hash } = item;
      if (kind !== "instructions" || text === undefined) return false;
      const others = instructions.filter((one) => one.isOfUser === true || one.path !== path);
      instructions = [...others, { path, text, hash }];
      return true;
    },
  };
}
