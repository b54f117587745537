import { defined } from "../../../util/json/defined.ts";
import { isUtf8 } from "node:buffer";
import type { Stats } from "node:fs";
import { ToolError } from "../../../core/errors.ts";
import type { PathFact } from "../../../core/fact.ts";
import { object, oneOf, optional, string, type Infer } from "../../../schema/define/schema.ts";
import type { FileChange } from "../../../system/files/replace-stage.ts";
import { existed } from "../../../system/paths/paths.ts";
import { missingFile } from "../shared/missing-file.ts";
import { applyHunks, type HunkNote } from "./apply-hunks.ts";
import type { FilePatch } from "./model.ts";
import { readWholeFile, toText } from "../shared/text-file.ts";
import { unifiedDiff } from "../shared/unified-diff.ts";

export const patchedFile = object({
  path: string(),
  action: oneOf(["add", "update", "delete", "move"]),
  // The old name of a moved file.
  from: optional(string()),
  diff: string(),
});

export type PatchedFile = Infer<typeof patchedFile>;

/** One file before and after the patch. */
interface Planned {
  readonly fact: PathFact;
  readonly shown: string;
  readonly before: { readonly bytes: Buffer; readonly stats: Stats } | undefined;
  /** Undefined if there is no file. */
  readonly after: Buffer | undefined;
  readonly mode?: number;
  /** The file that was moved here. */
  readonly movedFrom?: Planned;
  /** Its content was moved to another file. */
  readonly isMoved?: boolean;
}

export interface PlanOptions {
  /** Returns the judged target of a path in the patch. */
  readonly factOf: (path: string) => PathFact;
  readonly shownOf: (fact: PathFact) => string;
}

/** Computes a patch file by file, each on the earlier results for the same file. Never changes a file. */
export function createPatchPlan({ factOf, shownOf }: PlanOptions) {
  const planned = new Map<string, Planned>();

  async function find(path: string): Promise<Planned> {
    const fact = factOf(path);
    const known = planned.get(fact.path);
    if (known !== undefined) return known;
    const shownPath = shownOf(fact);
    const before = existed(fact) ? await readWholeFile(fact, shownPath) : undefined;
    return { fact, shown: shownPath, before, after: before?.bytes };
  }

  async function existing(path: string): Promise<Planned & { readonly after: Buffer }> {
    const file = await find(path);
    if (file.after === undefined) throw await missingFile(file.fact.path, file.shown);
    return { ...file, after: file.after };
  }

  const keep = (file: Planned): void => void planned.set(file.fact.path, file);

  async function move(source: Planned, patch: FilePatch, moveTo: string): Promise<void> {
    const target = await find(moveTo);
    if (target.fact.path === source.fact.path) return keep(source);
    if (target.after !== undefined && !patch.mayReplace) throw taken(target.shown);
    const mode = source.mode ?? (source.before && source.before.stats.mode & 0o7777);
    keep({ ...source, after: undefined, isMoved: true });
    keep({ ...target, after: source.after, movedFrom: source, ...defined({ mode }) });
  }

  return {
    /** Adds the patch of one file. If it does not match, throws and leaves the plan as it was. */
    async add(patch: FilePatch): Promise<readonly HunkNote[]> {
      const mode = patch.mode === undefined ? {} : { mode: patch.mode };
      if (patch.action === "add") {
        const file = await find(patch.path);
        if (file.after !== undefined && !patch.mayReplace) throw taken(file.shown);
        keep({ ...file, after: Buffer.from(applyHunks("", patch.hunks, file.shown).text), ...mode });
        return [];
      }
      const file = await existing(patch.path);
      const { after, notes } = patchBytes(file.after, patch, file.shown);
      if (patch.action === "delete") {
        if (patch.saysContent && after.length > 0) throw moreContent(file.shown);
        keep({ ...file, after: undefined });
      } else if (patch.moveTo === undefined) keep({ ...file, after, ...mode });
      else await move({ ...file, after, ...mode }, patch, patch.moveTo);
      return notes;
    },
    changes: (): readonly FileChange[] => [...planned.values()].filter(isChanged).map(toChange),
    /** Returns the files whose content is deleted. */
    deleted: (): readonly PathFact[] => [...planned.values()].filter(isDeleted).map(({ fact }) => fact),
    files: (): readonly PatchedFile[] =>
      [...planned.values()].filter(isChanged).filter(isShown).map(describe),
  };
}

/** A file without hunks may be of any kind. */
function patchBytes(
  bytes: Buffer,
  patch: FilePatch,
  shown: string,
): { readonly after: Buffer; readonly notes: readonly HunkNote[] } {
  if (patch.hunks.length === 0) return { after: bytes, notes: [] };
  const { text, mark } = toText(bytes, shown);
  const patched = applyHunks(text, patch.hunks, shown);
  const isGone = patch.action === "delete" && patched.text === "";
  return { after: Buffer.from(isGone ? "" : mark + patched.text), notes: patched.notes };
}

function isChanged({ before, after, mode }: Planned): boolean {
  if (before === undefined || after === undefined) return before?.bytes !== after;
  return !before.bytes.equals(after) || (mode !== undefined && mode !== (before.stats.mode & 0o7777));
}

function isDeleted({ before, after, isMoved }: Planned): boolean {
  return before !== undefined && after === undefined && isMoved !== true;
}

function toChange({ fact, before, after, mode }: Planned): FileChange {
  return { fact, content: after, ...defined({ openedAs: before?.stats, mode }) };
}

/** The old name of a moved file is reported with the new one. */
function isShown({ isMoved, after }: Planned): boolean {
  return isMoved !== true || after !== undefined;
}

function describe({ shown, before, after, movedFrom }: Planned): PatchedFile {
  const source = movedFrom === undefined ? { shown, before } : movedFrom;
  const names = { from: source.before && source.shown, to: after && shown };
  const diff = unifiedDiff(shown, displayed(source.before?.bytes), displayed(after), names);
  if (movedFrom !== undefined) return { path: shown, action: "move", from: movedFrom.shown, diff };
  const action = before === undefined ? "add" : after === undefined ? "delete" : "update";
  return { path: shown, action, diff };
}

function displayed(bytes: Buffer | undefined): string {
  if (bytes === undefined) return "";
  return isUtf8(bytes) && !bytes.includes(0)
    ? bytes.toString("utf8")
    : `[${bytes.length} bytes of binary data]\n`;
}

function taken(shown: string): ToolError {
  return new ToolError("TOOL_FAILED", `${shown} already exists; nothing was changed`, {
    hint: "change it with a patch of its own, or delete it first",
    details: { path: shown },
  });
}

function moreContent(shown: string): ToolError {
  return new ToolError("TOOL_FAILED", `${shown} contains more than the patch deletes; nothing was changed`, {
    hint: "read it again: the patch must have all of its lines",
    details: { path: shown },
  });
}
