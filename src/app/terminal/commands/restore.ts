import type { Collections } from "../../../core/store/collection.ts";
import { ToolError } from "../../../core/errors.ts";
import type { Checkpoint } from "../../../system/saved/checkpoint-files.ts";
import type { Checkpoints } from "../../../system/saved/checkpoints.ts";
import { unknownName } from "../../../util/text/near-hint.ts";
import { openPresentStore } from "../../host/store/open-configured-store.ts";
import {
  configuredCheckpoints,
  restoreCheckpoint,
  type Restored,
  type RestoredFile,
} from "../../host/store/restore-checkpoint.ts";
import { timeOf, alignRows } from "../print/align-rows.ts";
import { STORED_FLAGS, type Arguments, type Command, type Shown } from "../input/command.ts";
import { loadSettings } from "../input/load-settings.ts";
import { refuseArguments } from "../input/check-arguments.ts";
import { visible } from "../../../util/text/visible.ts";
import { counted } from "../../../util/text/words.ts";

export const restore: Command = {
  name: "restore",
  summary: "list the checkpoints of this workspace, or restore the files of one",
  usage: "[ID] [--force] [--json]",
  positionals: ["entry"],
  flags: {
    force: { summary: "overwrite unrecorded changes" },
    json: { summary: "print the list, or the result for each file, as JSON" },
    ...STORED_FLAGS,
  },
  examples: {
    restore: "list checkpoints, newest first",
    "restore 1f0c22ab": "restore the files of a checkpoint",
    "restore 1f0c22ab --force": "also overwrite unrecorded changes",
  },
  async run(given, world) {
    const config = loadSettings(given.flags, world);
    const [root] = config.paths.workspace;
    const checkpoints = configuredCheckpoints(config.paths);
    await using store =
      given.positionals.length === 0 ? undefined : await openPresentStore(config, world.output.warn);
    return await runRestore({ checkpoints, root, collections: store?.collections }, given, world);
  },
};

/** The stored files of a workspace. */
export interface KeptFiles {
  readonly checkpoints: Checkpoints;
  readonly root: string;
  /** Records which files the agent has seen; undefined without a store. */
  readonly collections: Collections | undefined;
}

/** Lists the checkpoints of a workspace, or restores the files of one. */
export async function runRestore(kept: KeptFiles, given: Arguments, world: Shown): Promise<number | void> {
  const { checkpoints, root, collections } = kept;
  const [id, ...rest] = given.positionals;
  refuseArguments(rest);
  if (id === undefined) return list(checkpoints, root, given, world);
  const checkpoint = find(id, await checkpoints.list(), root);
  const restored = await restoreCheckpoint(checkpoint, {
    checkpoints,
    force: given.flags["force"] === true,
    collections,
  });
  if (given.flags["json"] !== true) await printRestored(restored, id, world);
  else await world.output.print(`${JSON.stringify({ id, ...restored })}\n`);
  return restored.restored ? 0 : 1;
}

async function list(
  checkpoints: Checkpoints,
  root: string,
  { flags }: Arguments,
  { output, columns }: Shown,
): Promise<void> {
  if (flags["force"] === true) throw new ToolError("INVALID_INPUT", "--force needs the id of a checkpoint");
  const own = (await checkpoints.list()).filter((one) => one.root === root);
  if (flags["json"] === true) return output.print(`${JSON.stringify(own)}\n`);
  if (own.length === 0) return output.print("no checkpoints of this workspace\n");
  const rows = own.map(({ id, createdAt, files, description, testsAdded = [] }) => {
    const tests = testsAdded.length === 0 ? "" : ` (tests: ${testsAdded.join(", ")})`;
    const text = visible(description + tests).replaceAll("\n", " ");
    return [id, timeOf(createdAt), counted(files.length, "file"), text];
  });
  return output.print(alignRows(rows, columns));
}

function find(id: string, checkpoints: readonly Checkpoint[], root: string): Checkpoint {
  const checkpoint = checkpoints.find((one) => one.id === id);
  const own = checkpoints.filter((one) => one.root === root).map((one) => one.id);
  if (checkpoint === undefined)
    throw unknownName(`unknown checkpoint ${JSON.stringify(id)}`, id, own, "toolwright restore lists them");
  if (checkpoint.root === root) return checkpoint;
  const what = `checkpoint ${id} belongs to another workspace: ${visible(checkpoint.root)}`;
  throw new ToolError("INVALID_INPUT", what, { hint: "run the command there" });
}

async function printRestored({ restored, before, files }: Restored, id: string, { output }: Shown) {
  if (!restored) throw unrecorded(files, id);
  if (files.length === 0) await output.print("this checkpoint has no files\n");
  const rows = files.map(({ path, outcome }) => [
    outcome === "created since" ? "left in place (created since)" : outcome,
    visible(path),
  ]);
  await output.print(alignRows(rows));
  if (before !== null) await output.print(`the overwritten files are stored as checkpoint ${before}\n`);
}

function unrecorded(files: readonly RestoredFile[], id: string): ToolError {
  const changed = files.filter(({ outcome }) => outcome === "changed");
  const what = `${changed.length} of its files ${changed.length === 1 ? "has" : "have"} unrecorded changes; nothing was restored`;
  const lines = changed.map(({ path, change }) => `  ${visible(path)}: ${change}`);
  return new ToolError("TOOL_FAILED", [what, ...lines].join("\n"), {
    hint: `to overwrite them: toolwright restore ${id} --force (a checkpoint of them is created first)`,
  });
}
