import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { promisify } from "node:util";
import { npm } from "../../../scripts/package/install-packed.ts";
import { findProgram } from "../../../src/system/box/find-program.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const run = promisify(execFile);
const PROGRAMS =
  "sh bash env cat cp dd find grep head ln ls mkdir mv readlink rm sed seq setpriv sleep stat tail touch tr true uname".split(
    " ",
  );

/**
 * Builds the Dockerfile of docs/sandbox.md with podman and returns the name of the image. No registry is needed: the base image has a few programs,
 * Node and npm of this machine, and npm gets the packed package and its dependencies from a server here.
 */
export async function buildPageImage(t: TestContext): Promise<string> {
  const folder = temporaryFolder(t);
  const registry = await serveRegistry(t, folder);
  const [base, image] = [
    `localhost/toolwright-base-${process.pid}`,
    `localhost/toolwright-page-${process.pid}`,
  ];
  t.after(() => run("podman", ["rmi", "--force", image, base]));
  const [root, archive] = [join(folder, "root"), join(folder, "root.tar")];
  fillRoot(root);
  await run("tar", ["-cf", archive, "-C", root, "."]);
  await run("podman", ["import", "--change", `ENV npm_config_registry=${registry}`, archive, base]);
  const [, dockerfile = ""] =
    /^```dockerfile\n([^]*?)^```$/m.exec(readFileSync("docs/sandbox.md", "utf8")) ?? [];
  writeFileSync(join(folder, "Dockerfile"), dockerfile.replace(/^FROM .*$/m, `FROM ${base}`));
  // Only for npm: the server is on this machine.
  await run("podman", [
    "build",
    "--network=host",
    "--pull=never",
    "--tag",
    image,
    "--file",
    join(folder, "Dockerfile"),
    folder,
  ]);
  return image;
}

/** Copies programs, with the libraries that they need, to the root folder of an image. */
function fillRoot(root: string): void {
  for (const name of ["usr/bin", "usr/local/bin", "usr/lib", "usr/lib64", "usr/sbin", "etc", "tmp", "root"])
    mkdirSync(join(root, name), { recursive: true });
  for (const name of ["bin", "lib", "lib64", "sbin"]) symlinkSync(`usr/${name}`, join(root, name));
  const files = PROGRAMS.map((name) => [whichOf(name), `/usr/bin/${name}`] as const);
  for (const [from, to] of [...files, [process.execPath, "/usr/local/bin/node"] as const]) {
    cpSync(realpathSync(from), join(root, to));
    for (const library of librariesOf(from))
      if (!existsSync(join(root, library))) {
        mkdirSync(dirname(join(root, library)), { recursive: true });
        cpSync(realpathSync(library), join(root, library));
      }
  }
  const npmFolder = dirname(dirname(realpathSync(whichOf("npm"))));
  cpSync(npmFolder, join(root, "usr/local/lib/node_modules/npm"), { recursive: true });
  symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", join(root, "usr/local/bin/npm"));
}

function whichOf(name: string): string {
  const found = findProgram(name, process.env["PATH"] ?? "");
  assert.ok(found, `${name} is needed for the image`);
  return found;
}

function librariesOf(program: string): readonly string[] {
  const lines = execFileSync("ldd", [realpathSync(program)], { encoding: "utf8" });
  return [...lines.matchAll(/(?:=> |^\s*)(\/\S+) \(/gm)].flatMap(([, path]) => path ?? []);
}

interface Packed {
  readonly manifest: { readonly name: string; readonly version: string } & Partial<
    Record<Dependencies, Record<string, string>>
  >;
  readonly tarball: string;
}
type Dependencies = "dependencies" | "optionalDependencies";

/** Serves this package, as it is built, and what it depends on, as npm's registry does. Returns the address. */
async function serveRegistry(t: TestContext, folder: string): Promise<string> {
  const packages = new Map<string, Packed>();
  const add = (source: string): void => {
    const manifest = JSON.parse(readFileSync(join(source, "package.json"), "utf8")) as Packed["manifest"];
    const name = npm(
      ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder, source],
      folder,
    ).trim();
    packages.set(manifest.name, { manifest, tarball: join(folder, name) });
    for (const one of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
      const installed = join(process.cwd(), "node_modules", one);
      if (!packages.has(one) && existsSync(installed)) add(realpathSync(installed));
    }
  };
  add(process.cwd());
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "").slice(1);
    const found = packages.get(path);
    const file = [...packages.values()].find(({ tarball }) => path === `-/${basename(tarball)}`);
    if (file !== undefined) response.end(readFileSync(file.tarball));
    else if (found !== undefined) response.end(JSON.stringify(describe(found, address)));
    else response.writeHead(404).end("{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return address;
}

/** Returns what a registry says about a package with one version. */
function describe({ manifest, tarball }: Packed, address: string): object {
  const integrity = `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`;
  const dist = { tarball: `${address}/-/${basename(tarball)}`, integrity };
  const { name, version } = manifest;
  return { name, versions: { [version]: { ...manifest, dist } }, "dist-tags": { latest: version } };
}
