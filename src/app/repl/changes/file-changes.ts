import { constants, readFileSync, statSync, type Stats } from "node:fs";
import { isUtf8 } from "node:buffer";
import type { Collections } from "../../../core/store/collection.ts";
import { ToolError } from "../../../core/errors.ts";
import type { EngineEvent } from "../../../core/events.ts";
import type { Fact, PathFact } from "../../../core/fact.ts";
import type { Hook } from "../../../core/hook.ts";
import type { FileAccess } from "../../../core/session/file-access.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import { isVersionOf } from "../../../system/files/file-version.ts";
import { openTarget } from "../../../system/files/files.ts";
import { createFileOperations } from "../../../system/files/operations.ts";
import type { FileChange } from "../../../system/files/replace-stage.ts";
import { replaceFiles } from "../../../system/files/replace.ts";
import { existed, resolveTarget } from "../../../system/paths/paths.ts";
import { storedFileAccess } from "../../../tools/files/shared/file-access.ts";
import { shortDiff, unifiedDiff } from "../../../tools/files/shared/unified-diff.ts";
import { displayPath } from "../../../tools/shared/facts.ts";
import { attempt } from "../../../util/async/attempt.ts";
import { createSerializer } from "../../../util/async/serialize.ts";

/** Contents above this size are not recorded. */
const MAX_BYTES = 4 * 1024 * 1024;
/** Changes of larger contents are not shown with their call: comparing them would hold up the screen. */
const MAX_SHOWN_BYTES = 64 * 1024;
const MAX_CALLS = 200;

/** The state of a file: its content, `none` without a file, `unknown` if it is too large or not what the call left. */
type State = { readonly content: Buffer; readonly stats: Stats } | "none" | "unknown";

interface ChangedFile {
  readonly path: string;
  readonly before: State;
  readonly after: State;
}

/** A text file before and after a call. */
export interface ChangedText {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The files that one call changed. */
interface CallChange {
  readonly tool: string;
  readonly files: readonly ChangedFile[];
}

export interface FileChangesOptions {
  readonly engine: Engine;
  readonly collections: Collections;
  /** The folder in which unfinished changes are recorded. */
  readonly changesFolder: string;
  readonly root: string;
}

/** The files that the calls of this process changed. */
export type FileChanges = ReturnType<typeof recordChanges>;

interface Target {
  readonly paths: readonly string[];
  readonly session: string;
  readonly before?: ReadonlyMap<string, State>;
}

/** Creates a hook that learns which files each call will change; the engine is created with it. */
export function createChangeHook() {
  const targets = new Map<string, Target>();
  const hook: Hook = {
    name: "undo",
    on: ["before_tool"],
    onFailure: "pass",
    matches: ({ facts = [] }) => facts.some(isTarget),
    run({ call, facts = [], session = "" }) {
      // The files that a command changes are not known.
      const isKnown = !facts.some((fact) => fact.kind === "command");
      const paths = facts.filter(isTarget).map(({ path }) => path);
      if (call !== undefined && isKnown) targets.set(call.id, { paths, session });
      return undefined;
    },
  };
  return { hook, targets };
}

function isTarget(fact: Fact): fact is PathFact {
  return fact.kind === "path" && fact.access === "write" && fact.suspected !== true;
}

/** Records what calls change from now on. */
export function recordChanges({ targets }: ReturnType<typeof createChangeHook>, options: FileChangesOptions) {
  const { engine, collections, root } = options;
  const calls: CallChange[] = [];
  const inOrder = createSerializer();
  let latest: (CallChange & { readonly callId: string }) | undefined;
  const record = async ({ tool, files }: CallChange, session: string): Promise<void> => {
    const access = storedFileAccess(collections, session);
    const own = await Promise.all(files.map((file) => withOwnContent(file, access)));
    const changed = own.filter((file) => !isSame(file.before, file.after));
    if (changed.length > 0) calls.push({ tool, files: changed });
    calls.splice(0, calls.length - MAX_CALLS);
  };
  const answered = ({ callId, result }: Extract<EngineEvent, { type: "call.answered" }>): void => {
    const target = targets.get(callId);
    targets.delete(callId);
    if (target?.before === undefined) return;
    const { session, before, paths } = target;
    const files = paths.map((path) => {
      return { path, before: before.get(path) ?? "unknown", after: stateOf(path) } as const;
    });
    latest = { callId, tool: result.name, files };
    void inOrder(() => record({ tool: result.name, files }, session)).catch(() => undefined);
  };
  engine.on(
    (event) => {
      if (event.type === "call.answered") return answered(event);
      const target = targets.get(event.callId);
      if (target === undefined || event.attempt > 1) return undefined;
      const before = new Map(target.paths.map((path) => [path, stateOf(path)]));
      return void targets.set(event.callId, { ...target, before });
    },
    ["call.started", "call.answered"],
  );
  return {
    /**
     * Undoes the last call that is not undone, and returns its files, relative to the root: all of them or none, and none that has another
     * content than the call left.
     */
    undo: () =>
      inOrder(async () => {
        const last = calls.at(-1);
        if (last === undefined) throw nothingChanged();
        const operations = createFileOperations(options.changesFolder);
        await replaceFiles(await Promise.all(last.files.map((file) => revert(file, root))), { operations });
        calls.pop();
        return { tool: last.tool, paths: last.files.map(({ path }) => displayPath(root, path)) };
      }),
    /** Returns the difference between the files before the first change and now. */
    diff: () => inOrder(async () => diffOf(calls, root)),
    /** Returns the beginning of the change of a call that was answered just now, masked; undefined if it is not known. */
    changeOf: (callId: string): string | undefined => {
      if (latest?.callId !== callId || latest.files.some(isLarge)) return undefined;
      const diffs = latest.files.map((file) => fileDiff(file, root) ?? "").join("");
      return diffs === "" ? undefined : engine.masker.text(shortDiff(diffs));
    },
    /** Returns the texts of the files that a call that was answered just now has changed; undefined if there was no file, or is none. */
    textsOf: (callId: string): readonly ChangedText[] =>
      latest?.callId === callId ? latest.files.flatMap(toTexts) : [],
  };
}

/** Returns the file with `after` unknown if its content is not what the tool recorded: someone else changed it in the meantime. */
async function withOwnContent(file: ChangedFile, access: FileAccess): Promise<ChangedFile> {
  const { path, after } = file;
  if (typeof after === "string") return file;
  const seen = await access.seen(path).catch(() => undefined);
  const isOwn = seen !== undefined && isVersionOf(after.stats, after.content, seen.version);
  return isOwn ? file : { ...file, after: "unknown" };
}

/** Reads at once, so that the content is that of the moment of an event. */
function stateOf(path: string): State {
  return (
    attempt((): State => {
      const stats = statSync(path, { throwIfNoEntry: false });
      if (stats === undefined) return "none";
      if (!stats.isFile() || stats.size > MAX_BYTES) return "unknown";
      return { content: readFileSync(path), stats };
    }) ?? "unknown"
  );
}

function isSame(one: State, other: State): boolean {
  if (typeof one === "string" || typeof other === "string") return one === other && one !== "unknown";
  return one.content.equals(other.content);
}

/** Returns the change that restores a file. Throws if the file has another content than the call left. */
async function revert({ path, before, after }: ChangedFile, root: string): Promise<FileChange> {
  const relativePath = displayPath(root, path);
  if (before === "unknown")
    throw refused(`the earlier content of ${relativePath} is not known`, "git or a checkpoint may have it");
  const fact = await resolveTarget(path, { cwd: "/", access: "write" });
  const now = existed(fact) ? await readPresent(fact) : undefined;
  const isLeft = typeof after === "string" ? after === "none" && !now : now?.content.equals(after.content);
  if (fact.path !== path || isLeft !== true)
    throw refused(
      `${relativePath} was changed after the call`,
      "/diff shows the difference; /undo checks it again",
    );
  return {
    fact,
    content: before === "none" ? undefined : before.content,
    ...(now !== undefined && { openedAs: now.stats }),
    ...(before !== "none" && { mode: before.stats.mode & 0o7777 }),
  };
}

async function readPresent(fact: PathFact): Promise<{ readonly content: Buffer; readonly stats: Stats }> {
  const { handle, stats } = await openTarget(fact, constants.O_RDWR);
  try {
    return { content: await handle.readFile(), stats };
  } finally {
    await handle.close();
  }
}

function diffOf(calls: readonly CallChange[], root: string): string {
  const first = new Map(
    calls
      .flatMap(({ files }) => files)
      .toReversed()
      .map(({ path, before }) => [path, before]),
  );
  if (first.size === 0) throw nothingChanged();
  return Array.from(first, ([path, before]) => {
    const diff = fileDiff({ path, before, after: stateOf(path) }, root);
    const why = diff === undefined ? "not a text that can be shown" : "unchanged";
    return diff || `${displayPath(root, path)}: ${why}\n`;
  })
    .toReversed()
    .join("");
}

/** Returns the difference of a file, empty if there is none; undefined if it is not a text. */
function fileDiff({ path, before, after }: ChangedFile, root: string): string | undefined {
  const [from, to] = [textOf(before), textOf(after)];
  if (from === undefined || to === undefined) return undefined;
  const relativePath = displayPath(root, path);
  const names = {
    from: before === "none" ? undefined : relativePath,
    to: after === "none" ? undefined : relativePath,
  };
  return unifiedDiff(relativePath, from, to, names);
}

function toTexts({ path, before, after }: ChangedFile): readonly ChangedText[] {
  const [from, to] = [textOf(before), textOf(after)];
  if (from === undefined || to === undefined || isSame(before, after)) return [];
  return [{ path, before: before === "none" ? undefined : from, after: after === "none" ? undefined : to }];
}

function isLarge({ before, after }: ChangedFile): boolean {
  return [before, after].some((one) => typeof one !== "string" && one.content.length > MAX_SHOWN_BYTES);
}

function textOf(state: State): string | undefined {
  if (typeof state === "string") return state === "none" ? "" : undefined;
  return isUtf8(state.content) ? state.content.toString("utf8") : undefined;
}

function nothingChanged(): ToolError {
  return new ToolError("UNAVAILABLE", "no call of this chat has changed a file", {
    hint: "files that commands of the shell change are not recorded: git diff shows them",
  });
}

function refused(message: string, hint: string): ToolError {
  return new ToolError("TOOL_FAILED", `${message}; nothing was undone`, { hint });
}
