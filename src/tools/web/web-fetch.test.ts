import assert from "node:assert/strict";
import { test } from "node:test";
import { call, codeOf, textOf } from "../../../test/support/engines/engine.ts";
import { fakeModel } from "../../../test/support/models/fake-model.ts";
import { pdf } from "../../../test/support/files/pdf.ts";
import { webEngine } from "../../../test/support/servers/web.ts";
import { startWebServer } from "../../../test/support/servers/web-server.ts";
import type { ApprovalRequest } from "../../core/approval.ts";
import type { ToolResult } from "../../core/result.ts";
import { createPolicy } from "../../policy/policy.ts";
import { createEngine } from "../../engine/engine.ts";
import { webTools } from "./family.ts";

const HTML = { "content-type": "text/html; charset=utf-8" };
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==",
  "base64",
);

function failureOf(result: ToolResult) {
  assert.ok(!result.ok, "the call should have failed");
  return result.error;
}

test("a page is returned as Markdown, fenced as untrusted", async (t) => {
  const { run, origin } = await webEngine(t, (_, response) =>
    response.writeHead(200, HTML).end("<h1>Title</h1><p>One <b>two</b>.</p>"),
  );
  const result = await run("web_fetch", { url: origin });
  assert.ok(result.ok);
  assert.equal(textOf(result), "## Title\n\nOne **two**.");
  assert.match(JSON.stringify(result.content), /untrusted/);
  assert.deepEqual(result.data, {
    url: `${origin}/`,
    status: 200,
    bytes: 36,
    content_type: "text/html; charset=utf-8",
  });
});

test("each kind of content has its form", async (t) => {
  const bodies: Readonly<Record<string, readonly [string, string | Buffer]>> = {
    "/json": ["application/problem+json", '{"a":[1]}'],
    "/broken": ["application/json", "{oops"],
    "/text": ["text/plain", "plain\n<b>not markup</b>"],
    "/latin": ["text/html; charset=iso-8859-1", Buffer.from("<p>caf\xe9</p>", "latin1")],
    "/meta": [
      "text/html",
      Buffer.from('<html><head><meta charset="windows-1251"></head><body>\xcf</body></html>', "latin1"),
    ],
    "/utf16": ["text/plain", Buffer.from("\ufeffdéjà", "utf16le")],
    "/guessed": ["", "<!doctype html><p>page</p>"],
  };
  const { run, origin } = await webEngine(t, ({ url = "" }, response) => {
    const [type = "", body = ""] = bodies[url] ?? [];
    response.writeHead(200, type === "" ? {} : { "content-type": type }).end(body);
  });
  const expected = {
    "/json": '{\n  "a": [\n    1\n  ]\n}',
    "/broken": "{oops",
    "/text": "plain\n<b>not markup</b>",
    "/latin": "café",
    "/meta": "П",
    "/utf16": "déjà",
    "/guessed": "page",
  };
  for (const [path, text] of Object.entries(expected))
    assert.equal(textOf(await run("web_fetch", { url: origin + path })), text, path);
});

test("images are images, a PDF is its text, other binary files are an error", async (t) => {
  const { run, origin } = await webEngine(t, ({ url }, response) => {
    if (url === "/pdf") response.end(pdf(["First page", "Second page"]));
    else response.end(url === "/png" ? PNG : Buffer.from([0, 1, 2, 3]));
  });
  const { content } = await run("web_fetch", { url: `${origin}/png` });
  assert.deepEqual(content.at(-1), { type: "image", data: PNG.toString("base64"), mimeType: "image/png" });
  assert.match(textOf(await run("web_fetch", { url: `${origin}/pdf` })), /\[page 1 of 2\]/);
  assert.match(
    failureOf(await run("web_fetch", { url: `${origin}/bin` })).message,
    /is a binary file \(of no type\)/,
  );
});

test("a long page is cut at a line, and read_artifact continues exactly there", async (t) => {
  const lines = Array.from({ length: 400 }, (_, index) => `line ${index} é`);
  const { run, origin } = await webEngine(t, (_, response) =>
    response.writeHead(200, { "content-type": "text/plain; charset=utf-8" }).end(lines.join("\n")),
  );
  const result = await run("web_fetch", { url: origin, max_chars: 1000 });
  const [, id, start] = /read_artifact id="([^"]+)" start=(\d+)/.exec(textOf(result)) ?? [];
  const first = textOf(result).split("\n\n").slice(1).join("\n\n");
  assert.ok(first.length <= 1000 && first.endsWith("é"));
  assert.equal(result.meta.truncated?.total, lines.join("\n").length);
  const rest = await run("read_artifact", { id: id ?? "", start: Number(start), length: 9000 });
  const continued = textOf(rest).split("\n").slice(1).join("\n");
  assert.equal(first + continued, lines.join("\n"));
});

test("a page that has not changed is not sent again in the same session", async (t) => {
  const { run, origin, requests } = await webEngine(t, ({ headers }, response) => {
    if (headers["if-none-match"] === '"1"') response.writeHead(304).end();
    else response.writeHead(200, { etag: '"1"', "content-type": "text/plain" }).end("same");
  });
  for (let time = 0; time < 3; time += 1)
    assert.equal(textOf(await run("web_fetch", { url: origin })), "same");
  assert.deepEqual(
    requests.map(({ headers }) => headers["if-none-match"]),
    [undefined, '"1"', '"1"'],
  );
});

test("a redirect to another host is reported", async (t) => {
  const { run, origin } = await webEngine(t, (_, response) =>
    response.writeHead(302, { location: "https://other.example/page" }).end(),
  );
  const result = await run("web_fetch", { url: origin });
  assert.ok(result.ok);
  assert.match(
    textOf(result),
    /redirects to https:\/\/other\.example\/page\. To read it, fetch that address\./,
  );
});

test("an answer of 404 or 500 is a failure with what the page says", async (t) => {
  const { run, origin } = await webEngine(t, ({ url }, response) =>
    response.writeHead(url === "/gone" ? 404 : 500, HTML).end("<p>Nothing here.</p>"),
  );
  const gone = failureOf(await run("web_fetch", { url: `${origin}/gone` }));
  assert.deepEqual([gone.code, gone.hint], ["TOOL_FAILED", "its page says: Nothing here."]);
  assert.equal(failureOf(await run("web_fetch", { url: `${origin}/x` })).code, "UNAVAILABLE");
});

test("what is no URL, an unknown scheme and a wrong selector are refused with a reason", async (t) => {
  const { run, origin } = await webEngine(t, (_, response) => response.writeHead(200, HTML).end("<p>a</p>"));
  assert.match(failureOf(await run("web_fetch", { url: "not a url" })).message, /expected a URL/);
  assert.match(
    failureOf(await run("web_fetch", { url: "file:///etc/passwd" })).message,
    /only http and https/,
  );
  assert.match(
    failureOf(await run("web_fetch", { url: origin, selector: "p[" })).message,
    /is not a CSS selector/,
  );
  assert.match(failureOf(await run("web_fetch", { url: origin, selector: "h1" })).message, /matches nothing/);
});

test("a question about a page is answered by the small model, which gets no tools", async (t) => {
  const model = fakeModel(() => ({ text: "It is about queues." }));
  const { run, origin } = await webEngine(
    t,
    (_, response) => response.writeHead(200, HTML).end("<p>Queues grow.</p>"),
    { openSmallModel: () => Promise.resolve(model) },
  );
  const result = await run("web_fetch", { url: origin, prompt: "What is it about?" });
  assert.equal(textOf(result), "It is about queues.");
  const [request] = model.requests;
  assert.match(JSON.stringify(request?.messages), /What is it about\?.*Queues grow\./);
  assert.deepEqual(request?.tools, []);
});

test("without a small model a question gets the page and says why", async (t) => {
  const { run, origin } = await webEngine(t, (_, response) =>
    response.writeHead(200, HTML).end("<p>Text.</p>"),
  );
  const text = textOf(await run("web_fetch", { url: origin, prompt: "What?" }));
  assert.match(text, /no small model is configured.*\n\nText\.$/);
});

test("in mode auto a host needs approval, unless a rule, a grant or the config covers it", async (t) => {
  const asked: string[] = [];
  const engine = createEngine({
    policy: createPolicy({
      mode: "auto",
      // Another test has the text of pages that came before.
      afterUntrustedText: "off",
      workspace: ["/"],
      home: "/",
      layers: [
        {
          name: "user",
          mayAllow: true,
          rules: [
            { domain: "ruled.test", decision: "allow" },
            { domain: ["denied.test", "*.denied.test"], decision: "deny" },
          ],
        },
      ],
    }),
    approver: {
      ask: ({ facts }) => {
        asked.push(...facts.flatMap((fact) => (fact.kind === "host" ? [fact.host] : [])));
        return Promise.resolve({ approved: false, reason: "no" });
      },
    },
    tools: webTools({
      root: "/",
      web: { trustedHosts: ["docs.test"], resolve: () => Promise.reject(new Error("no such name")) },
    }),
  });
  t.after(() => engine.close());
  for (const host of ["open.test", "ruled.test", "docs.test", "docs.test.evil.test"])
    await engine.run(call("web_fetch", { url: `https://${host}/` }));
  assert.deepEqual(asked, ["open.test", "docs.test.evil.test"]);
  // Rules see the host as the client parses it.
  for (const url of ["https://RULED.test./", "https://ruled.test.evil.test/"])
    await engine.run(call("web_fetch", { url }));
  assert.deepEqual(asked.slice(2), ["ruled.test.evil.test"]);
  const named = await engine.run(call("web_fetch", { url: "https://ruled.test@evil.test/" }));
  assert.equal(codeOf(named), "DENIED");
  for (const host of ["DENIED.test", "denied.test.", "a.denied.test", "ruled.test@denied.test"])
    assert.equal(codeOf(await engine.run(call("web_fetch", { url: `https://${host}/` }))), "DENIED", host);
  assert.equal(asked.length, 3);
});

test("what the settings refuse is refused before anyone is asked, and explain says so", async (t) => {
  const { run, engine } = await webEngine(t, () => undefined, {
    web: { blockedDomains: ["ads.example", "*.ads.example"] },
  });
  for (const url of ["https://ads.example/", "https://a.ads.example/", "https://free.example:9999/"]) {
    const { fault, verdict } = await engine.explain(call("web_fetch", { url }));
    assert.deepEqual([fault?.code, verdict], ["DENIED", undefined], url);
    assert.equal(codeOf(await run("web_fetch", { url })), "DENIED");
  }
});

test("a text that begins with many comments is read at once", async (t) => {
  const comments = "<!---->".repeat(200);
  const { run, origin } = await webEngine(t, (_, response) =>
    response.writeHead(200, { "content-type": "text/plain" }).end(comments),
  );
  assert.equal(textOf(await run("web_fetch", { url: origin })), comments);
});

test("JSON that would be far longer when indented is returned as it is", async (t) => {
  const nested = `${"[".repeat(2000)}${"1,".repeat(10_000)}1${"]".repeat(2000)}`;
  const { run, origin } = await webEngine(t, (_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(nested),
  );
  assert.equal(textOf(await run("web_fetch", { url: origin, max_chars: 50_000 })), nested);
});

test("the domain grant that an approval offers covers the next page of the host, and no other host", async (t) => {
  const { port, origin } = await startWebServer(t, ({ url }, response) => response.end(url));
  const asked: ApprovalRequest[] = [];
  const engine = createEngine({
    policy: createPolicy({ mode: "auto", workspace: ["/"], home: "/", afterUntrustedText: "off" }),
    approver: {
      ask(request) {
        asked.push(request);
        return Promise.resolve({ approved: true, scope: "session" });
      },
    },
    tools: webTools({
      root: "/",
      web: {
        resolve: () => Promise.resolve(["127.0.0.1"]),
        privateHosts: [`127.0.0.1:${port}`],
        ports: [port],
      },
    }),
  });
  t.after(() => engine.close());
  const read = (url: string) => engine.run(call("web_fetch", { url }), { session: "s" });
  assert.equal(textOf(await read(`${origin}/a`)), "/a");
  assert.equal(textOf(await read(`${origin}/b`)), "/b");
  const domains = (): unknown => asked.map(({ grant }) => grant?.domain);
  assert.deepEqual(domains(), [["127.0.0.1"]]);
  assert.equal(textOf(await read(`http://other.test:${port}/c`)), "/c");
  assert.deepEqual(domains(), [["127.0.0.1"], ["other.test"]]);
});
