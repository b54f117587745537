import { constants, existsSync, lstatSync } from "node:fs";
import { cp, mkdir, rename, rm } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { ToolError } from "../../core/errors.ts";
import { errorMessage } from "../../util/text/error-message.ts";
import { loadCrypto } from "../crypto.ts";
import { quote } from "../terminal/boot.ts";
import type { Run } from "./create-runner.ts";
import type { Box, BoxedProgram } from "./types.ts";

interface Container {
  /** Runs the command line of the engine. */
  readonly run: Run;
  /** The arguments of `create` from the options up to the program in the container. */
  readonly args: readonly string[];
  readonly box: Box;
  /** The command line of the engine, and its environment. */
  readonly cli: string;
  readonly environment: BoxedProgram["environment"];
}

/**
 * Returns a program that runs in a container without mounts, for an engine on another machine: the copies are copied into it now, without what is
 * hidden, and back when it has ended. Rejects with `UNAVAILABLE` if the container cannot be made.
 */
export async function createUnmounted(container: Container): Promise<BoxedProgram> {
  const { run, args, box, cli, environment } = container;
  const { copies = new Map<string, string>(), ownFolder, hidden = [] } = box;
  if (box.image === undefined || copies.size === 0 || ownFolder === undefined) throw needsMore();
  const name = `toolwright-${loadCrypto().randomUUID()}`;
  const order = async (...line: readonly string[]): Promise<void> => {
    const { isOk, output } = await run(line);
    if (!isOk) throw new Error(`${line[0]} failed: ${output}`);
  };
  const remove = async (): Promise<void> => void (await run(["rm", "--force", "--volumes", name]));
  const volumes = [...copies.keys()].flatMap((folder) => ["--volume", folder]);
  try {
    await order("create", "--name", name, ...volumes, ...args);
    for (const [folder, copy] of copies)
      await copyIn({ folder, copy, hidden, stage: join(ownFolder, "stage") }, name, order);
  } catch (cause) {
    await remove();
    throw new ToolError("UNAVAILABLE", `no sandbox is available: ${errorMessage(cause)}`, { cause });
  }
  return {
    file: cli,
    args: ["start", "--attach", "--interactive", name],
    cwd: "/",
    environment,
    async atEnd() {
      await run(["stop", "--time", "0", name]);
      for (const [folder, copy] of copies)
        await copyOut({ folder, copy, hidden }, name, order).catch((error: unknown) => {
          throw notCopied(basename(cli), `${name}:${folder}`, errorMessage(error));
        });
      await remove();
    },
  };
}

type Order = (...line: readonly string[]) => Promise<void>;

interface Copied {
  /** The folder of the workspace, which is a volume in the container. */
  readonly folder: string;
  readonly copy: string;
  /** Paths in the workspace. */
  readonly hidden: readonly string[];
}

async function copyIn(
  { folder, copy, hidden, stage }: Copied & { readonly stage: string },
  name: string,
  order: Order,
): Promise<void> {
  const isShown = (path: string): boolean => !hidden.includes(join(folder, relative(copy, path)));
  await cp(copy, stage, { ...EXACTLY, filter: isShown });
  await order("cp", `${stage}/.`, `${name}:${folder}`);
  await rm(stage, { recursive: true });
}

/** Replaces the copy by the folder in the container. If the copy was discarded meanwhile, it stays so. */
async function copyOut({ folder, copy, hidden }: Copied, name: string, order: Order): Promise<void> {
  if (!existsSync(copy)) return;
  const [incoming, old] = [`${copy}.incoming`, `${copy}.old`];
  await rm(incoming, { recursive: true, force: true });
  await mkdir(incoming, { mode: 0o700 });
  await order("cp", `${name}:${folder}/.`, incoming);
  for (const path of hidden.map((one) => relative(folder, one)).filter((one) => !one.startsWith(".."))) {
    await removeLinksAbove(incoming, path);
    await rm(join(incoming, path), { recursive: true, force: true });
    if (existsSync(join(copy, path))) await cp(join(copy, path), join(incoming, path), EXACTLY);
  }
  await rm(old, { recursive: true, force: true });
  await rename(copy, old);
  await rename(incoming, copy);
  await rm(old, { recursive: true, force: true });
}

/** Removes what is in place of a folder above the path: a link that a program made would lead out of the copy. */
async function removeLinksAbove(root: string, path: string): Promise<void> {
  const names = path.split("/").slice(0, -1);
  for (let depth = 1; depth <= names.length; depth += 1) {
    const above = join(root, ...names.slice(0, depth));
    const stats = lstatSync(above, { throwIfNoEntry: false });
    if (stats !== undefined && !stats.isDirectory()) await rm(above);
  }
}

const EXACTLY = {
  recursive: true,
  verbatimSymlinks: true,
  preserveTimestamps: true,
  mode: constants.COPYFILE_FICLONE,
} as const;

/** Says where the changes are, and how to get them. */
function notCopied(engine: string, place: string, reason: string): ToolError {
  const [name = ""] = place.split(":");
  return new ToolError(
    "UNAVAILABLE",
    `the changes of the sandbox were not copied back, and are in the stopped container ${name} only: ${reason}; ` +
      `get them with: ${engine} cp ${quote(`${place}/.`)} FOLDER; then remove the container with: ${engine} rm --volumes ${name}`,
  );
}

function needsMore(): ToolError {
  const message =
    "no sandbox is available: a container without mounts needs an image and a copy of the workspace";
  return new ToolError("UNAVAILABLE", message, {
    hint: 'name an image with Node and Toolwright as sandboxOptions.image, and set sandboxOptions.workspace to "copy"',
  });
}
