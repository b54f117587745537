import { readFileSync } from "node:fs";

/** Returns the commands in the `sh` blocks of README.md in order, without comments; one with a here-document has several lines. */
export function readmeCommands(): readonly string[] {
  const blocks = [...readFileSync("README.md", "utf8").matchAll(/^```sh\n([^]*?)^```$/gm)];
  return blocks.flatMap(([, block = ""]) => splitCommands(block));
}

function splitCommands(block: string): readonly string[] {
  const commands: string[] = [];
  let end: string | undefined;
  for (const line of block.split("\n").filter((one) => one !== "")) {
    if (end !== undefined) commands.push(`${commands.pop() ?? ""}\n${line}`);
    else commands.push(line.replace(/\s+# .*$/, ""));
    if (line === end) end = undefined;
    else end ??= /<<'(\w+)'/.exec(line)?.[1];
  }
  return commands;
}
