import type { Artifacts, ArtifactWriter } from "../../core/store/artifacts.ts";
import type { Masker } from "../../util/text/mask.ts";

/** The same artifacts, but nothing secret is ever written into one. */
export function maskArtifacts(artifacts: Artifacts, masker: Masker): Artifacts {
  return {
    get keeps() {
      return artifacts.keeps;
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

/** Writes every piece; waits, where it returns a promise, for the last place that was behind. */
function writeAll(writer: ArtifactWriter, pieces: readonly string[]): void | Promise<void> {
  let waiting: void | Promise<void> = undefined;
  for (const piece of pieces) waiting = writer.write(piece) ?? waiting;
  return waiting;
}
