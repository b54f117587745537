import { readFile } from "node:fs/promises";
import { resolve } from "node:path/posix";
import { transform, type Plugin } from "esbuild";

const FILE = /^(ajv|ajv-formats)(?:\/dist\/(.*)\.js)?$/;
/** What our options switch off: the resolver of addresses in whose place stands our own, a keyword of OpenAPI, references to data. */
const UNUSED = /\/(?:runtime\/uri\.ts|vocabularies\/discriminator\/index\.ts|refs\/data\.json)$/;
/** In each file, what nothing calls but no bundler can drop. */
const CUTS: readonly (readonly [file: RegExp, text: RegExp, by: string])[] = [
  [/core\.ts$/, /^ {2}(?:async )?(?:\$dataMetaSchema|removeSchema|getKeyword)\([^]*?^ {2}\}$/gm, ""],
  // Of a keyword's definition that is wrong, and ours are right.
  [/core\.ts$/, /^ {2}errorsText\([^]*?^ {2}\}$/gm, '  errorsText() { return "" }'],
  [/core\.ts$/, /^ {2}compileAsync<[^]*?^ {2}\}$/gm, ""],
  // Warnings about options of Ajv 6.
  [/core\.ts$/, /^const (?:removed|deprecated)Options: [^]*?^\}$/gm, ""],
  [/core\.ts$/, /^ {4}checkOptions\.call\(.*\)$/gm, ""],
  // Options that we do not set, and keywords that only Ajv itself adds.
  [
    /core\.ts$/,
    /^(function (?:checkKeyword|addInitialSchemas|addInitialKeywords)\([^)]*\): void) \{[^]*?^\}$/gm,
    "$1 {}",
  ],
  [/core\.ts$/, /^function getLogger\([^]*?^\}$/gm, "function getLogger() { return noLogs }"],
  // Of what is cut above.
  [/core\.ts$/, /^ {2}private _removeAllSchemas\([^]*?^ {2}\}$/gm, ""],
  // Findings have words of their own.
  [/(?:vocabularies|validate)\/.*\.ts$/, /^ {2}message: [^]*?,$(?=\n {2}params: )/gm, ""],
  [/formats\.ts$/, /^export const fastFormats[^]*?^\}$/gm, ""],
  // Inputs are coerced, and have their defaults filled in, by our own code, before.
  [/validate\/defaults\.ts$/, /^(export function assignDefaults\([^)]*\): void) \{[^]*?^\}$/gm, "$1 {}"],
  [/validate\/dataType\.ts$/, /^ {2}const coerceTo = .*$/gm, "  const coerceTo: JSONType[] = []"],
  [/validate\/dataType\.ts$/, /^ {6}if \(coerceTo\.length\) .*\n {6}else /gm, "      "],
  [/validate\/dataType\.ts$/, /^function (?:coerceToTypes|coerceData|assignParentData)\([^]*?^\}$/gm, ""],
  // Schemas are not checked in Ajv's strict mode, and comments are not printed.
  [
    /validate\/index\.ts$/,
    /^(function (?:checkStrictTypes|checkRefsAndKeywords|checkNoDefault|commentKeyword)\([^)]*\): void) \{[^]*?^\}$/gm,
    "$1 {}",
  ],
  // For keywords that compare values of a format.
  [/formats\.ts$/, /, compare\w+(?=\),$)/gm, ""],
];

const MODULE_NAMES = /^import \* as ([$\w]+) from "([^".][^"]*|\.[^"]+\.json)"/gm;
const COMMON_JS = /^(?:module\.exports|Object\.defineProperty\(exports).*$/gm;

export interface AjvSources {
  readonly plugin: Plugin;
  /** Throws, after all builds, if a cut has matched nothing: another version of Ajv would be bundled with what must not be in it. */
  readonly checkCuts: () => void;
}

/** Bundles Ajv from its sources, which are modules: a bundler shortens their names and drops what nothing uses, a third of it. */
export function ajvSources(): AjvSources {
  const unmatched = new Set([...CUTS.map(([, text]) => text), MODULE_NAMES, COMMON_JS]);
  const plugin: Plugin = {
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
          return { contents: await moduleOf(path, unmatched), loader: "ts" };
        },
      );
    },
  };
  const checkCuts = (): void => {
    if (unmatched.size > 0) throw new Error(`no source of Ajv has ${[...unmatched].join(", ")}`);
  };
  return { plugin, checkCuts };
}

/** Returns a source without its types, still as TypeScript: it passes on the types of others. Deletes from `unmatched` what it replaces. */
async function moduleOf(path: string, unmatched: Set<RegExp>): Promise<string> {
  const replaced = (text: string, part: RegExp, by: string): string => {
    const rest = text.replaceAll(part, by);
    if (rest !== text) unmatched.delete(part);
    return rest;
  };
  const text = CUTS.reduce(
    (rest, [file, part, by]) => (file.test(path) ? replaced(rest, part, by) : rest),
    await readFile(path, "utf8"),
  );
  // Names of CommonJS modules, which are functions, and what only CommonJS programs need.
  const modules = replaced(replaced(text, MODULE_NAMES, 'import $1 from "$2"'), COMMON_JS, "");
  const { code } = await transform(modules, {
    loader: "ts",
    tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } },
    target: "es2024",
    minify: true,
  });
  return code;
}
