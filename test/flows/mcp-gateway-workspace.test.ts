import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { createPlace, runCli, type Place } from "./support/cli.ts";
import { connectMcp, textOf, type McpOptions } from "./support/mcp-client.ts";

/** Two folders of the user besides the one that the program is started in. */
function projectsOf({ folder }: Place): readonly [string, string] {
  const [one, two] = [mkdtempSync(join(dirname(folder), "one-")), mkdtempSync(join(dirname(folder), "two-"))];
  for (const project of [one, two]) writeFileSync(join(project, "a.txt"), `in ${project}`);
  return [one, two];
}

async function read(t: TestContext, place: Place, options: McpOptions, path: string) {
  const { client } = await connectMcp(t, place, options);
  const result = await client.callTool({ name: "read_file", arguments: { path } });
  return { isRead: result.isError !== true, text: textOf(result) };
}

test("the folders that a client names as its roots are the workspace, the first the current one", async (t) => {
  const place = createPlace(t);
  writeFileSync(join(place.home, "config.json"), JSON.stringify({ border: "deny" }));
  const [one, two] = projectsOf(place);
  place.write("a.txt", "in the folder of the process");
  const { client } = await connectMcp(t, place, { roots: [one, two] });
  const call = async (path: string) => client.callTool({ name: "read_file", arguments: { path } });
  assert.match(textOf(await call("a.txt")), new RegExp(`in ${one}`));
  assert.match(textOf(await call(join(two, "a.txt"))), new RegExp(`in ${two}`));
  assert.equal((await call(join(place.folder, "a.txt"))).isError, true);
});

test("--folder goes before the roots of the client", async (t) => {
  const place = createPlace(t);
  const [one, two] = projectsOf(place);
  const { isRead, text } = await read(t, place, { roots: [one], args: ["--folder", two] }, "a.txt");
  assert.ok(isRead && text.includes(two), text);
});

test("roots that do not exist, are no files or are too broad leave the folder of the process", async (t) => {
  const place = createPlace(t);
  writeFileSync(join(place.home, "config.json"), JSON.stringify({ border: "deny" }));
  place.write("a.txt", "in the folder of the process");
  for (const roots of [[], ["/"], [place.home], [dirname(place.home)], [join(place.folder, "none")]]) {
    const { isRead, text } = await read(t, place, { roots }, "a.txt");
    assert.ok(isRead && text.includes("in the folder of the process"), `${roots.join()}: ${text}`);
    const outside = await read(t, place, { roots }, "/etc/hostname");
    assert.equal(outside.isRead, false, roots.join());
  }
});

test("/ and the home folder are no workspace, whether a client starts there or --folder names them", async (t) => {
  const place = createPlace(t);
  const environment = { HOME: place.home };
  for (const folder of ["/", place.home, dirname(place.home)]) {
    const inFolder = { ...place, folder };
    for (const [from, args] of [
      [inFolder, ["mcp"]],
      [inFolder, ["mcp", "--http", "0"]],
      [place, ["mcp", "--folder", folder]],
    ] as const) {
      const input = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })}\n`;
      const { code, stderr, stdout } = await runCli(from, args, { environment, input });
      assert.notEqual(code, 0, `${folder} ${args.join(" ")}: ${stdout}`);
      assert.match(stderr, /cannot be the workspace[\s\S]*--folder FOLDER/);
    }
  }
});

test("only the user's own config allows a broad workspace", async (t) => {
  const place = createPlace(t);
  const home = temporaryFolder(t);
  const inHome = { args: ["--folder", home], environment: { HOME: home } };
  mkdirSync(join(home, ".toolwright"));
  writeFileSync(join(home, "a.txt"), "at home");
  // The folder's own file, which is not the user's: TOOLWRIGHT_HOME is elsewhere.
  writeFileSync(join(home, ".toolwright", "config.json"), JSON.stringify({ broadWorkspace: true }));
  await assert.rejects(read(t, place, inHome, "a.txt"));
  writeFileSync(join(place.home, "config.json"), JSON.stringify({ broadWorkspace: true }));
  assert.ok((await read(t, place, inHome, "a.txt")).isRead);
});

test("a client that starts servers outside of the project is configured with a folder, never with a broad one", async (t) => {
  const place = createPlace(t);
  const argsOf = async (client: string, key: string) => {
    const { stdout } = await runCli(place, ["mcp", "install", client]);
    return (JSON.parse(stdout) as Record<string, { toolwright: { args: string[] } }>)[key]?.toolwright.args;
  };
  assert.deepEqual((await argsOf("vscode", "servers"))?.slice(-2), ["--folder", "${workspaceFolder}"]);
  assert.deepEqual((await argsOf("zed", "context_servers"))?.slice(-2), ["--folder", place.folder]);
  const atHome = { ...place, folder: place.home };
  const { code, stderr } = await runCli(atHome, ["mcp", "install", "zed"], {
    environment: { HOME: place.home },
  });
  assert.notEqual(code, 0);
  assert.match(stderr, /cannot be the workspace/);
});
