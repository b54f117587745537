import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path/posix";
import { transform, type Metafile } from "esbuild";

type Outputs = Metafile["outputs"];

const PROGRAM = "main.js";
/** The share of a chunk from which on it counts as code of packages, whose names are in no stack trace of ours. */
const MOSTLY = 0.9;

/**
 * Minifies the chunks that only the command line loads, and those of packages. Our own code that a program loads stays readable: an
 * uncaught error prints the line that threw it, and its stack trace has the names of functions.
 */
export async function minifyChunks(outputs: Outputs): Promise<void> {
  const doors = Object.keys(outputs).filter((file) => isDoor(file, outputs));
  const library = reachableFrom(doors, outputs);
  const files = Object.keys(outputs).filter((file) => file.endsWith(".js"));
  await Promise.all(
    files.filter((file) => !library.has(file) || isMostlyPackages(file, outputs)).map(minify),
  );
}

/** Files that are loaded with `import()` are entry points too; their output is a chunk. */
function isDoor(file: string, outputs: Outputs): boolean {
  const isEntry = outputs[file]?.entryPoint !== undefined && !file.includes("/chunks/");
  return isEntry && basename(file) !== PROGRAM;
}

function reachableFrom(files: readonly string[], outputs: Outputs): ReadonlySet<string> {
  const reached = new Set(files);
  for (const file of reached) {
    for (const { path, external } of outputs[file]?.imports ?? []) if (external !== true) reached.add(path);
  }
  return reached;
}

function isMostlyPackages(file: string, outputs: Outputs): boolean {
  const { bytes = 0, inputs = {} } = outputs[file] ?? {};
  const ofPackages = Object.entries(inputs)
    .filter(([input]) => input.includes("node_modules/"))
    .reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0);
  return ofPackages > bytes * MOSTLY;
}

/** Other chunks import the file by its name, so it stays as it is. */
async function minify(file: string): Promise<void> {
  const map = readFileSync(`${file}.map`).toString("base64");
  const code = readFileSync(file, "utf8").replace(/\n\/\/# sourceMappingURL=.*\n?$/, "\n");
  const minified = await transform(`${code}//# sourceMappingURL=data:application/json;base64,${map}\n`, {
    minify: true,
    format: "esm",
    target: "node22.19",
    legalComments: "none",
    sourcemap: "external",
    sourcesContent: false,
    sourcefile: file,
  });
  writeFileSync(file, `${minified.code}//# sourceMappingURL=${basename(file)}.map\n`);
  writeFileSync(`${file}.map`, minified.map);
}
