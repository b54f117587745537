import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MAX_BYTES = 20 * 1024 * 1024;
const READ_MS = 3000;
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

/** A program that writes the image in the clipboard to its output, and how that is read. */
export interface ClipboardProgram {
  readonly command: readonly [program: string, ...args: string[]];
  readonly decode?: (output: Buffer) => Buffer;
}

/** Of Wayland, X11 and macOS. A program that is missing, or has no display, fails at once. */
const PROGRAMS: readonly ClipboardProgram[] = [
  { command: ["wl-paste", "--no-newline", "--type", "image/png"] },
  { command: ["xclip", "-selection", "clipboard", "-target", "image/png", "-out"] },
  {
    command: ["osascript", "-e", "get the clipboard as «class PNGf»"],
    decode: (output) => Buffer.from(/[0-9A-F]{8,}/.exec(output.toString())?.[0] ?? "", "hex"),
  },
];

/**
 * Writes the image in the clipboard to a file that lasts as long as this process, and returns its path; undefined if there is none, or no
 * program that reads it.
 */
export async function saveClipboardImage(programs = PROGRAMS): Promise<string | undefined> {
  for (const { command, decode = (output: Buffer) => output } of programs) {
    const image = decode((await outputOf(command)) ?? Buffer.alloc(0));
    if (!image.subarray(0, PNG.length).equals(PNG)) continue;
    const folder = await mkdtemp(join(tmpdir(), "toolwright-image-"));
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, "clipboard.png");
    await writeFile(file, image, { mode: 0o600 });
    return file;
  }
  return undefined;
}

function outputOf([program, ...args]: ClipboardProgram["command"]): Promise<Buffer | undefined> {
  const options = { encoding: "buffer", maxBuffer: MAX_BYTES, timeout: READ_MS } as const;
  return new Promise((resolve) => {
    execFile(program, args, options, (error, output) => resolve(error === null ? output : undefined));
  });
}
