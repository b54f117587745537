import type { Collections } from "../../core/collection.ts";
import { ToolError } from "../../core/errors.ts";
import type { Checkpoint } from "../../system/checkpoint-files.ts";
import type { IsRecorded, PlannedFile } from "../../system/checkpoint-restore.ts";
import { isWritten, planRestore, restoreFiles } from "../../system/checkpoint-restore.ts";
import type { Checkpoints } from "../../system/checkpoints.ts";
import { createCheckpoints } from "../../system/checkpoints.ts";
import { isVersionOf } from "../../system/file-version.ts";
import { keptFileAccess } from "../../tools/files/file-access.ts";
import { shownPath } from "../../tools/judged.ts";
import { loadConfig } from "../config.ts";
import { describeChange } from "../describe-change.ts";
import { keptFoldersOf } from "../kept-folders.ts";
import { nearHint } from "../near-hint.ts";
import { openPresentStore } from "../open-configured-store.ts";
import { workspaceSession } from "../workspace-session.ts";
import { alignRows } from "./align-rows.ts";
import type { Arguments, Command, World } from "./command.ts";
import { CONFIG_FLAGS, STORE_FLAG } from "./command.ts";
import { tellWarning } from "./open-tools.ts";
import { visible } from "./visible.ts";

export const restore: Command = {
  name: "restore",
  summary: "list the checkpoints of this workspace, or bring back the files of one",
  usage: "[ID] [--force]",
  positionals: ["entry"],
  flags: {
    force: { summary: "also over files that changed in a way nobody recorded" },
    json: { summary: "print the list, or what became of each file, as JSON" },
    ...STORE_FLAG,
    profile: CONFIG_FLAGS.profile,
  },
  examples: [
    { line: "restore", does: "the checkpoints there are, newest first" },
    { line: "restore 1f0c22ab", does: "its files as they were" },
    { line: "restore 1f0c22ab --force", does: "also where that overwrites unrecorded changes" },
  ],
  async run(given, world) {
    const config = loadConfig(given.flags);
    for (const warning of config.warnings) tellWarning(world.output, warning);
    const [root] = config.workspace;
    const checkpoints = createCheckpoints({ folder: keptFoldersOf(config).checkpoints });
    const [id, ...rest] = given.positionals;
    if (rest.length > 0) throw new ToolError("INVALID_INPUT", `too many words: ${rest.join(" ")}`);
    if (id === undefined) {
      await list(checkpoints, root, given, world);
      return 0;
    }
    const checkpoint = find(id, await checkpoints.list(), root);
    const store = await openPresentStore(config);
    try {
      const plan = await planRestore(checkpoints, checkpoint, recordedIn(store?.collections, checkpoint));
      return await bringBack({ checkpoints, checkpoint, plan }, given, world);
    } finally {
      await store?.close();
    }
  },
};

async function list(
  checkpoints: Checkpoints,
  root: string,
  { flags }: Arguments,
  { output, columns }: World,
): Promise<void> {
  if (flags["force"] === true) throw new ToolError("INVALID_INPUT", "--force needs the id of a checkpoint");
  const own = (await checkpoints.list()).filter((one) => one.root === root);
  if (flags["json"] === true) return output.print(`${JSON.stringify(own)}\n`);
  if (own.length === 0) return output.print("there are no checkpoints of this workspace\n");
  const rows = own.map(({ id, createdAt, files, description }) => {
    const when = new Date(createdAt).toISOString().replace("T", " ").slice(0, 19);
    return [id, when, `${files.length} files`, visible(description).replaceAll("\n", " ")];
  });
  return output.print(alignRows(rows, columns));
}

function find(id: string, checkpoints: readonly Checkpoint[], root: string): Checkpoint {
  const found = checkpoints.find((one) => one.id === id);
  const own = checkpoints.filter((one) => one.root === root).map((one) => one.id);
  if (found === undefined) {
    throw new ToolError("INVALID_INPUT", `there is no checkpoint ${JSON.stringify(id)}`, {
      hint: nearHint(id, own, "toolwright restore lists what there is"),
    });
  }
  if (found.root === root) return found;
  throw new ToolError("INVALID_INPUT", `checkpoint ${id} is of another workspace: ${visible(found.root)}`, {
    hint: "run this there",
  });
}

/** A change is recorded where the agent saw it: the same that lets it edit the file. */
function recordedIn(collections: Collections | undefined, { root, session }: Checkpoint): IsRecorded {
  if (collections === undefined) return () => Promise.resolve(false);
  const sessions = [...new Set([session ?? "", workspaceSession(root)])].filter((id) => id !== "");
  const accesses = sessions.map((id) => keptFileAccess(collections, id));
  return async (path, { content, stats }) => {
    const seen = await Promise.all(accesses.map((access) => access.seen(path)));
    return seen.some((one) => one !== undefined && isVersionOf(stats, content, one.version));
  };
}

interface Restoring {
  readonly checkpoints: Checkpoints;
  readonly checkpoint: Checkpoint;
  readonly plan: readonly PlannedFile[];
}

/** Gives the exit code: 1 where files are stale and nothing was restored. */
async function bringBack(
  { checkpoints, checkpoint, plan }: Restoring,
  { flags }: Arguments,
  { output }: World,
): Promise<number> {
  const stale = plan.filter(({ state }) => state === "stale");
  const isRefused = stale.length > 0 && flags["force"] !== true;
  const before = isRefused ? undefined : await restoreFiles(checkpoints, checkpoint, plan);
  const told = plan.map((one) => [
    outcomeOf(one, isRefused),
    visible(shownPath(checkpoint.root, one.file.path)),
  ]);
  if (flags["json"] === true) {
    const files = told.map(([outcome, path]) => ({ path, outcome }));
    await output.print(
      `${JSON.stringify({ id: checkpoint.id, restored: !isRefused, before: before?.id ?? null, files })}\n`,
    );
    return isRefused ? 1 : 0;
  }
  if (isRefused) throw await staleFault(checkpoints, checkpoint, stale);
  if (told.length === 0) await output.print("this checkpoint keeps no files\n");
  await output.print(alignRows(told));
  if (before !== undefined) await output.print(`what was overwritten is kept as ${before.id}\n`);
  return 0;
}

function outcomeOf(planned: PlannedFile, isRefused: boolean): string {
  if (planned.state === "same") return "unchanged";
  if (planned.state === "created") return "left, it was created since";
  if (isRefused) return planned.state === "stale" ? "changed, not restored" : "not restored";
  return isWritten(planned) ? "restored" : planned.state;
}

async function staleFault(
  checkpoints: Checkpoints,
  { id, root }: Checkpoint,
  stale: readonly PlannedFile[],
): Promise<ToolError> {
  const lines = await Promise.all(
    stale.map(async ({ file, now }) => {
      const change = describeChange(await checkpoints.read(file), now?.content ?? new Uint8Array());
      return `  ${visible(shownPath(root, file.path))}: ${change}`;
    }),
  );
  const what = `${stale.length} of its files changed since, in a way that nobody recorded; nothing was restored`;
  return new ToolError("TOOL_FAILED", [what, ...lines].join("\n"), {
    hint: `to restore them all the same: toolwright restore ${id} --force (what is overwritten is kept)`,
  });
}
