// One proxy program serves the whole file: it takes a second or more to start.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { generateCACertificate, getLocal } from "mockttp";
import { ProxyAgent, WebSocket } from "undici";
import { proxyEngine, type ProxyEngine } from "../../../test/support/browser/proxy.ts";
import { untilTrue } from "../../../test/support/running.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { JsonObject } from "../../core/json.ts";
import { childEnvironment } from "../../system/process/environment.ts";
import { attempt } from "../../util/async/attempt.ts";
import { MASK } from "../../secrets/mask.ts";

const TOKEN = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
const ends: (() => unknown)[] = [];
const file = { after: (end: () => unknown) => void ends.push(end) };
let proxied: ProxyEngine;
let http: string;
let https: string;
let webSocket: string;

before(async () => {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => answer(request.url ?? "", Buffer.concat(chunks), request.headers, response));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  file.after(() => server.close());
  file.after(() => server.closeAllConnections());
  http = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const authority = await generateCACertificate();
  const secure = getLocal({ https: authority, http2: true });
  await secure.forAnyRequest().thenReply(200, "secure page", { "content-type": "text/plain" });
  await secure.forAnyWebSocket().thenEcho();
  await secure.start();
  file.after(() => secure.stop());
  https = `https://localhost:${secure.port}`;
  webSocket = `ws://localhost:${secure.port}`;
  const trusted = join(temporaryFolder(file), "upstream.pem");
  writeFileSync(trusted, authority.cert);
  proxied = proxyEngine(file, {
    environment: { ...childEnvironment(process.env), NODE_EXTRA_CA_CERTS: trusted },
  });
});

after(async () => {
  for (const end of ends.toReversed()) await end();
});

function answer(
  url: string,
  body: Buffer,
  headers: NodeJS.Dict<string | string[]>,
  response: ServerResponse,
): void {
  if (url.startsWith("/zip")) {
    const zipped = gzipSync(`{"zipped": "${"x".repeat(30_000)} needle"}`);
    response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(zipped);
  } else if (url.startsWith("/image")) {
    response.writeHead(200, { "content-type": "image/png" }).end(Buffer.alloc(20_000));
  } else {
    const seen = {
      url,
      authorization: headers["authorization"],
      cookie: headers["cookie"],
      body: String(body),
    };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(seen));
  }
}

/** The session whose proxy is running; others have no proxy until they need one. */
const MAIN = "main";

const run = (name: string, input: JsonObject, session = MAIN) => proxied.run(name, input, session);
const shell = (command: string) => run("shell", { command, timeout_seconds: 120 });

async function listed(input: JsonObject = {}, session = MAIN): Promise<readonly JsonObject[]> {
  const { data, text } = await run("list_requests", input, session);
  assert(Array.isArray(data["requests"]), text);
  return data["requests"] as readonly JsonObject[];
}

test("requests of curl, Python and web_fetch are captured over http, https and HTTP/2, and shown by list_requests at once", async () => {
  const fetched = await shell(
    `curl -s '${http}/plain?a=1' -d body=1; curl -s --http2 ${https}/h2; curl -s --http1.1 ${https}/h1`,
  );
  assert.match(fetched.text, /"body=1".*secure pagesecure page/s);
  const code = `import urllib.request\nurllib.request.urlopen("${https}/python").read()`;
  assert.equal((await run("python_action", { action: "execute", code })).data["exception"], null);
  assert.match((await run("web_fetch", { url: `${https}/fetched` })).text, /secure page/);
  const requests = await listed({ sort_order: "asc" });
  assert.deepEqual(
    requests.map(({ id, method, scheme, path, query, status }) => [id, method, scheme, path, query, status]),
    [
      ["r1", "POST", "http", "/plain", "a=1", 200],
      ["r2", "GET", "https", "/h2", "", 200],
      ["r3", "GET", "https", "/h1", "", 200],
      ["r4", "GET", "https", "/python", "", 200],
      ["r5", "GET", "https", "/fetched", "", 200],
    ],
  );
  assert.match((await run("view_request", { request_id: "r2" })).text, /GET \/h2 HTTP\/2/);
  const first = (await run("view_request", { request_id: "r1" })).text;
  assert.match(first, /POST \/plain\?a=1 HTTP\/1\.1\n(?:.*\n)*\nbody=1/);
  assert.deepEqual(await listed({}, "another session"), []);
});

test("a WebSocket is noted", async () => {
  const dispatcher = new ProxyAgent((await variables()).url);
  const socket = new WebSocket(`${webSocket}/live`, { dispatcher });
  await once(socket, "open");
  socket.send("hello");
  const [{ data }] = (await once(socket, "message")) as [{ data: unknown }];
  assert.equal(data, "hello");
  socket.close();
  await once(socket, "close");
  await dispatcher.close();
  const [live] = await listed({ filter: 'req.path.eq:"/live"' });
  assert.equal(live?.["status"], 101);
});

test("an address that web_fetch may not reach is refused, also behind the proxy, and the refusal is listed", async () => {
  const { text } = await shell("curl -s http://169.254.169.254/latest; curl -sk https://10.0.0.1/x");
  assert.match(text, /did not send the request: not connecting to 169\.254\.169\.254/);
  assert.match(text, /not connecting to 10\.0\.0\.1, a private address; .*privateHosts/);
  const requests = await listed({ filter: 'resp.error.cont:"not connecting"' });
  assert.deepEqual(
    requests.map(({ host, status }) => [host, status]),
    [
      ["10.0.0.1", null],
      ["169.254.169.254", null],
    ],
  );
  assert.equal((await run("send_request", { method: "GET", url: "http://10.0.0.1/" })).code, "DENIED");
  const gone = await shell("curl -s http://127.0.0.1:1/");
  assert.match(gone.text, /did not send the request: .*ECONNREFUSED/);
});

test("compressed bodies are shown unpacked, long ones by page, and a pattern finds text in them", async () => {
  await shell(`curl -s --compressed ${http}/zip >/dev/null; curl -s ${http}/image >/dev/null`);
  const idOf = async (path: string) => (await listed({ filter: `req.path.eq:"${path}"` }))[0]?.["id"] ?? "";
  const [zip, image] = [await idOf("/zip"), await idOf("/image")];
  const view = (input: JsonObject) => run("view_request", { part: "response", ...input });
  const first = await view({ request_id: zip });
  assert.deepEqual([first.data["page"], first.data["pages"]], [1, 4]);
  assert.match((await view({ request_id: zip, page: 4 })).text, /needle"\}/);
  const found = await view({ request_id: zip, search_pattern: "ne+dle" });
  assert.equal(found.data["total"], 1);
  assert.match(found.text, /^line \d+: x+ needle/m);
  assert.match((await view({ request_id: image })).text, /20000 bytes, not stored/);
  assert.equal((await view({ request_id: zip, search_pattern: "(" })).code, "INVALID_INPUT");
  assert.match((await view({ request_id: "r99" })).text, /unknown request "r99"/);
});

test("repeat_request sends the request again with changes, credentials included, and shows no secret", async () => {
  await shell(`curl -s '${http}/order?id=1' -H 'Authorization: Bearer ${TOKEN}' -b 'a=1; b=2' -d 'amount=5'`);
  const [{ id: request_id = "" } = {}] = await listed({ filter: 'req.path.eq:"/order"' });
  const modifications = { params: { id: "2" }, cookies: { a: null, c: "3" }, body: "amount=-5" };
  const repeated = await run("repeat_request", { request_id, modifications });
  assert.match(repeated.text, /status 200/);
  const seen = JSON.parse(repeated.data["body"] as string) as JsonObject;
  const sent = { authorization: MASK, cookie: "b=2; c=3", body: "amount=-5" };
  assert.deepEqual(seen, { url: "/order?id=2", ...sent });
  assert.doesNotMatch((await run("view_request", { request_id })).text, /ghp_/);
  const [last] = await listed();
  assert.equal(last?.["by"], `repeat_request of ${request_id as string}`);
});

test("only this user can read the folder of the certificate, its key is in no file, and the proxy listens on loopback only", async () => {
  const { url, caFile } = await variables();
  const folder = dirname(caFile);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  for (const name of readdirSync(folder))
    assert.doesNotMatch(readFileSync(join(folder, name), "utf8"), /PRIVATE KEY/);
  assert.deepEqual(
    socketsOf(url).map(({ address }) => address),
    ["0100007F"],
  );
});

test("a client without the password of the proxy is refused, whatever it sends first", async () => {
  const { url } = await variables();
  const { host, password } = new URL(url);
  const open = `curl -s -o /dev/null -w '%{http_code} %{http_connect} ' --proxy`;
  const wrong = `session:${password.slice(1)}`;
  const commands = [
    `${open} http://${host} ${http}/refused -d body=1`,
    `${open} http://${wrong}@${host} ${http}/refused`,
    `${open} http://${host} ${https}/refused`,
    `${open} http://${host} http://${host}/refused`,
    // 35: the connection is closed; 28 would be the time limit.
    `curl -s --noproxy '*' -m 20 -k https://${host}/refused; printf '%s ' $?`,
    `curl -s --noproxy '*' --http2-prior-knowledge http://${host}/refused; printf '%s ' $?`,
    // As git does: the password is sent when it is demanded.
    `${open} "$HTTP_PROXY" --proxy-anyauth ${https}/accepted`,
    `${open} "$HTTP_PROXY" --proxy-anyauth ${http}/accepted -d body=1`,
  ];
  const { stdout } = (await shell(commands.join("\n"))).data;
  assert.match(stdout as string, /^407 000 407 000 000 407 407 000 35 [1-9]\d* 200 200 200 000 $/);
  assert.deepEqual(await listed({ filter: '"refused"' }), []);
  const accepted = await listed({ filter: 'req.path.eq:"/accepted"' });
  assert.equal(accepted.length, 2);
  for (const { id = "" } of accepted)
    assert.doesNotMatch((await run("view_request", { request_id: id })).text, /proxy-authorization/i);
});

test("a killed proxy is started again at the same address, with the same authority; its files go with the session", async () => {
  const first = await variables();
  const certificate = readFileSync(first.caFile, "utf8");
  process.kill(processAt(first.url), "SIGKILL");
  // Until its end is noticed, a program finds no proxy and fails.
  await untilTrue("the proxy is back", async () => {
    const { text } = await shell(`curl -s ${https}/later`);
    return text === "secure page";
  });
  assert.deepEqual(await variables(), first);
  assert.equal(readFileSync(first.caFile, "utf8"), certificate);
  assert.equal((await listed({ filter: 'req.path.eq:"/later"' })).length, 1);
  await proxied.engine.session(MAIN).close();
  assert.throws(() => statSync(dirname(first.caFile)), { code: "ENOENT" });
});

test("the proxy is off while its tools are not active", async (t) => {
  const { engine, run: runHere } = proxyEngine(t);
  engine.groups.deactivate("proxy");
  assert.equal((await runHere("shell", { command: "echo [$HTTP_PROXY]" })).text, "[]");
});

test("without the package mockttp a command that should be captured fails, and says what to install", async (t) => {
  const hide = `import { registerHooks } from "node:module";
    registerHooks({ resolve(name, context, next) {
      if (name !== "mockttp") return next(name, context);
      throw Object.assign(new Error("not found"), { code: "ERR_MODULE_NOT_FOUND" });
    } });`;
  const environment = {
    ...childEnvironment(process.env),
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(hide)}`,
  };
  const { code, text } = await proxyEngine(t, { environment }).run("shell", { command: "echo ran" });
  assert.equal(code, "UNAVAILABLE");
  assert.match(text, /needs the package mockttp.*npm install mockttp/s);
});

async function variables(): Promise<{ readonly url: string; readonly caFile: string }> {
  // In an answer the password is masked.
  assert.equal((await shell('echo "$HTTP_PROXY $SSL_CERT_FILE" > variables')).code, "ok");
  const text = readFileSync(join(proxied.root, "variables"), "utf8");
  const [url = "", caFile = ""] = text.trim().split(" ");
  return { url, caFile };
}

/** Returns the listening sockets at the port of a URL. */
function socketsOf(url: string): readonly { readonly address: string | undefined; readonly inode: string }[] {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, "0");
  const rows = ["tcp", "tcp6"].flatMap((table) =>
    readFileSync(`/proc/net/${table}`, "utf8").split("\n").slice(1),
  );
  return rows.flatMap((row) => {
    const [, local = "", , state, , , , , , inode = ""] = row.trim().split(/\s+/);
    const [address, own] = local.split(":");
    return own === port && state === "0A" ? [{ address, inode }] : [];
  });
}

/** Returns the process that listens at the port of a URL. */
function processAt(url: string): number {
  const [socket] = socketsOf(url);
  const link = `socket:[${socket?.inode}]`;
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const found = pids.find((pid) =>
    (attempt(() => readdirSync(`/proc/${pid}/fd`)) ?? []).some(
      (fd) => attempt(() => readlinkSync(`/proc/${pid}/fd/${fd}`)) === link,
    ),
  );
  assert(found !== undefined, `no process listens at ${url}`);
  return Number(found);
}
