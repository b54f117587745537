import { readFile } from "node:fs/promises";
import { resolve } from "node:path/posix";
import { transform, type Plugin } from "esbuild";

const FILE = /^(ajv|ajv-formats)(?:\/dist\/(.*)\.js)?$/;
/** What our options switch off: the resolver of addresses in whose place stands our own, a keyword of OpenAPI, references to data. */
const UNUSED = /\/(?:runtime\/uri\.ts|vocabularies\/discriminator\/index\.ts|refs\/data\.json)$/;
/** In each file, what nothing calls but no bundler can drop. */
const CUTS: readonly (readonly [file: RegExp, text: RegExp, by: string])[] = [
  [/core\.ts$/, /^ {2}(?:async )?(?:\$dataMetaSchema|removeSchema)\([^]*?^ {2}\}$/gm, ""],
  [/core\.ts$/, /^ {2}compileAsync<[^]*?^ {2}\}$/gm, ""],
  // Warnings about options of Ajv 6.
  [/core\.ts$/, /^(const (?:removed|deprecated)Options): [^]*?^\}$/gm, "$1: any = {}"],
  // Findings have words of their own.
  [/(?:vocabularies|validate)\/.*\.ts$/, /^ {2}message: [^]*?,$(?=\n {2}params: )/gm, ""],
  [/formats\.ts$/, /^export const fastFormats[^]*?^\}$/gm, ""],
  // For keywords that compare values of a format.
  [/formats\.ts$/, /, compare\w+(?=\),$)/gm, ""],
];

/** Bundles Ajv from its sources, which are modules: a bundler shortens their names and drops what nothing uses, a third of it. */
export function ajvSources(): Plugin {
  return {
    name: "ajv-sources",
    setup(esbuild) {
      esbuild.onResolve({ filter: FILE }, ({ path, importer }) => {
        if (importer.includes("node_modules")) return undefined;
        const [, name = "", file = name] = FILE.exec(path) ?? [];
        return { path: resolve("node_modules", name, name === "ajv" ? "lib" : "src", `${file}.ts`) };
      });
      esbuild.onLoad(
        { filter: /\/node_modules\/ajv(?:\/lib|-formats\/src)\/.*\.(?:ts|json)$/ },
        async ({ path }) => {
          if (UNUSED.test(path)) return { contents: "export default undefined;", loader: "ts" };
          if (path.endsWith(".json")) return undefined;
          return { contents: await moduleOf(path), loader: "ts" };
        },
      );
    },
  };
}

/** Returns a source without its types, still as TypeScript: it passes on the types of others. */
async function moduleOf(path: string): Promise<string> {
  const text = CUTS.reduce(
    (rest, [file, part, by]) => (file.test(path) ? rest.replaceAll(part, by) : rest),
    await readFile(path, "utf8"),
  );
  // Names of CommonJS modules, which are functions, and what only CommonJS programs need.
  const modules = text
    .replaceAll(/^import \* as ([$\w]+) from "([^".][^"]*|\.[^"]+\.json)"/gm, 'import $1 from "$2"')
    .replaceAll(/^(?:module\.exports|Object\.defineProperty\(exports).*$/gm, "");
  const { code } = await transform(modules, {
    loader: "ts",
    tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } },
    target: "es2024",
    minify: true,
  });
  return code;
}
