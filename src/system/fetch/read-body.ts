import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
  constants,
} from "node:zlib";
import { pipeline, type Duplex, type Readable } from "node:stream";
import { ToolError } from "../../core/errors.ts";

/** A larger window needs more memory than a page is worth. */
const ZSTD_WINDOW_BITS = 23;

const DECODERS: Readonly<Record<string, () => Duplex>> = {
  gzip: () => createGunzip(),
  "x-gzip": () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_BITS } }),
};

const MAX_ENCODINGS = 2;

/** Reads a body whole and decompresses it. Throws `TOOL_FAILED` as soon as it is longer than the limit, compressed or not. */
export async function readBody(body: Readable, encoding: string, maxBytes: number): Promise<Buffer> {
  const names = encoding.split(",").map((name) => name.trim().toLowerCase());
  const decoders = names.filter((name) => name !== "" && name !== "identity").toReversed();
  try {
    if (decoders.length > MAX_ENCODINGS) throw failure(`the body is encoded ${decoders.length} times`);
    const streams = decoders.map((name) => {
      const create = DECODERS[name];
      if (create === undefined) throw failure(`the body is encoded as ${name}, which is not supported`);
      return create();
    });
    // Errors reach the last stream, which is read below.
    const last = streams.length === 0 ? body : (pipeline([body, ...streams], () => undefined) as Duplex);
    return await collect(last, maxBytes);
  } finally {
    // What is left unread is dropped; the error that this causes is not news.
    body.on("error", () => undefined).destroy();
  }
}

async function collect(stream: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw failure(`the body is longer than ${maxBytes / 1024 / 1024} MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function failure(message: string): ToolError {
  return new ToolError("TOOL_FAILED", message);
}
