import assert from "node:assert/strict";
import { readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { proxyEngine } from "../../../test/support/browser/proxy.ts";
import { startWebServer } from "../../../test/support/servers/web-server.ts";
import { MASK } from "../../secrets/mask.ts";

const TOKEN = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
const IMAGE = Buffer.from("ffd8ffe000104a464946", "hex");
const FINDING = {
  title: "Orders of others <b>",
  description: "See `r1`.",
  impact: "All orders.",
  target: "https://shop.example",
  technical_analysis: "No check:\n\n```js\nif (a < b) get(id)\n```\n\nThat is **all**.",
  poc_description: "Change the number.",
  poc_script: `curl -H 'Authorization: Bearer ${TOKEN}'`,
  remediation_steps: "Check the owner.",
  cvss_vector: "AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:N/A:N",
};
const TEXTS = { executive_summary: "e", methodology: "m", technical_analysis: "t", recommendations: "r" };
const PAGE = `<script>alert(1)</script> \`\`\` <img src=x onerror=alert(2)> ${TOKEN}`;

async function open(t: TestContext) {
  const { origin } = await startWebServer(t, ({ url }, response) =>
    response.end(url === "/long" ? "x".repeat(10_000) : PAGE),
  );
  const { run, artifacts } = proxyEngine(t);
  const send = (path: string) => run("send_request", { method: "GET", url: `${origin}${path}` });
  const store = async (text: string): Promise<string> => {
    const writer = artifacts.create();
    await writer.write(text);
    await writer.close();
    return writer.id;
  };
  const files = async (name: string, input: Parameters<typeof run>[1]) => {
    const { data, text } = await run(name, input);
    assert.ok(data["files"], text);
    return data["files"] as { readonly markdown: string; readonly json: string; readonly html: string };
  };
  return { origin, run, send, store, files };
}

test("what a finding cites is shown in the report, as Markdown and in one HTML file, and secrets are masked", async (t) => {
  const { origin, send, store, files } = await open(t);
  await send("/order?id=2");
  const screenshot = await store(`data:image/jpeg;base64,${IMAGE.toString("base64")}`);
  const cited = { request_ids: ["r1", "r1"], screenshot_ids: [screenshot] };
  const finding = await files("create_vulnerability_report", { ...FINDING, ...cited });
  const markdown = readFileSync(finding.markdown, "utf8");
  assert.ok(markdown.includes(`Request r1: GET ${origin}/order?id=2\n\n\`\`\`\nGET /order?id=2 HTTP/1.1`));
  assert.ok(markdown.includes(`\n\`\`\`\`\nHTTP/1.1 200\n`), "the fence is longer than what is in it");
  const [, file = ""] = new RegExp(`!\\[Screenshot ${screenshot}\\]\\((.*)\\)`).exec(markdown) ?? [];
  const image = join(dirname(finding.markdown), file);
  assert.deepEqual(readFileSync(image), IMAGE);
  assert.equal(statSync(image).mode & 0o777, 0o600);
  const report = await files("finish_scan", { ...TEXTS, ...cited });
  const html = readFileSync(report.html, "utf8");
  assert.equal(html.split(`src="data:image/jpeg;base64,${IMAGE.toString("base64")}"`).length, 3);
  assert.equal(html.split("&lt;script&gt;alert(1)").length, 3);
  assert.doesNotMatch(html, /<script|<img src=x|(?:src|href)="(?!data:|#part-\d+")/);
  assert.match(html, /<h3 id="part-\d+">Orders of others &lt;b&gt;<\/h3>/);
  assert.match(html, /<pre>if \(a &lt; b\) get\(id\)<\/pre>\n<p>That is <b>all<\/b>\.<\/p>/);
  for (const path of [finding.markdown, finding.json, report.markdown, report.json, report.html]) {
    const text = readFileSync(path, "utf8");
    assert.ok(!text.includes(TOKEN) && text.includes(MASK), path);
  }
});

test("a long response is cut, and a screenshot whose file was removed is named as missing", async (t) => {
  const { send, store, files } = await open(t);
  await send("/long");
  const screenshot = await store(`data:image/jpeg;base64,${IMAGE.toString("base64")}`);
  const cited = { request_ids: ["r1"], screenshot_ids: [screenshot] };
  const { markdown, json } = await files("create_vulnerability_report", { ...FINDING, ...cited });
  const text = readFileSync(markdown, "utf8");
  assert.match(text, /\n\[\d+ more characters\]\n/);
  assert.ok(text.length < 6000);
  const { evidence } = JSON.parse(readFileSync(json, "utf8")) as {
    readonly evidence: { readonly screenshots: readonly { readonly file: string }[] };
  };
  for (const { file } of evidence.screenshots) rmSync(join(dirname(json), file));
  const { html } = await files("finish_scan", TEXTS);
  assert.match(readFileSync(html, "utf8"), new RegExp(`\\[Screenshot ${screenshot} is missing\\]`));
});

test("an unknown id is refused with the ids that there are, and nothing is reported", async (t) => {
  const { run, send, store } = await open(t);
  const report = (cited: object) => run("create_vulnerability_report", { ...FINDING, ...cited });
  assert.match((await report({ request_ids: ["r9"] })).text, /unknown request "r9"\nno request was captured/);
  await send("/a");
  await send("/b");
  assert.match(
    (await report({ request_ids: ["r9"] })).text,
    /unknown request "r9"\nlist_requests shows the ids, from r1 to r2/,
  );
  assert.match(
    (await report({ screenshot_ids: ["art_1"] })).text,
    /unknown screenshot "art_1"\nthis session has taken none: screenshot takes one/,
  );
  const other = await store("data:text/html;base64,AAAA");
  assert.match((await report({ screenshot_ids: [other] })).text, /is no screenshot/);
  assert.match((await run("finish_scan", { ...TEXTS, request_ids: ["r7"] })).text, /unknown request "r7"/);
  assert.match((await run("finish_scan", TEXTS)).text, /no vulnerabilities/);
});
