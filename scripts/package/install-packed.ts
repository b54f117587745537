import { execFileSync, spawnSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The packed package, installed into an empty project. */
export interface Installed {
  readonly tarball: string;
  readonly project: string;
  /** How many packages npm has installed, this one included. */
  readonly packages: number;
  /** On the disk, as `du` counts them. */
  readonly megabytes: number;
  /** The sizes of the files of this package. */
  readonly own: number;
  readonly seconds: number;
  remove(): void;
}

/** Packs this package as it is built and installs it with npm into a new project in the temporary folder. */
export function installPacked(): Installed {
  const folder = mkdtempSync(join(tmpdir(), "toolwright-package-"));
  const project = join(folder, "project");
  mkdirSync(project);
  const tarball = pack(folder);
  writeFileSync(
    join(project, "package.json"),
    JSON.stringify({ name: "project", type: "module", private: true }),
  );
  const startedAt = performance.now();
  npm(["install", "--no-audit", "--no-fund", tarball], project);
  const seconds = (performance.now() - startedAt) / 1000;
  const listed = npm(["ls", "--all", "--parseable"], project).trim().split("\n");
  return {
    tarball,
    project,
    packages: listed.length - 1,
    megabytes: bytesIn(join(project, "node_modules")) / 1e6,
    own: filesIn(join(project, "node_modules/toolwright")) / 1e6,
    seconds,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Packs this package as it is built into a folder and returns the path of the tarball. */
export function pack(folder: string): string {
  const name = npm(["pack", "--ignore-scripts", "--silent", "--pack-destination", folder], process.cwd());
  return join(folder, name.trim());
}

/** Runs npm in a folder and returns what it printed. Throws with its errors if it fails. */
export function npm(args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync("npm", args, { cwd, encoding: "utf8" });
  if (status === 0) return stdout;
  throw new Error(`npm ${args.join(" ")} failed with ${status ?? "no status"}:\n${stderr}`);
}

function filesIn(folder: string): number {
  const files = globSync("**/*", { cwd: folder }).map((file) => statSync(join(folder, file)));
  return files.reduce((sum, file) => (file.isFile() ? sum + file.size : sum), 0);
}

/** What the files take on the disk, as `du` counts it. */
function bytesIn(folder: string): number {
  if (!statSync(folder).isDirectory()) throw new Error(`${folder} is not a folder`);
  return Number(execFileSync("du", ["-sk", folder], { encoding: "utf8" }).split("\t")[0]) * 1024;
}
