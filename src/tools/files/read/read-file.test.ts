import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, renameSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { runScript, runScriptAsNobody, sourceUrl } from "../../../../test/support/faults/child-script.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { runTool, textOf } from "../../../../test/support/engines/tool-context.ts";
import { ToolError } from "../../../core/errors.ts";
import type { Tool } from "../../../core/tool.ts";
import { createEngine } from "../../../engine/engine.ts";
import { readFile } from "./read-file.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

function reader(context: TestContext): { readonly root: string; readonly tool: Tool } {
  const root = temporaryFolder(context);
  return { root, tool: readFile({ root }) };
}

test("lines come with their numbers", async (context) => {
  const { root, tool } = reader(context);
  writeFileSync(join(root, "a.txt"), "one\r\ntwo\r\n\tthree");
  const reply = await runTool(tool, { path: "a.txt" });
  assert.equal(textOf(reply), "     1\tone\n     2\ttwo\n     3\t\tthree");
  assert.deepEqual(reply.data, { path: "a.txt", start_line: 1, lines: 3, total_lines: 3, encoding: "utf-8" });
  assert.equal(reply.truncated, undefined);
});

test("a range shows the requested lines and how to continue", async (context) => {
  const { root, tool } = reader(context);
  writeFileSync(join(root, "a.txt"), "one\ntwo\nthree\nfour\n");
  const reply = await runTool(tool, { path: "a.txt", start_line: 2, limit: 2 });
  assert.equal(
    textOf(reply),
    "     2\ttwo\n     3\tthree\n[lines 2 to 3 of 4 shown; continue with start_line=4]",
  );
  assert.equal(
    textOf(await runTool(tool, { path: "a.txt", start_line: 3, limit: 9 })).includes("go on"),
    false,
  );
});

test("continuing as the notice says returns every line once", async (context) => {
  const { root, tool } = reader(context);
  const lines = Array.from({ length: 3000 }, (_, index) => `line ${index} ${"ä".repeat(index % 50)}`);
  writeFileSync(join(root, "long.txt"), lines.join("\n"));
  const seen: string[] = [];
  for (let next: number | undefined = 1; next !== undefined;) {
    const reply = await runTool(tool, { path: "long.txt", start_line: next });
    const text = textOf(reply);
    assert(Buffer.byteLength(text) <= 10 * 1024);
    assert.equal(text.startsWith("[truncated: "), reply.truncated !== undefined);
    const shown = text.split("\n").filter((line) => !line.startsWith("["));
    seen.push(...shown.map((line) => line.slice(7)));
    const match = /start_line=(\d+)/.exec(text);
    next = match === null ? undefined : Number(match[1]);
  }
  assert.deepEqual(seen, lines);
});

test("an answer over 10 KB is cut to 5 KB and says how much there was", async (context) => {
  const { root, tool } = reader(context);
  writeFileSync(join(root, "long.txt"), "0123456789\n".repeat(2000));
  const reply = await runTool(tool, { path: "long.txt" });
  assert.match(
    textOf(reply),
    /^\[truncated: lines 1 to \d+ of 2000 shown; continue with start_line=\d+\]\n {5}1\t/,
  );
  assert(Buffer.byteLength(textOf(reply)) < 5.2 * 1024);
  assert.deepEqual(reply.truncated, { shape: "file", total: 22_000 });
});

test("a long line is cut and says so", async (context) => {
  const { root, tool } = reader(context);
  writeFileSync(join(root, "a.txt"), `${"x".repeat(5000)}\nnext`);
  const text = textOf(await runTool(tool, { path: "a.txt" }));
  assert.equal(
    text,
    `     1\t${"x".repeat(2000)} [line cut: its first 2000 characters of 5000 bytes]\n     2\tnext`,
  );
});

test("an empty file and a start past the end are answers", async (context) => {
  const { root, tool } = reader(context);
  writeFileSync(join(root, "empty"), "");
  writeFileSync(join(root, "short"), "a\nb\n");
  assert.equal(textOf(await runTool(tool, { path: "empty" })), "[empty is empty]");
  assert.match(
    textOf(await runTool(tool, { path: "short", start_line: 3 })),
    /has 2 lines: line 3 does not exist/,
  );
});

test("a missing file suggests similar names", async (context) => {
  const { root, tool } = reader(context);
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "src/config.ts"), "");
  await assert.rejects(runTool(tool, { path: "src/confg.ts" }), (error) => {
    assert(error instanceof ToolError);
    assert.equal(error.code, "TOOL_FAILED");
    assert.equal(error.message, "src/confg.ts does not exist");
    assert.match(error.hint ?? "", /src\/config\.ts/);
    return true;
  });
  await assert.rejects(runTool(tool, { path: "no/such/folder" }), /does not exist/);
});

test("an image is shown, whatever its name", async (context) => {
  const { root, tool } = reader(context);
  writeFileSync(join(root, "picture"), PNG);
  const { content } = await runTool(tool, { path: "picture" });
  assert.deepEqual(content[1], { type: "image", data: PNG.toString("base64"), mimeType: "image/png" });
});

test("an image over the cap and other binary files are refused with their size", async (context) => {
  const { root, tool } = reader(context);
  writeFileSync(join(root, "big.png"), PNG);
  truncateSync(join(root, "big.png"), 5 * 1024 * 1024 + 1);
  writeFileSync(join(root, "program"), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0]));
  await assert.rejects(runTool(tool, { path: "big.png" }), /image over 5 MB \(5242881 bytes\)/);
  await assert.rejects(runTool(tool, { path: "program" }), /binary file \(6 bytes\)/);
});

test("a folder, a pipe and a device are refused without waiting", async (context) => {
  const { root, tool } = reader(context);
  execFileSync("mkfifo", [join(root, "pipe")]);
  await assert.rejects(runTool(tool, { path: "." }), /is a folder/);
  await assert.rejects(runTool(tool, { path: "pipe" }), /is a named pipe/);
  await assert.rejects(runTool(tool, { path: "/dev/zero" }), /is a device/);
});

test("a link that is swapped after the check is refused", async (context) => {
  const { root, tool } = reader(context);
  writeFileSync(join(root, "good"), "good");
  writeFileSync(join(root, "secret"), "secret");
  symlinkSync("good", join(root, "link"));
  const swap = (): void => {
    symlinkSync("secret", join(root, "new"));
    renameSync(join(root, "new"), join(root, "link"));
  };
  // The judged target is read although the link now leads elsewhere.
  assert.match(textOf(await runTool(tool, { path: "link" }, { beforeRun: swap })), /good/);
  const replace = (): void => {
    symlinkSync("secret", join(root, "other"));
    renameSync(join(root, "other"), join(root, "good"));
  };
  await assert.rejects(
    runTool(tool, { path: "good" }, { beforeRun: replace }),
    /changed between check and use/,
  );
});

test("facts are the canonical path and the names that lead to it, for reading", async (context) => {
  const { root, tool } = reader(context);
  mkdirSync(join(root, "real"));
  symlinkSync("real", join(root, "link"));
  const [fact] = (await tool.facts?.({ path: "link/x" }, undefined as never)) ?? [];
  const names = [join(root, "link/x"), join(root, "link")];
  assert.deepEqual(fact, { kind: "path", path: join(root, "real/x"), access: "read", names });
});

test("a file that an ordinary user may not read is refused", (context) => {
  const root = temporaryFolder(context);
  writeFileSync(join(root, "secret"), "secret", { mode: 0o000 });
  const { stdout, stderr } = runScriptAsNobody(readScript(root, { path: "secret" }));
  assert.match(stdout, /^TOOL_FAILED cannot read .*secret: permission denied/, stderr);
});

test("a 10 GB file and a line of 300 MB cost no memory", (context) => {
  const root = temporaryFolder(context);
  writeFileSync(join(root, "sparse"), `start\n${"line\n".repeat(10_000)}`);
  truncateSync(join(root, "sparse"), 10 * 1024 ** 3);
  execFileSync("sh", ["-c", `head -c 300000000 /dev/zero | tr '\\0' x > ${root}/line`]);
  for (const path of ["sparse", "line"]) {
    const { stdout, stderr } = runScript(readScript(root, { path }));
    const { text, grownMb } = JSON.parse(stdout) as { text: string; grownMb: number };
    assert.match(
      text,
      path === "line" ? /of 300000000 bytes\]$/ : /^\[truncated: lines 1 to .* of at least/,
      stderr,
    );
    assert(grownMb < 64, `${path} grew memory by ${grownMb} MB`);
  }
});

function readScript(root: string, input: object): string {
  return `
    const { readFile } = await import(${JSON.stringify(sourceUrl("src/tools/files/read/read-file.ts"))});
    const { runTool, textOf } = await import(${JSON.stringify(sourceUrl("test/support/engines/tool-context.ts"))});
    const before = process.resourceUsage().maxRSS;
    await runTool(readFile({ root: ${JSON.stringify(root)} }), ${JSON.stringify(input)}).then(
      (reply) => {
        const grownMb = (process.resourceUsage().maxRSS - before) / 1024;
        console.log(JSON.stringify({ text: textOf(reply), grownMb }));
      },
      (error) => console.log(error.code, error.message),
    );
  `;
}

test("other encodings are read and reported", async (context) => {
  const { root, tool } = reader(context);
  const cases: readonly (readonly [Buffer, string, RegExp | undefined])[] = [
    [Buffer.from("\uFEFFgrün"), "utf-8-bom", undefined],
    [Buffer.from("\uFEFFgrün", "utf16le"), "utf-16le", /^\[a is encoded in UTF-16/],
    [Buffer.from("grün und mehr", "utf16le"), "utf-16le", /^\[a is encoded in UTF-16/],
    [Buffer.from("\uFEFFgrün", "utf16le").swap16(), "utf-16be", /^\[a is encoded in UTF-16/],
    [Buffer.from("gr\xfcn", "latin1"), "latin-1", /^\[a is not UTF-8; read as Latin-1, which is a guess\]/],
    [Buffer.from("gr\xfcn \x80", "latin1"), "windows-1252", /read as Windows-1252/],
  ];
  for (const [bytes, encoding, note] of cases) {
    writeFileSync(join(root, "a"), bytes);
    const reply = await runTool(tool, { path: "a" });
    assert.match(textOf(reply), /1\tgrün/, encoding);
    assert.equal((reply.data as { encoding: string }).encoding, encoding);
    if (note === undefined) assert(!textOf(reply).startsWith("["));
    else assert.match(textOf(reply), note);
  }
});

test("devices, sockets and links to them are rejected without waiting", async (context) => {
  const { root, tool } = reader(context);
  const socket = createServer().listen(join(root, "socket"));
  await once(socket, "listening");
  context.after(() => socket.close());
  symlinkSync("/proc/self/environ", join(root, "link"));
  const cases: readonly (readonly [string, RegExp])[] = [
    ["/proc/self/environ", /is a file of the kernel/],
    ["/proc/self/root/proc/self/environ", /is a file of the kernel/],
    ["link", /is a file of the kernel/],
    ["/proc/kmsg", /is a file of the kernel/],
    ["/sys/kernel/notes", /is a file of the kernel|does not exist/],
    ["/proc/self/root", /is a folder/],
    ["/proc/self/fd/0", /^/],
    ["/dev/stdin", /^/],
    ["/dev/tty", /is a device|does not exist/],
    ["/dev/null", /is a device/],
    ["socket", /is a socket/],
  ];
  for (const [path, expected] of cases) {
    await assert.rejects(runTool(tool, { path }), (error) => {
      assert(error instanceof ToolError, path);
      assert.match(error.message, expected, path);
      return true;
    });
  }
});

test("a name in another Unicode form is another file, and the hint shows the difference", async (context) => {
  const { root, tool } = reader(context);
  writeFileSync(join(root, "caf\u00e9.txt"), "composed");
  await assert.rejects(runTool(tool, { path: "cafe\u0301.txt" }), (error) => {
    assert(error instanceof ToolError);
    assert.match(error.hint ?? "", /written as caf\\u00e9\.txt, not cafe\\u0301\.txt/);
    return true;
  });
});

test("the border holds on every way around it, and other roots are open", async (context) => {
  const folder = temporaryFolder(context);
  const [root, other, outside] = [join(folder, "w"), join(folder, "other"), join(folder, "outside")];
  for (const path of [root, other, outside]) mkdirSync(path);
  writeFileSync(join(outside, "secret"), "secret");
  writeFileSync(join(other, "open"), "open");
  writeFileSync(join(root, "in"), "in");
  symlinkSync("../outside", join(root, "link"));
  symlinkSync("link/secret", join(root, "chain"));
  symlinkSync("../outside/not-yet", join(root, "dangling"));
  const engine = createEngine({ tools: [readFile({ root, roots: [other] })], workspace: [root, other] });
  const codeOf = async (path: string): Promise<string> => {
    const result = await engine.run({ id: path, name: "read_file", input: { path } });
    return result.ok ? "ok" : result.error.code;
  };
  const denied = [
    "../outside/secret",
    "link/secret",
    "chain",
    "dangling",
    "link/../outside/secret",
    `/proc/self/root${outside}/secret`,
    `${root}/../outside/secret`,
    "/etc/passwd",
    "/proc/self/environ",
    "/proc/self/root/etc/passwd",
    // Such a link leads elsewhere in another process.
    `/proc/self/root${root}/in`,
    `${root}-next/x`,
  ];
  for (const path of denied) assert.equal(await codeOf(path), "DENIED", path);
  for (const path of ["in", `${root}/in`, `${other}/open`, "../other/open"]) {
    assert.equal(await codeOf(path), "ok", path);
  }
  await engine.close();
});
