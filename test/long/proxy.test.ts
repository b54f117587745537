// Proxies, browsers and engines that are killed in the middle, and ten thousand requests through one proxy: about two minutes.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { ProxyAgent, request } from "undici";
import type { JsonObject } from "../../src/core/json.ts";
import { openStore } from "../../src/store/open-store.ts";
import { endOrphans } from "../../src/system/process/orphans.ts";
import { listProc, readProc } from "../../src/system/process/proc.ts";
import { removeAbandonedFolders } from "../../src/system/process/temporary-folder.ts";
import { childEnvironment } from "../../src/system/process/environment.ts";
import { browserTools } from "../../src/tools/browser/family.ts";
import { isRunning } from "../support/programs/is-running.ts";
import { proxyEngine, type ProxyEngine } from "../support/browser/proxy.ts";
import { untilTrue } from "../support/running.ts";
import { CERTIFICATE, KEY } from "../support/servers/secure-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const ends: (() => unknown)[] = [];
const file = { after: (end: () => unknown) => void ends.push(end) };
const waiting = new Set<ServerResponse>();
let origin: string;
let secure: string;
let place: ProxyEngine;

before(async () => {
  const server = createServer((request, response) => {
    if (request.url === "/hang") waiting.add(response);
    else response.writeHead(200, { "content-type": "text/html" }).end("<title>Page</title><p>here");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  file.after(() => server.close());
  file.after(() => server.closeAllConnections());
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const trusted = join(temporaryFolder(file), "trusted.pem");
  writeFileSync(trusted, CERTIFICATE);
  const secureServer = createSecureServer({ cert: CERTIFICATE, key: KEY }, (_, response) =>
    response.end("over TLS"),
  ).listen(0, "127.0.0.1");
  await once(secureServer, "listening");
  file.after(() => secureServer.close());
  file.after(() => secureServer.closeAllConnections());
  secure = `https://127.0.0.1:${(secureServer.address() as AddressInfo).port}`;
  place = proxyEngine(file, {
    environment: { ...childEnvironment(process.env), NODE_EXTRA_CA_CERTS: trusted },
  });
  const web = { privateHosts: ["127.0.0.1"] };
  place.engine.add(browserTools({ root: place.root, environment: childEnvironment(process.env), web }));
  place.engine.groups.activate("browser");
});

after(async () => {
  for (const end of ends.toReversed()) await end();
});

const run = (name: string, input: JsonObject) => place.run(name, input, "s");
const isWaiting = () => waiting.size > 0;

/** Returns the processes below one whose command line contains a text. */
function below(ancestor: number, text: string): readonly number[] {
  return (listProc() ?? []).filter((pid) => {
    let at = pid;
    while (at > 1 && at !== ancestor)
      at = Number(/^PPid:\s*(\d+)/m.exec(readProc(`${at}/status`) ?? "")?.[1] ?? 0);
    return at === ancestor && pid !== ancestor && (readProc(`${pid}/cmdline`) ?? "").includes(text);
  });
}

const killAll = (pids: readonly number[]): void => {
  assert.ok(pids.length > 0);
  for (const pid of pids) if (isRunning(pid)) process.kill(pid, "SIGKILL");
};

test("a proxy that is killed during a request gives one answer, and the next call starts another at the same address", async () => {
  const answered = run("shell", {
    command: `curl -s ${origin}/hang; echo "ended with $?"`,
    timeout_seconds: 300,
  });
  await untilTrue("the request is under way", isWaiting);
  killAll(below(process.pid, "proxy-program"));
  assert.match((await answered).text, /^ended with (?:52|56)$/);
  waiting.clear();
  await untilTrue("another proxy serves", async () => {
    const { text } = await run("shell", { command: `curl -s ${origin}/again` });
    return text.includes("here");
  });
  assert.match((await run("list_requests", { filter: '"/again"' })).text, /\/again -> 200/);
});

test("a browser that is killed behind the proxy gives one answer, and the next page is captured too", async () => {
  assert.equal((await run("navigate", { url: `${origin}/first` })).code, "ok");
  const hanging = run("navigate", { url: `${origin}/hang` });
  await untilTrue("the request is under way", isWaiting);
  killAll(below(process.pid, "remote-debugging-pipe"));
  assert.equal((await hanging).code, "TOOL_CRASHED");
  waiting.clear();
  await untilTrue("no browser runs", () => below(process.pid, "remote-debugging-pipe").length === 0);
  assert.match((await run("navigate", { url: `${origin}/second` })).text, /started again/);
  assert.match((await run("list_requests", { filter: '"/second"' })).text, /\/second -> 200/);
  await run("browser_action", { action: "close" });
});

test("HTTPS to an address instead of a name is captured from the browser, and from a client that does not verify", async () => {
  assert.match((await run("navigate", { url: `${secure}/browser` })).text, /over TLS/);
  await run("browser_action", { action: "close" });
  const { text } = await run("shell", {
    command: `curl -sk ${secure}/curl; curl -s ${secure}/verified; echo " $?"`,
  });
  assert.match(text, /^over TLS 60$/);
  const listed = (await run("list_requests", { filter: 'req.scheme.eq:"https"', sort_order: "asc" })).text;
  assert.match(listed, /\/browser -> 200[^]*\/curl -> 200/);
  assert.doesNotMatch(listed, /verified/);
});

test("an engine that is killed leaves neither browser nor proxy, and no key that others can read", async (t) => {
  const folder = temporaryFolder(t);
  const owner = join(import.meta.dirname, "../flows/proxy-owner.ts");
  const child = spawn(process.execPath, [owner, folder, `${origin}/hang`], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  t.after(() => child.kill("SIGKILL"));
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const caFile = String(line).trim();
  await untilTrue("the command waits", isWaiting);
  const left = [...below(child.pid ?? 0, "proxy-program"), ...below(child.pid ?? 0, "remote-debugging-pipe")];
  assert.ok(left.length >= 2);
  child.kill("SIGKILL");
  await once(child, "exit");
  const caFolder = dirname(caFile);
  assert.equal(statSync(caFolder).mode & 0o777, 0o700);
  for (const name of readdirSync(caFolder))
    assert.doesNotMatch(readFileSync(join(caFolder, name), "utf8"), /PRIVATE KEY/);
  await endOrphans(folder);
  await removeAbandonedFolders();
  await untilTrue("nothing runs", () => left.every((pid) => !isRunning(pid)));
  assert.ok(!existsSync(caFolder));
  waiting.clear();
});

test("ten thousand requests are captured, and neither the proxy nor the engine grows with them", async (t) => {
  const store = await openStore({ folder: temporaryFolder(t) });
  const { run: runHere, root } = proxyEngine(t, { collections: store.collections });
  t.after(() => store.close());
  await runHere("shell", { command: 'echo "$HTTP_PROXY" > url' }, "many");
  const uri = readFileSync(join(root, "url"), "utf8").trim();
  const dispatcher = new ProxyAgent({ uri, proxyTunnel: false });
  const proxy = below(process.pid, "proxy-program").at(-1) ?? 0;
  const sizes: (readonly [number, number])[] = [];
  for (let round = 0; round < 5; round += 1) {
    for (let sent = 0; sent < 2000; sent += 20) {
      const fetchOne = async () => (await request(`${origin}/many?n=${sent}`, { dispatcher })).body.text();
      await Promise.all(Array.from({ length: 20 }, fetchOne));
    }
    await runHere("list_requests", {}, "many");
    collectGarbage();
    sizes.push([residentOf(proxy), Math.round(process.memoryUsage().heapUsed / 2 ** 20)]);
  }
  await dispatcher.close();
  const { text } = await runHere("list_requests", { filter: '"/many"' }, "many");
  assert.match(text, /^\[10000 requests/);
  t.diagnostic(
    `MB after each 2000 requests, resident in the proxy and in the heap of the engine: ${JSON.stringify(sizes)}`,
  );
  // Of the engine, what is listed of a request is held. The proxy first grows to what its garbage collector is content with.
  const grown = ([0, 1] as const).map((which) => (sizes.at(-1)?.[which] ?? 0) - (sizes[1]?.[which] ?? 0));
  assert.ok((grown[0] ?? 0) < 150 && (grown[1] ?? 0) < 15, JSON.stringify(sizes));
});

function residentOf(pid: number): number {
  return Math.round(Number(/^VmRSS:\s*(\d+)/m.exec(readProc(`${pid}/status`) ?? "")?.[1]) / 1024);
}

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}
