import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ToolError } from "../core/errors.ts";

interface Manifest {
  readonly name: string;
  readonly version: string;
}

const PACKAGE = "toolwright";

/** Returns the version of this package. Throws UNAVAILABLE as `packageFile` does. */
export function packageVersion(): string {
  return readManifest(packageFile("package.json")).version;
}

/**
 * Returns the path of a file that the package ships, such as `templates/my_tool.py`. Throws UNAVAILABLE if this code was bundled
 * into another program, which has the code but not the files.
 */
export function packageFile(path: string): string {
  const root = packageRoot();
  if (root !== undefined) return join(root, path);
  const message = `${path} of the package ${PACKAGE} is not beside the code that needs it`;
  throw new ToolError("UNAVAILABLE", message, {
    hint: `mark ${PACKAGE} as external in the bundler, so that it is loaded from node_modules`,
  });
}

/**
 * Returns the path of an entry point of the package: its source while the sources run, the program's module of it while the program runs, so
 * that both share their classes.
 */
export function entryFile(name: string): string {
  const url: string = import.meta.url;
  if (url.endsWith(".ts")) return packageFile(`src/${name}.ts`);
  // bin/program.js adds the query.
  return packageFile(`dist/${url.endsWith("?program") ? "program/modules/" : ""}${name}.js`);
}

/** Returns the path of a built program or worker. It shares no module with its starter, and starts faster than its sources. */
export function programFile(name: string): string {
  return packageFile(`dist/${name}.js`);
}

/** The nearest folder above this file with a package.json of this package; dist/ and src/ are at different depths. */
function packageRoot(): string | undefined {
  // A bundler that writes CommonJS leaves no address here.
  const url = import.meta.url as string | undefined;
  if (url === undefined || !url.startsWith("file:")) return undefined;
  for (let folder = dirname(fileURLToPath(url)); dirname(folder) !== folder; folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    if (existsSync(manifest)) return readManifest(manifest).name === PACKAGE ? folder : undefined;
  }
  return undefined;
}

function readManifest(file: string): Manifest {
  return JSON.parse(readFileSync(file, "utf8")) as Manifest;
}
