import { visibleJson } from "../../util/text/visible.ts";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ToolError } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import { fileFault } from "../../system/paths/file-fault.ts";
import type { FileOperations } from "../../system/files/operations.ts";
import { replaceFiles } from "../../system/files/replace.ts";
import { resolveTarget } from "../../system/paths/paths.ts";
import type { ImageFile } from "./evidence.ts";

const MAX_NAME_CHARACTERS = 60;
/** Only the owner can read a report: it describes how to attack the target. */
const OWNER_ONLY = { folder: 0o700, file: 0o600 } as const;

const ENDINGS = { markdown: "md", json: "json", html: "html" } as const;
type Format = keyof typeof ENDINGS;

export interface Report<F extends Format> {
  /** The file name without extension. */
  readonly name: string;
  readonly contents: Readonly<Record<F, string>>;
  /** Files that the report names. */
  readonly images: readonly ImageFile[];
  readonly operations: FileOperations;
}

/** Writes a report in its formats with its images, all or none, replacing an older one. Returns the paths. */
export async function writeReport<F extends Format>(
  folder: string,
  { name, contents, images, operations }: Report<F>,
): Promise<Readonly<Record<F, string>>> {
  await mkdir(folder, { recursive: true, mode: OWNER_ONLY.folder }).catch((error: unknown) => {
    throw fileFault(error, "make the folder", folder);
  });
  const formats = Object.keys(contents) as F[];
  const texts = formats.map((one) => ({ name: `${name}.${ENDINGS[one]}`, content: contents[one] }));
  const files = [...texts, ...images].map((file) => ({ ...file, path: join(folder, file.name) }));
  // Before the files are looked at: another agent may write the same report.
  return operations.exclusively(
    files.map(({ path }) => path),
    async () => {
      const changes = await Promise.all(
        files.map(async ({ path, content }) => ({
          fact: await resolveTarget(path, { cwd: folder, access: "write" }),
          content,
          mode: OWNER_ONLY.file,
        })),
      );
      await replaceFiles(changes, { operations, isExclusive: true });
      const paths = formats.map((one, index) => [one, changes[index]?.fact.path] as const);
      return Object.fromEntries(paths) as Record<F, string>;
    },
  );
}

/** Returns a value as the text of a JSON file. */
export function toJsonText(value: Json): string {
  return `${visibleJson(JSON.stringify(value, null, 2))}\n`;
}

/** Reads the images of a report, as data URLs by the name of their file. A file that is gone is left out. */
export async function readImages(
  folder: string,
  files: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const images = new Map<string, string>();
  for (const file of files) {
    const content = await readFile(join(folder, file)).catch(() => undefined);
    if (content !== undefined) images.set(file, toDataUrl(content));
  }
  return images;
}

export function toDataUrl(content: Buffer): string {
  return `data:image/jpeg;base64,${content.toString("base64")}`;
}

/** Returns a file name of letters, digits and dashes. */
export function toFileName(text: string): string {
  const name = text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-");
  return name.replace(/^-+/, "").slice(0, MAX_NAME_CHARACTERS).replace(/-+$/, "") || "untitled";
}

/** Returns the folder of reports; throws if none is set. */
export function reportsFolderOf(folder: string | undefined): string {
  if (folder !== undefined) return folder;
  throw new ToolError("MISSING_CONTEXT", "no folder for reports is set", {
    hint: "set one: reportTools({ root, reportsFolder })",
  });
}
