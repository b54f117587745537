import { builtIn, valueProblem, CHANGES, named } from "../../shared/built-in-tool.ts";
import { Reply } from "../../../core/content.ts";
import type { ToolContext } from "../../../core/context.ts";
import { ToolError } from "../../../core/errors.ts";
import type { PathFact } from "../../../core/fact.ts";
import type { Problem } from "../../../core/result.ts";
import { list, object, optional, string } from "../../../schema/define/schema.ts";
import type { Tool } from "../../../core/tool.ts";
import { replaceFiles } from "../../../system/files/replace.ts";
import { resolveEntry } from "../../../system/paths/entry.ts";
import { targetOptions, displayPath, resolveGiven } from "../../shared/facts.ts";
import { changeFiles } from "../shared/change-files.ts";
import { assertFresh, fileAccessOf, markUnread, noteWritten } from "../shared/file-access.ts";
import type { FilesOptions } from "../shared/options.ts";
import { gonePaths, namedPaths, replacedPaths, type FilePatch } from "./model.ts";
import { createPatchPlan, patchedFile, type PatchedFile } from "./plan.ts";
import { MAX_FILE_MB } from "../shared/text-file.ts";
import { shortDiff } from "../shared/unified-diff.ts";
import { SessionKey } from "../../../core/session/session.ts";
import type { TrashEntry } from "../../../system/saved/trash-entry.ts";
import { createTrash } from "../../../system/saved/trash.ts";
import { unquoteName } from "../../../util/text/file-name.ts";
import { parsePatch } from "./patch-text.ts";
import { describeNote, describeFile } from "./describe-patch.ts";

const input = object({
  patch: string(
    "A unified diff, or *** Begin Patch … *** End Patch; paths relative to the workspace or absolute",
    { min: 1 },
  ),
});

export const APPLY_PATCH = named("apply_patch", input, {
  files: list(patchedFile),
  trash: optional(list(object({ path: string(), trash_id: string() }))),
});

/** Applies a patch: changes, adds, deletes and moves files, all or none, or with partial patches those before the first that does not match. */
export function applyPatch(options: FilesOptions): Tool {
  const { root, partialPatches = false } = options;
  const extent = partialPatches ? "in order up to the first that does not match" : "all or none";
  return builtIn({
    ...APPLY_PATCH,
    description:
      `Applies a patch to one or many files, ${extent}. Either a unified diff, as diff or git writes it (new files, ` +
      "deletions, renames, modes; wrong or missing line numbers are tolerated), or the form *** Begin Patch with " +
      "*** Add File: PATH, *** Update File: PATH (then *** Move to: PATH), *** Delete File: PATH, hunks that start " +
      "with @@ or @@ and a line that precedes them, *** End of File and *** End Patch; there adding and moving replace an existing " +
      "file. A hunk is applied at its line number, or where its lines match in exactly one place; differences in blanks " +
      "and typographic signs are tolerated, and the answer says so. Deleted files go to the trash, if there is one. " +
      `UTF-8 text files up to ${MAX_FILE_MB} MB.`,
    ...CHANGES,
    risk: "high",
    check: ({ patch }) => problemsOf(patch),
    riskOf: ({ patch }) => (parsePatch(patch).some(({ action }) => action === "delete") ? "high" : "medium"),
    facts({ patch }, context) {
      const patches = parsePatch(patch);
      const replaced = replacedPaths(patches);
      const gone = gonePaths(patches);
      const from = targetOptions(options, "write");
      const resolve = async (path: string): Promise<PathFact> => {
        const fact = await resolveGiven(path, from);
        if (gone.includes(path)) refuseLink(await resolveEntry(unquoteName(path), from), fact, root);
        const marked = replaced.includes(path) ? await markUnread(context, options, fact) : fact;
        return gone.includes(path) ? { ...marked, change: "delete" } : marked;
      };
      return Promise.all(namedPaths(patches).map(resolve));
    },
    attributes: ({ patch }) => ({ bytes: Buffer.byteLength(patch) }),
    rehearse: ({ patch }, context, { mayRead }) =>
      rehearsePatch(parsePatch(patch), { ...options, mayRead }, context),
    run: ({ patch }, context) => apply(patch, options, context),
  });
}

/** Throws for a deleted link: files are changed through links, but not deleted through them. */
function refuseLink(entry: PathFact, target: PathFact, root: string): void {
  if (entry.inode === target.inode && entry.device === target.device) return;
  const [link, file] = [displayPath(root, entry.path), displayPath(root, target.path)];
  throw new ToolError("TOOL_FAILED", `${link} is a link to ${file}; nothing was changed`, {
    hint: `use ${file} to delete the target; delete_file deletes the link itself`,
    details: { path: entry.path, target: target.path },
  });
}

function problemsOf(patch: string): readonly Problem[] {
  try {
    parsePatch(patch);
    return [];
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const { expected, got, line } = error.details ?? {};
    if (typeof expected !== "string" || typeof got !== "string")
      return valueProblem("/patch", "a patch that can be applied", error.message);
    return valueProblem("/patch", `${expected} at line ${JSON.stringify(line)}`, got);
  }
}

function apply(text: string, options: FilesOptions, context: ToolContext): Promise<Reply> {
  const patches = parsePatch(text);
  const facts = judgedFacts(namedPaths(patches), context);
  const paths = [...facts.values()].map(({ path }) => path);
  return changeFiles(context, options, paths, (used) => applyExclusively(patches, facts, used, context));
}

/** Plans a patch of files that the agent knows or may read, and throws as applying it would; does nothing for others, whose content errors would reveal. */
async function rehearsePatch(
  patches: readonly FilePatch[],
  options: FilesOptions & { readonly mayRead: boolean },
  context: ToolContext,
): Promise<void> {
  const facts = judgedFacts(namedPaths(patches), context);
  const access = fileAccessOf(context, options);
  for (const fact of facts.values())
    if (!options.mayRead && (await access.seen(fact.path)) === undefined) return;
  const shownOf = (fact: PathFact): string => displayPath(options.root, fact.path);
  const plan = createPatchPlan({ factOf: (path) => factFor(facts, path), shownOf });
  // With partial patches, one works if its first file does.
  for (const patch of options.partialPatches === true ? patches.slice(0, 1) : patches) await plan.add(patch);
  for (const { fact } of plan.changes()) await assertFresh(context, options, fact);
}

async function applyExclusively(
  patches: readonly FilePatch[],
  facts: ReadonlyMap<string, PathFact>,
  options: FilesOptions,
  context: ToolContext,
): Promise<Reply> {
  const { root, operations } = options;
  const shownOf = (fact: PathFact): string => displayPath(root, fact.path);
  const plan = createPatchPlan({ factOf: (path) => factFor(facts, path), shownOf });
  const { notices, failure } = await addAll(plan, patches, options.partialPatches === true);
  const files = plan.files();
  if (files.length === 0)
    throw (
      failure ?? new ToolError("TOOL_FAILED", "the patch changes nothing: every file is already as it says")
    );
  const changes = plan.changes();
  for (const { fact } of changes) await assertFresh(context, options, fact);
  const { signal } = context;
  const trashEntries = await withTrash(plan.deleted(), options, context, () =>
    replaceFiles(changes, { signal, operations, isExclusive: true }),
  );
  for (const { fact, content } of changes) {
    if (content !== undefined) await noteWritten(context, options, fact.path, content);
  }
  const trash = trashEntries.map(({ path, id }) => ({ path: displayPath(root, path), trash_id: id }));
  const trashed = trash.map(
    ({ path, trash_id: id }) =>
      `${path} is in the trash as ${id}; "toolwright trash restore ${id}" restores it`,
  );
  if (failure !== undefined) throw inPart(failure, files, trashed);
  const diffs = shortDiff(files.map(({ diff }) => diff).join(""));
  const summary = ["Applied the patch:", ...files.map(describeFile), ...trashed, ...notices];
  return new Reply(`${summary.join("\n")}\n${diffs}`, {
    data: { files, ...(trash.length > 0 && { trash }) },
  });
}

/** Plans every file; with partial patches those before the first that does not match, and returns why it does not. */
async function addAll(
  plan: ReturnType<typeof createPatchPlan>,
  patches: readonly FilePatch[],
  isPartial: boolean,
): Promise<{ readonly notices: readonly string[]; readonly failure?: ToolError }> {
  const notices: string[] = [];
  for (const patch of patches) {
    try {
      const notes = await plan.add(patch);
      notices.push(...notes.map((note) => `${patch.path}: ${describeNote(note)}`));
    } catch (error) {
      if (isPartial && error instanceof ToolError) return { notices, failure: error };
      throw error;
    }
  }
  return { notices };
}

/** Returns the error of a patch of which some files were changed: why the next one does not match, and what is different now. */
function inPart(cause: ToolError, files: readonly PatchedFile[], trashed: readonly string[]): ToolError {
  const changed = [...files.map(describeFile), ...trashed].join(", ");
  const why = cause.message.replace(/; nothing was changed$/, "");
  const { hint = "" } = cause;
  return new ToolError("TOOL_FAILED", `${why}; the files before it in the patch were changed: ${changed}`, {
    hint: `send a patch of the files that are left${hint && `; ${hint}`}`,
    details: { ...cause.details, changed: files.map(({ path }) => path) },
    cause,
  });
}

/** The facts are in the order of the names. */
function judgedFacts(names: readonly string[], context: ToolContext): ReadonlyMap<string, PathFact> {
  const facts = context.facts.filter((fact) => fact.kind === "path");
  return new Map(names.flatMap((name, index) => (facts[index] === undefined ? [] : [[name, facts[index]]])));
}

function factFor(facts: ReadonlyMap<string, PathFact>, path: string): PathFact {
  const fact = facts.get(path);
  if (fact !== undefined) return fact;
  throw new ToolError("MISSING_CONTEXT", `apply_patch was run without the facts that policy judged: ${path}`);
}

/**
 * Makes a change that deletes files, after copying each to the trash; returns the trashed files. If the change fails, files that were
 * not deleted are removed from the trash. Without a trash the files are deleted.
 */
async function withTrash(
  deleted: readonly PathFact[],
  { trashFolder }: FilesOptions,
  context: ToolContext,
  change: () => Promise<void>,
): Promise<readonly TrashEntry[]> {
  if (trashFolder === undefined || deleted.length === 0) {
    await change();
    return [];
  }
  const trash = createTrash({ folder: trashFolder });
  const entries: TrashEntry[] = [];
  const { call, signal } = context;
  const about = { session: context.get(SessionKey).id, callId: call.id, signal };
  try {
    for (const fact of deleted) entries.push(await trash.saveCopy(fact, about));
    await change();
  } catch (error) {
    for (const entry of entries) await trash.discard(entry).catch(() => undefined);
    throw error;
  }
  return entries;
}
