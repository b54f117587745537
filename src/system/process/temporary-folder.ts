import { mkdtemp, lstat, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { attempt } from "../../util/async/attempt.ts";
import { currentProcess, isAlive, isElsewhere, type ProcessIdentity } from "./identity.ts";
import { identityName, parseIdentityName } from "./identity-name.ts";

const OUR_FOLDER = /^toolwright-([\w-]+)\.\w{6}$/;
const USUAL = "/tmp";
let own: string | undefined;

/**
 * Creates a temporary folder that only this user can read. Its name contains the identity of this process. If the folder for temporary
 * files does not exist or is not writable, the usual one of the system is used.
 */
export async function makeTemporaryFolder(base = tmpdir()): Promise<string> {
  own ??= identityName(currentProcess());
  try {
    return await mkdtemp(join(base, `toolwright-${own}.`));
  } catch (error) {
    if (base === USUAL) throw error;
    return makeTemporaryFolder(USUAL);
  }
}

/** Returns true for the name of a temporary folder whose process may run: it runs, or is in another pid namespace. */
export function isInUse(name: string): boolean {
  const owner = ownerOf(name);
  return owner !== undefined && (isElsewhere(owner) || isAlive(owner));
}

/**
 * Removes the temporary folders of this user's processes that have ended, after `release` has removed what they left elsewhere; one for
 * which it returns false stays. Returns false if one stays for that reason. Never rejects.
 */
export async function removeAbandonedFolders(
  bases: readonly string[] = [tmpdir(), USUAL],
  release: (folder: string) => boolean = () => true,
): Promise<boolean> {
  let isComplete = true;
  for (const base of new Set(bases)) {
    for (const name of await readdir(base).catch(() => [])) {
      if (ownerOf(name) === undefined || isInUse(name)) continue;
      const path = join(base, name);
      if (!(await isOwn(path))) continue;
      const isReleased = attempt(() => release(path));
      if (isReleased === false) isComplete = false;
      if (isReleased !== true) continue;
      await rm(path, { recursive: true, force: true }).catch(() => undefined);
    }
  }
  return isComplete;
}

function ownerOf(name: string): ProcessIdentity | undefined {
  const [, identity] = OUR_FOLDER.exec(name) ?? [];
  return identity === undefined ? undefined : parseIdentityName(identity);
}

async function isOwn(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isDirectory() === true && stats.uid === process.getuid?.();
}
