import { promisify } from "node:util";
import { brotliDecompress, constants, gunzip, inflate, zstdDecompress, type ZlibOptions } from "node:zlib";
import { ToolError } from "../../core/errors.ts";

/** A larger window needs more memory than a page is worth. */
const ZSTD_WINDOW_BITS = 23;
const zstd = promisify<Buffer, object, Buffer>(zstdDecompress);

type Decompress = (bytes: Buffer, options: ZlibOptions) => Promise<Buffer>;

const METHODS: Readonly<Record<string, Decompress>> = {
  gzip: promisify<Buffer, ZlibOptions, Buffer>(gunzip),
  "x-gzip": promisify<Buffer, ZlibOptions, Buffer>(gunzip),
  deflate: promisify<Buffer, ZlibOptions, Buffer>(inflate),
  br: promisify<Buffer, object, Buffer>(brotliDecompress),
  zstd: (bytes, options) =>
    zstd(bytes, { ...options, params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_BITS } }),
};

const MAX_ENCODINGS = 2;

/** Decompresses a body. Throws `TOOL_FAILED` for an unknown encoding, and as soon as the body is longer than the limit. */
export async function decompress(body: Buffer, encoding: string, maxBytes: number): Promise<Buffer> {
  const names = encoding.split(",").map((name) => name.trim().toLowerCase());
  const methods = names.filter((name) => name !== "" && name !== "identity").toReversed();
  if (methods.length > MAX_ENCODINGS)
    throw new ToolError("TOOL_FAILED", `the body is encoded ${methods.length} times`);
  let bytes = body;
  for (const name of methods) {
    const method = METHODS[name];
    if (method === undefined)
      throw new ToolError("TOOL_FAILED", `the body is encoded as ${name}, which is not supported`);
    bytes = await method(bytes, { maxOutputLength: maxBytes }).catch((error: unknown) => {
      throw error instanceof RangeError ? tooLong(maxBytes) : error;
    });
  }
  return bytes;
}

export function tooLong(maxBytes: number): ToolError {
  return new ToolError("TOOL_FAILED", `the body is longer than ${maxBytes / 1024 / 1024} MB`);
}
