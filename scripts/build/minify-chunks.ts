import { existsSync, writeFileSync } from "node:fs";
import { basename } from "node:path/posix";
import { transform, type Metafile } from "esbuild";
import { readWithMap } from "./program-scripts.ts";

type Outputs = Metafile["outputs"];

/** The share of a chunk from which on it counts as code of packages, whose names are in no stack trace of ours. */
const MOSTLY = 0.9;

/**
 * Minifies the chunks of packages. Our own code that a program loads stays readable: an uncaught error prints the line that threw it, and
 * its stack trace has the names of functions.
 */
export async function minifyChunks(outputs: Outputs): Promise<void> {
  const files = Object.keys(outputs).filter((file) => file.endsWith(".js") && existsSync(file));
  await Promise.all(files.filter((file) => isMostlyPackages(file, outputs)).map(minify));
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
  const minified = await transform(readWithMap(file), {
    minify: true,
    format: "esm",
    target: "node22.19",
    legalComments: "none",
    sourcemap: "external",
    sourcesContent: false,
    sourcefile: basename(file),
  });
  writeFileSync(file, `${minified.code}//# sourceMappingURL=${basename(file)}.map\n`);
  writeFileSync(`${file}.map`, minified.map);
}
