import { readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { ToolError } from "../../../core/errors.ts";
import type { WorkspaceCopy } from "../../../system/copy/workspace-copy.ts";
import type { Change } from "../../../system/copy/copy-changes.ts";
import { unifiedDiff } from "../../../tools/files/shared/unified-diff.ts";
import { attempt } from "../../../util/async/attempt.ts";
import { isWithin } from "../../../util/text/paths/is-within.ts";
import { visible } from "../../../util/text/visible.ts";
import { copyOf } from "../../host/sandbox/tool-server-program.ts";
import { refuseArguments, takeAction } from "../../terminal/input/check-arguments.ts";
import { STORED_FLAGS, type Command, type World } from "../../terminal/input/command.ts";
import { loadSettings } from "../../terminal/input/load-settings.ts";
import { counted } from "../../../util/text/words.ts";

const ACTIONS = ["diff", "apply", "discard"] as const;
const MAX_TEXT_BYTES = 1024 * 1024;

export const sandbox: Command = {
  name: "sandbox",
  summary: "show, apply or discard what programs in a sandbox changed in a copy of the workspace",
  usage: "diff [PATH…] [--json]\napply [PATH…] [--json]\ndiscard",
  positionals: ["action"],
  actions: ACTIONS,
  flags: {
    json: { summary: "print the changes as JSON, without content" },
    ...STORED_FLAGS,
  },
  examples: {
    "sandbox diff": "the changes in the copy, as a unified diff",
    "sandbox apply src": "make the changes below src in the workspace, too",
    "sandbox discard": "remove the copy with all its changes",
  },
  async run(given, world) {
    const { flags } = given;
    const config = loadSettings(flags, world);
    const { action, rest: paths } = takeAction(sandbox, given, ACTIONS, "diff");
    const copy = copyOf(config.paths);
    if (action === "discard") {
      refuseArguments(paths);
      await copy.discard();
      return world.output.print("removed the copy\n");
    }
    const changes = await changesIn(copy, paths, config.paths.workspace[0]);
    const isJson = flags["json"] === true;
    if (action === "diff")
      return world.output.print(isJson ? toJson(changes) : changes.map(toText).join("") || "no changes\n");
    const failed = await copy.apply(changes);
    await (isJson
      ? world.output.print(toJson(failed))
      : report(changes.length - failed.length, failed, world));
    return failed.length === 0 ? 0 : 1;
  },
};

/** Returns the changes at or below the paths; all of them without paths. Throws for a path without a change. */
async function changesIn(
  copy: WorkspaceCopy,
  paths: readonly string[],
  cwd: string,
): Promise<readonly Change[]> {
  const changes = await copy.changes();
  if (paths.length === 0) return changes;
  const wanted = paths.map((path) => resolve(cwd, path));
  const isBelow = ({ root, path }: Change, one: string): boolean => isWithin(join(root, path), one);
  const index = wanted.findIndex((one) => !changes.some((change) => isBelow(change, one)));
  if (index >= 0)
    throw new ToolError("INVALID_INPUT", `nothing was changed in ${paths[index]}`, {
      hint: "toolwright sandbox diff lists the changes",
    });
  return changes.filter((change) => wanted.some((one) => isBelow(change, one)));
}

function toJson(changes: readonly Change[]): string {
  const rows = changes.map(({ root, path, what, entry, conflict }) => ({
    path: join(root, path),
    what,
    kind: entry?.kind,
    mode: entry?.mode,
    target: entry?.target,
    conflict,
  }));
  return `${JSON.stringify(rows)}\n`;
}

/** Returns a line about the change and, of text, the difference. */
function toText(change: Change): string {
  const { root, path, what, entry, copy, conflict } = change;
  const details = [
    ...(entry === undefined ? [] : [entry.kind === "link" ? `link to ${entry.target}` : entry.kind]),
    ...(entry === undefined || entry.kind === "link" ? [] : [`mode ${entry.mode.toString(8)}`]),
    ...(conflict === undefined ? [] : [`conflict: ${conflict}`]),
  ];
  const line = `${what}: ${path}${details.length === 0 ? "" : ` (${details.join(", ")})`}\n`;
  const [before, after] = [
    readText(join(root, path)),
    entry?.kind === "file" ? readText(join(copy, path)) : "",
  ];
  const isText = before !== undefined && after !== undefined;
  return visible(`${line}${isText ? unifiedDiff(path, before, after) : ""}`);
}

/** Returns an empty text if there is no file, and undefined for a file that is long or no text. */
function readText(path: string): string | undefined {
  const bytes = attempt(() => readFileSync(path));
  if (bytes === undefined) return "";
  return bytes.length > MAX_TEXT_BYTES || bytes.includes(0) ? undefined : bytes.toString("utf8");
}

async function report(
  applied: number,
  failed: readonly Change[],
  { output, environment }: World,
): Promise<void> {
  const { cwd } = environment();
  const lines = failed.map(
    ({ root, path, conflict }) => `not applied: ${relative(cwd, join(root, path))}: ${conflict}\n`,
  );
  await output.print(visible(`applied ${counted(applied, "change")}\n${lines.join("")}`));
}
