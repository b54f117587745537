import type { Artifacts, ArtifactWriter } from "../../core/store/artifacts.ts";
import type { Masker } from "../../secrets/mask.ts";

/** Returns the same artifacts with secrets masked in everything that is written. */
export function maskArtifacts(artifacts: Artifacts, masker: Masker): Artifacts {
  return {
    get storage() {
      return artifacts.storage;
    },
    create() {
      const writer = artifacts.create();
      const stream = masker.stream();
      return {
        id: writer.id,
        write: (text) => writeAll(writer, stream.push(text)),
        async close() {
          await writeAll(writer, stream.end());
          return writer.close();
        },
      };
    },
    info: (id) => artifacts.info(id),
    read: (id, start, length) => artifacts.read(id, start, length),
    search: (id, pattern, limit) => artifacts.search(id, pattern, limit),
    close: () => artifacts.close(),
  };
}

/** Writes every piece. Returns the last promise of a writer that is behind, or undefined. */
function writeAll(writer: ArtifactWriter, pieces: readonly string[]): void | Promise<void> {
  let waiting: void | Promise<void> = undefined;
  for (const piece of pieces) waiting = writer.write(piece) ?? waiting;
  return waiting;
}
