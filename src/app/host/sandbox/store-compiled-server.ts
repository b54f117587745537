import { accessSync, constants, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageFile } from "../../../system/package-files.ts";
import { runProcess } from "../../../system/process/process.ts";
import { attempt } from "../../../util/async/attempt.ts";

const PROGRAM = "bin/toolwright-tool-server.js";
/** Where that program looks for its compiled code, see there. */
const CACHE = "node_modules/.cache/toolwright";
const MAX_MS = 30_000;

/**
 * Runs the tool server once, outside a sandbox and in an empty folder, so that Node stores its compiled code: in a sandbox the cache can only be
 * read. Does nothing if that was done for these versions of the server and of Node, or if the cache cannot be written. Never rejects.
 */
export async function storeCompiledServer(folder: string, root = packageFile("")): Promise<void> {
  const cache = join(root, CACHE);
  const stamp = attempt(() => {
    const { mtimeMs } = statSync(join(root, "dist/tool-server.js"));
    mkdirSync(cache, { recursive: true });
    accessSync(cache, constants.W_OK);
    return join(cache, `tool-server-${process.version}-${mtimeMs}`);
  });
  if (stamp === undefined || existsSync(stamp)) return;
  const ended = await runProcess({
    file: process.execPath,
    args: [join(root, PROGRAM), "--stdio", "--workspace", folder],
    cwd: folder,
    env: {},
    // The end of the input ends the server.
    stdin: "",
    signal: AbortSignal.timeout(MAX_MS),
    onOutput: () => undefined,
  }).catch(() => undefined);
  if (ended?.exitCode === 0) attempt(() => writeFileSync(stamp, ""));
}
