import type { ChangedFile, Hook, HookMoment } from "../../core/hook.ts";
import type { Hooks, Telling } from "./hooks.ts";
import { askInTurn } from "./hooks.ts";
import { createSerializer } from "../../util/async/serialize.ts";

/** On whose behalf a file was changed. */
export interface ChangedBy {
  readonly callId?: string;
  readonly session?: string;
}

/** Tells of files that have changed: listeners at once, hooks one after the other and without holding anything up. */
export interface FileChanges {
  /** True where somebody would hear of it. */
  isHeard(): boolean;
  /** Somebody else's change of a file that a call has claimed is that call's own, and not told. */
  tell(file: ChangedFile, by?: ChangedBy): void;
  /** A call that is about to run will tell of this file itself. */
  claim(path: string): void;
  /** The call is over. Where it has told nothing, what was seen meanwhile is told now. */
  release(path: string): void;
  /** Settles when the hooks have been asked about all that was told. */
  drained(): Promise<void>;
}

/** So many changes may wait for their hooks; a checkout of another branch must not fill the memory. */
const MAX_WAITING = 1000;

export function createFileChanges(hooks: Hooks | undefined, { send, hears, masker }: Telling): FileChanges {
  const asked = (): readonly Hook[] | undefined => hooks?.at("file_changed");
  const claims = new Map<string, Claim>();
  let waiting = 0;
  const serialize = createSerializer();
  const ask = async (moment: HookMoment): Promise<void> => {
    waiting -= 1;
    await askInTurn(
      asked() ?? [],
      (hook) => hooks?.ask(hook, moment),
      () => undefined,
    );
  };
  const enqueue = (moment: HookMoment): void => {
    if (waiting >= MAX_WAITING) {
      const message = `more than ${MAX_WAITING} changed files wait for it: it is not asked about them all`;
      for (const { name } of asked() ?? [])
        send({ type: "hook.failed", hook: name, point: "file_changed", message });
      return;
    }
    waiting += 1;
    void serialize(() => ask(moment));
  };
  const changes: FileChanges = {
    isHeard: () => asked() !== undefined || hears("file.changed"),
    tell({ path, change }, by = {}) {
      const claim = claims.get(path);
      if (claim !== undefined && by.callId === undefined) {
        claim.seen ??= change;
        return;
      }
      if (claim !== undefined) claim.isTold = true;
      if (hears("file.changed")) send({ type: "file.changed", path: masker.text(path), change, ...by });
      const session = by.session === undefined ? {} : { session: by.session };
      if (asked() !== undefined) enqueue({ point: "file_changed", ...session, file: { path, change } });
    },
    claim(path) {
      const claim = claims.get(path) ?? { holders: 0, isTold: false, seen: undefined };
      claim.holders += 1;
      claims.set(path, claim);
    },
    release(path) {
      const claim = claims.get(path);
      if (claim === undefined) return;
      claim.holders -= 1;
      if (claim.holders > 0) return;
      claims.delete(path);
      if (claim.seen !== undefined && !claim.isTold) changes.tell({ path, change: claim.seen });
    },
    drained: () => serialize(async () => undefined),
  };
  return changes;
}

/** A file that running calls change. */
interface Claim {
  holders: number;
  isTold: boolean;
  /** What somebody saw of it meanwhile. */
  seen: ChangedFile["change"] | undefined;
}
