import assert from "node:assert/strict";
import type { Artifacts } from "../../../../core/store/artifacts.ts";

/** Size limits of the artifacts under test. */
export interface ArtifactLimits {
  /** The most bytes of one text. */
  readonly maxBytes?: number;
  /** The most bytes of all texts together. */
  readonly maxTotalBytes?: number;
}

/** Opens a store without artifacts, which is closed at the end of the test. */
export type OpenArtifacts = (
  limits?: ArtifactLimits,
) => Promise<AsyncDisposable & { readonly artifacts: Artifacts }>;

/** Writes an artifact in pieces. */
export async function write(
  artifacts: Artifacts,
  texts: readonly string[],
): Promise<Awaited<ReturnType<ReturnType<Artifacts["create"]>["close"]>>> {
  const writer = artifacts.create();
  for (const text of texts) await writer.write(text);
  return writer.close();
}

/** Pages through the whole, as a model would. */
export async function readAll(artifacts: Artifacts, id: string, step = 1000): Promise<string> {
  let text = "";
  for (let offset = 0; ;) {
    const slice = await artifacts.read(id, offset, step);
    assert.ok(slice !== undefined, `${id} is not there`);
    text += slice.text;
    if (slice.end >= slice.size) return text;
    assert.ok(slice.end > offset, "reading must get on");
    offset = slice.end;
  }
}

/** Fails unless a text is the head and the tail of a longer one, in 64 bytes, with the gap marked. */
export function assertEnds(stored: string, whole: string, dropped: number): void {
  const [head = "", tail = ""] = stored.split(`[… ${dropped} bytes dropped …]\n`);
  const over = Buffer.byteLength(whole) - 64;
  assert.ok(dropped >= over && dropped <= over + 6, `${dropped}`);
  assert.ok(whole.startsWith(head.slice(0, -1)) && Buffer.byteLength(head) >= 29, head);
  assert.ok(whole.endsWith(tail) && Buffer.byteLength(tail) >= 29, tail);
}
