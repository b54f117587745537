import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** A package that is installed in the cache folder of the user. */
export interface NpmPackage {
  readonly version: string;
  /** The folder `node_modules` with it. */
  readonly folder: string;
  /** The path of one of its programs. */
  readonly program: (name: string) => string;
}

/** Installs a package from npm, by default its newest version, unless the cache folder has it. Throws if npm fails. */
export function installPackage(name: string, version = newest(name)): NpmPackage {
  const cache = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "toolwright", "npm");
  const folder = join(cache, `${name}@${version}`.replaceAll("/", "+"));
  const done = join(folder, "installed");
  if (!existsSync(done)) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
    npm(["install", "--no-audit", "--no-fund", `${name}@${version}`], folder);
    writeFileSync(done, "");
  }
  const modules = join(folder, "node_modules");
  return { version, folder: modules, program: (program) => join(modules, ".bin", program) };
}

function newest(name: string): string {
  return npm(["view", name, "version"], homedir()).trim();
}

function npm(args: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync("npm", [...args, "--loglevel=error"], {
    cwd,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`npm ${args.join(" ")} failed: ${error?.message ?? stderr}`);
  return stdout;
}
