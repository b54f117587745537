import { originOf } from "../../core/events.ts";
import type { ChangedFile, Hook, HookMoment } from "../../core/hook.ts";
import { createSerializer } from "../../util/async/serialize.ts";
import { defined } from "../../util/json/defined.ts";
import type { Emitter } from "../types/engine-parts.ts";
import type { FileChanges, Hooks } from "../types/hooks.ts";
import { runInOrder } from "./hooks.ts";

/** Limits the queue of changes that wait for hooks: checking out another branch must not fill the memory. */
const MAX_QUEUED = 1000;

/** Creates the reporting of changed files to listeners and hooks. */
export function createFileChanges(
  hooks: Hooks | undefined,
  { emit, hasListeners, masker }: Emitter,
): FileChanges {
  const listening = (): readonly Hook[] | undefined => hooks?.at("file_changed");
  const claims = new Map<string, Claim>();
  let queued = 0;
  const serialize = createSerializer();
  const run = async (moment: HookMoment): Promise<void> => {
    queued -= 1;
    await runInOrder(
      listening() ?? [],
      (hook) => hooks?.run(hook, moment),
      () => undefined,
    );
  };
  const enqueue = (moment: HookMoment): void => {
    if (queued >= MAX_QUEUED) {
      const message = `skipped a changed file: more than ${MAX_QUEUED} are queued`;
      for (const { name } of listening() ?? [])
        emit({ ...originOf(), type: "hook.failed", hook: name, point: "file_changed", message });
      return;
    }
    queued += 1;
    void serialize(() => run(moment));
  };
  const changes: FileChanges = {
    isObserved: () => listening() !== undefined || hasListeners("file.changed"),
    notify({ path, change }, { callId, session, parentId } = {}) {
      const claim = claims.get(path);
      if (claim !== undefined && callId === undefined) {
        claim.seen ??= change;
        return;
      }
      if (claim !== undefined) claim.isReported = true;
      if (hasListeners("file.changed"))
        emit({ ...originOf(session, parentId), ...changed(masker.text(path), change, callId) });
      if (listening() !== undefined)
        enqueue({ point: "file_changed", ...defined({ session }), file: { path, change } });
    },
    claim(path) {
      const claim = claims.get(path) ?? { holders: 0, isReported: false, seen: undefined };
      claim.holders += 1;
      claims.set(path, claim);
    },
    release(path) {
      const claim = claims.get(path);
      if (claim === undefined) return;
      claim.holders -= 1;
      if (claim.holders > 0) return;
      claims.delete(path);
      if (claim.seen !== undefined && !claim.isReported) changes.notify({ path, change: claim.seen });
    },
    drained: () => serialize(async () => undefined),
  };
  return changes;
}

function changed(path: string, change: ChangedFile["change"], callId: string | undefined) {
  return { type: "file.changed", path, change, ...defined({ callId }) } as const;
}

/** A file that running calls are about to change. */
interface Claim {
  holders: number;
  isReported: boolean;
  /** A change reported from outside during the claim. */
  seen: ChangedFile["change"] | undefined;
}
