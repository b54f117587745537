import type { Artifacts } from "../core/artifacts.ts";
import type { Masker } from "./mask.ts";

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
        write(text) {
          const masked = stream.push(text);
          return masked === "" ? undefined : writer.write(masked);
        },
        async close() {
          const rest = stream.end();
          if (rest !== "") await writer.write(rest);
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
