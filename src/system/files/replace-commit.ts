import { dirname, join } from "node:path";
import { ToolError } from "../../core/errors.ts";
import type { PathFact } from "../../core/fact.ts";
import { fileFault, swapped, systemCode } from "../paths/file-fault.ts";
import type { FileOperations } from "./operations.ts";
import type { Remains, Staged } from "./replace-stage.ts";
import { nameOf } from "../paths/folder.ts";
import { isSame } from "../paths/paths.ts";

/**
 * Puts what was staged in place, all of it or nothing. Looks and acts in one turn, so that no other call that shares
 * the operations comes between.
 */
export function commit(
  staged: readonly Staged[],
  operations: FileOperations,
  remains: Remains,
): Promise<void> {
  const paths = staged.map(({ change }) => change.fact.path);
  return operations.exclusively(paths, () => placeAll(staged, operations, remains));
}

async function placeAll(
  staged: readonly Staged[],
  operations: FileOperations,
  remains: Remains,
): Promise<void> {
  const [first] = staged;
  const step = { operations, remains, keepsOld: staged.length > 1 };
  const done: Placed[] = [];
  let current = first;
  try {
    for (const one of staged) {
      current = one;
      refuseChanged(one, operations);
    }
    for (const one of staged) {
      current = one;
      done.push(await place(one, step));
    }
  } catch (error) {
    const path = current?.change.fact.path ?? "";
    const stuck = await rollBack(done.toReversed(), step);
    if (stuck.length > 0) throw halfDone(fileFault(error, "write", path), stuck);
    throw error instanceof ToolError ? error : untouched(error, path);
  }
}

/** A failed step before which, or after which, every file is what it was. */
export function untouched(error: unknown, path: string): ToolError {
  if (error instanceof ToolError) return error;
  const { message, details } = fileFault(error, "write", path);
  return new ToolError("TOOL_FAILED", `${message}; nothing was changed`, {
    ...(details !== undefined && { details }),
    cause: error,
  });
}

interface Step {
  readonly operations: FileOperations;
  readonly remains: Remains;
  /** Whether the old file must be kept until all are in place. */
  readonly keepsOld: boolean;
}

/** A file that is in place, and the name under which the old one is kept. */
interface Placed {
  readonly staged: Staged;
  readonly kept?: string;
}

function refuseChanged({ change, folder, old }: Staged, operations: FileOperations): void {
  const { fact } = change;
  if (old === undefined) return;
  const now = operations.look(folder.at(nameOf(fact.path)));
  if (now === undefined || !isSame(fact, now)) throw swapped(fact.path);
  if (now.mtimeMs === old.mtimeMs && now.size === old.size) return;
  throw new ToolError("TOOL_FAILED", `${fact.path} was written to by something else meanwhile`, {
    hint: "read it again and repeat the change",
    details: { path: fact.path },
  });
}

async function place(staged: Staged, { operations, remains, keepsOld }: Step): Promise<Placed> {
  const { change, folder, temporary, old } = staged;
  const target = folder.at(nameOf(change.fact.path));
  if (old === undefined) {
    if (change.content !== undefined) await createFrom(temporary, target, change.fact, operations);
    return { staged };
  }
  if (!keepsOld) {
    if (change.content === undefined) await operations.remove(target);
    else await moveInto(temporary, target, operations, remains);
    return { staged };
  }
  const kept = folder.at(`.toolwright-${crypto.randomUUID()}.old`);
  if (change.content === undefined) {
    await operations.rename(target, kept);
    remains.files.add(kept);
    return { staged, kept };
  }
  await keepAs(target, kept, operations, remains);
  await moveInto(temporary, target, operations, remains);
  return { staged, kept };
}

async function moveInto(
  from: string,
  to: string,
  operations: FileOperations,
  remains: Remains,
): Promise<void> {
  await operations.rename(from, to);
  remains.files.delete(from);
}

/** A second name for the old file costs no space, so that putting it back cannot fail for want of it. */
async function keepAs(
  target: string,
  kept: string,
  operations: FileOperations,
  remains: Remains,
): Promise<void> {
  try {
    await operations.link(target, kept);
  } catch (error) {
    if (!cannotLink(error)) throw error;
    await operations.copy(target, kept);
  }
  remains.files.add(kept);
}

/** A link, unlike a rename, never replaces; a file system without links gets the next best. */
async function createFrom(
  temporary: string,
  target: string,
  fact: PathFact,
  operations: FileOperations,
): Promise<void> {
  try {
    await operations.link(temporary, target);
  } catch (error) {
    if (systemCode(error) === "EEXIST") throw swapped(fact.path);
    if (!cannotLink(error)) throw error;
    if (operations.look(target) !== undefined) throw swapped(fact.path);
    await operations.rename(temporary, target);
  }
}

function cannotLink(error: unknown): boolean {
  return ["EPERM", "ENOTSUP", "EMLINK", "ENOSYS"].includes(systemCode(error) ?? "");
}

/** A file that stays new, and where its old content is. */
interface Stuck {
  readonly path: string;
  readonly kept: string | undefined;
}

async function rollBack(done: readonly Placed[], { operations, remains }: Step): Promise<readonly Stuck[]> {
  const stuck: Stuck[] = [];
  for (const { staged, kept } of done) {
    const { path } = staged.change.fact;
    const target = staged.folder.at(nameOf(path));
    try {
      if (kept === undefined) await operations.remove(target);
      else await moveInto(kept, target, operations, remains);
    } catch {
      // What is kept is all that is left of the old file.
      if (kept !== undefined) remains.files.delete(kept);
      stuck.push({ path, kept: kept && join(dirname(path), nameOf(kept)) });
    }
  }
  return stuck;
}

function halfDone(fault: ToolError, stuck: readonly Stuck[]): ToolError {
  const files = stuck.map(({ path, kept }) =>
    kept === undefined ? `${path} is new` : `${path} is changed, its old content is in ${kept}`,
  );
  return new ToolError(
    "TOOL_FAILED",
    `${fault.message}; taking back what was done before failed too: ${files.join("; ")}`,
    {
      hint: "look at these files before going on",
      details: {
        ...fault.details,
        changed: stuck.map(({ path }) => path),
        kept: stuck.flatMap(({ kept }) => kept ?? []),
      },
      cause: fault,
    },
  );
}
