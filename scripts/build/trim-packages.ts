import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path/posix";
import { pathToFileURL } from "node:url";
import { brotliCompressSync } from "node:zlib";
import type { Plugin } from "esbuild";

const PDFJS = "pdfjs.mjs.br";

/** Stores pdf.js, 1.7 MB of text that only the reader of PDFs loads, compressed beside the chunk that imports it. */
export function compressPdfjs(outdir: string): Plugin {
  return {
    name: "compress-pdfjs",
    setup(esbuild) {
      esbuild.onLoad({ filter: /[\\/]unpdf[\\/]dist[\\/]pdfjs\.mjs$/ }, async ({ path }) => {
        const file = join(outdir, "chunks", PDFJS);
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, brotliCompressSync(await readFile(path)));
        const names = Object.keys((await import(pathToFileURL(path).href)) as object);
        const contents = [
          'import { readFileSync } from "node:fs";',
          'import { brotliDecompressSync } from "node:zlib";',
          `const text = brotliDecompressSync(readFileSync(new URL("./${PDFJS}", import.meta.url)));`,
          'const address = "data:text/javascript;base64," + text.toString("base64");',
          `export const { ${names.join(", ")} } = await import(address);`,
        ];
        return { contents: contents.join("\n") };
      });
    },
  };
}

/** Leaves out the Ajv that both packages of MCP have a copy of: each client and server gets a validator of ours. */
export function dropMcpAjv(): Plugin {
  return {
    name: "drop-mcp-ajv",
    setup(esbuild) {
      esbuild.onLoad(
        { filter: /[\\/]@modelcontextprotocol[\\/](?:client|server)[\\/]dist[\\/]ajvProvider-\w+\.mjs$/ },
        () => ({
          contents:
            'export class n { constructor() { throw new Error("the option jsonSchemaValidator is missing"); } }',
        }),
      );
    },
  };
}

/** Makes jsonc-parser repeat spaces when it formats, not 1 200 times when it is loaded, as every command does. */
export function repeatSpacesLate(): Plugin {
  return {
    name: "repeat-spaces-late",
    setup(esbuild) {
      esbuild.onLoad({ filter: /[\\/]jsonc-parser[\\/]lib[\\/]esm[\\/]impl[\\/]string-intern\.js$/ }, () => ({
        contents: [
          'export const cachedSpaces = Array.from({ length: 20 }, (_, count) => " ".repeat(count));',
          "// Without these the formatter repeats the spaces itself.",
          "export const cachedBreakLinesWithSpaces = {}, supportedEols = [];",
        ].join("\n"),
      }));
    },
  };
}
