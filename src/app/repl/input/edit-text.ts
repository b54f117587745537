import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ToolError } from "../../../core/errors.ts";

/** Has the person edit a text in a program on the terminal, and returns it. Throws if the program fails: then the text is as before. */
export async function editText(editor: string, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "toolwright-message-"));
  try {
    const file = join(folder, "message.md");
    await writeFile(file, text, { mode: 0o600 });
    await runEditor(editor, file);
    return (await readFile(file, "utf8")).replace(/\r?\n$/, "");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The shell splits the setting, which may have arguments. */
async function runEditor(editor: string, file: string): Promise<void> {
  const child = spawn("sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit" });
  const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
  if (code === 0) return;
  const end = code === null ? `ended by ${signal}` : `exit code ${code}`;
  throw new ToolError("TOOL_FAILED", `${editor} failed (${end}); the message is unchanged`, {
    hint: "set VISUAL or EDITOR to the program that you want",
  });
}
