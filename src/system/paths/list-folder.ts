import { opendir } from "node:fs/promises";
import { fromFileName, toFileName } from "../../util/text/file-name.ts";

/** An entry of a folder. */
export interface FolderEntry {
  /** As `fromFileName` returns it. */
  readonly name: string;
  readonly isFolder: boolean;
  readonly isLink: boolean;
}

/** Entries that are read at once. */
const AT_ONCE = 256;

/** Lists a folder entry by entry; names that are not UTF-8 are not damaged. */
export async function* listFolder(path: string): AsyncGenerator<FolderEntry> {
  // The types do not know that names can be buffers here.
  const encoding = "buffer" as BufferEncoding;
  const folder = await opendir(toFileName(path), { encoding, bufferSize: AT_ONCE });
  for await (const entry of folder)
    yield {
      name: fromFileName(entry.name),
      isFolder: entry.isDirectory(),
      isLink: entry.isSymbolicLink(),
    };
}
