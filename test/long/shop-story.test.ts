// A security assessment from the first page to the report: browser, proxy and reports in one session of an agent.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { loadConfig } from "../../src/app/config/config.ts";
import type { Config } from "../../src/app/config/groups.ts";
import { chooseSandbox } from "../../src/app/host/sandbox/sandbox.ts";
import type { JsonObject } from "../../src/core/json.ts";
import type { ModelRequest } from "../../src/core/agent/model.ts";
import { createPolicy } from "../../src/policy/policy.ts";
import { createMemoryArtifacts } from "../../src/store/in-memory.ts";
import { childEnvironment } from "../../src/system/process/environment.ts";
import { builtInContext } from "../../src/tools/built-in-context.ts";
import { browserTools } from "../../src/tools/browser/family.ts";
import { builtInTools } from "../../src/tools/built-in.ts";
import { openAgent } from "../support/agents/agent.ts";
import { numberOf } from "../support/browser/browser.ts";
import { call, textOf } from "../support/engines/engine.ts";
import type { FakeAnswer } from "../support/models/fake-model.ts";
import { CERTIFICATE, trustSecureServer } from "../support/servers/secure-server.ts";
import { startShop, TOKEN, type Shop } from "../support/servers/shop.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** What the model has seen: the text of the last results. */
function lastOf({ messages }: ModelRequest): string {
  const last = messages.at(-1);
  return last?.role === "tool" ? last.results.map(textOf).join("\n") : "";
}

const found = (text: string, pattern: RegExp): string => {
  const value = pattern.exec(text)?.[1];
  assert.ok(value !== undefined, `${String(pattern)} in:\n${text}`);
  return value;
};

const step = (name: string, input: JsonObject = {}): FakeAnswer => ({ calls: [{ name, input }] });

/** The script of the model: it yields an answer, and gets the text of its results. */
function* storyOf({ origin, secure }: Shop): Generator<FakeAnswer, FakeAnswer, string> {
  const home = yield step("navigate", { url: origin });
  yield step("click", { element: numberOf(home, '"Sign in"') });
  const form = yield step("get_page");
  yield step("type", { element: numberOf(form, '"User"'), text: "ada" });
  yield step("type", { element: numberOf(form, '"Password"'), text: "secret-4711", submit: true });
  // The page fetches its order when it has loaded.
  for (let tries = 0; !(yield step("get_page")).includes("You ordered: Lamp"); tries += 1) {
    assert.ok(tries < 30, "the order is shown");
    yield step("browser_action", { action: "wait", duration: 1 });
  }
  const screenshot = found(yield step("screenshot"), /\[screenshot (art_\w+)\]/);
  const filter = 'req.path.cont:"/api/" AND resp.code.eq:200';
  const request = found(yield step("list_requests", { filter }), /^(r\d+) .*\/api\/orders\/1001/m);
  assert.match(yield step("view_request", { request_id: request, part: "response" }), /"owner":"ada"/);
  const modifications = { url: `${secure}/api/orders/1002` };
  const answer = yield step("repeat_request", { request_id: request, modifications });
  assert.match(answer, /"owner":"bob"/);
  const repeated = found(answer, /^\[(r\d+): status 200/m);
  yield step("create_note", { title: "Orders", content: `Ada can read the order of Bob: ${repeated}` });
  yield step("create_vulnerability_report", {
    title: "Orders of other customers can be read",
    description: "The owner of an order is not compared with the login.",
    impact: "Every customer can read all orders.",
    target: secure,
    technical_analysis: "`/api/orders/ID` only checks that there is a login.",
    poc_description: "Sign in and ask for another number.",
    poc_script: `curl -b session=ada ${secure}/api/orders/1002`,
    remediation_steps: "Compare the owner.",
    cvss_vector: "AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:N/A:N",
    request_ids: [request, repeated],
    screenshot_ids: [screenshot],
  });
  const text = yield step("finish_scan", {
    executive_summary: "One finding.",
    methodology: "By browser and proxy.",
    technical_analysis: "Access is not checked.",
    recommendations: "Check it.",
  });
  return { text };
}

test("an agent browses a shop through the proxy, finds its flaw by repeating a request, and reports it with evidence", async (t) => {
  const shop = await startShop(t);
  const { agent, run } = await openStory(t, shop);
  const outcome = await agent.send("Assess the shop.");
  assert.equal(outcome.kind, "answered", JSON.stringify(outcome));
  const files = found(outcome.kind === "answered" ? outcome.text : "", /1 medium\n([^]*)/).split("\n");
  const [markdown = "", json = "", html = ""] = files.map((file) => readFileSync(file, "utf8"));
  for (const text of [markdown, json, html]) {
    assert.match(text, /Orders of other customers can be read/);
    assert.match(text, /GET \/api\/orders\/1002 HTTP/);
    assert.ok(!text.includes(TOKEN), "secrets are masked");
  }
  assert.match(markdown, /!\[Screenshot art_\w+\]\(vuln-\w+-1\.jpg\)/);
  assert.match(html, /<img alt="Screenshot art_\w+" src="data:image\/jpeg;base64,\/9j/);
  assert.match(textOf(await run("list_notes", {})), /Ada can read the order of Bob: r\d+/);

  const listed = textOf(await run("list_requests", { sort_order: "asc" }));
  for (const line of [
    `GET ${shop.origin}/ -> 200`,
    `GET ${shop.secure}/login -> 200`,
    `POST ${shop.secure}/login -> 303`,
  ])
    assert.ok(listed.includes(line), `${line} in:\n${listed}`);

  const others = `NOT req.host.eq:"localhost"`;
  assert.match(
    textOf(await run("list_requests", { filter: others })),
    /none of the \d+ captured/,
    "only what pages ask for",
  );

  // What the shop sent does not run in the report, even without the policy of the page.
  shop.show(html.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, ""));
  await run("navigate", { url: `${shop.origin}/shown` });
  const js = async (js_code: string) =>
    textOf(await run("browser_action", { action: "execute_js", js_code }));
  assert.match(
    await js("document.title + ' ' + document.querySelector('img').naturalWidth"),
    /"Security assessment [1-9]\d+"/,
  );
  assert.match(await js("document.body.innerText.includes('<script>document.title')"), /\btrue\b/);

  // Programs in a sandbox with a network go through the proxy too, and trust it.
  const inBox = await run("shell", {
    command: `curl -sw '%{http_code}\\n' ${shop.secure}/api/orders/curl; node -e 'fetch("${shop.secure}/api/orders/node").then(({ status }) => console.log(status))'`,
    timeout_seconds: 60,
  });
  assert.deepEqual([textOf(inBox), inBox.meta.place], ["404\n404", "sandbox"]);
  const captured = textOf(
    await run("list_requests", { filter: 'req.path.cont:"/api/orders/" AND resp.code.eq:404' }),
  );
  assert.match(captured, /orders\/node[^]*orders\/curl/);

  // Rules and the guard hold behind the proxy.
  const { port } = new URL(shop.origin);
  const refused = (host: string) =>
    js(`fetch("http://${host}:${port}/refused", { mode: "no-cors" }).catch(() => 0)`);
  assert.match(await refused("denied.test"), /not connecting to denied\.test, which a rule denies/);
  assert.match(await refused("127.0.0.2"), /not connecting to 127\.0\.0\.2, a loopback address/);
  assert.ok(!shop.paths.includes("/refused"));
  assert.match(textOf(await run("list_requests", { filter: '"/refused"' })), /none of the \d+ captured/);
});

async function openStory(t: TestContext, shop: Shop) {
  const root = temporaryFolder(t);
  const trusted = join(temporaryFolder(t), "shop.pem");
  writeFileSync(trusted, CERTIFICATE);
  trustSecureServer(t);
  const options = {
    root,
    environment: { ...childEnvironment(process.env), NODE_EXTRA_CA_CERTS: trusted },
    reportsFolder: join(root, ".kept"),
    web: { privateHosts: ["localhost", "127.0.0.1"], ports: [Number(new URL(shop.origin).port)] },
  };
  const { sandbox } = await chooseSandbox(configOf(root));
  const rules = [{ group: "browser", domain: "denied.test", decision: "deny" }] as const;
  const story = storyOf(shop);
  const { agent, engine } = await openAgent(t, (request) => story.next(lastOf(request)).value, {
    engine: {
      policy: createPolicy({
        mode: "yolo",
        workspace: [root],
        layers: [{ name: "user", mayAllow: true, rules }],
      }),
      artifacts: createMemoryArtifacts(),
      executors: sandbox === undefined ? [] : [sandbox.executor],
      context: builtInContext(options),
      tools: [...builtInTools(options), ...browserTools(options)],
    },
  });
  for (const group of ["browser", "proxy", "agents"]) engine.groups.activate(group);
  const run = (name: string, input: JsonObject) => engine.run(call(name, input), { session: "s" });
  return { agent, run };
}

function configOf(root: string): Config {
  const place = { cwd: root, variables: { PATH: process.env["PATH"] ?? "" }, userHome: root };
  const config = loadConfig({ sandbox: "bubblewrap", store: ":memory:" }, place);
  const { kind, options } = config.sandbox;
  return { ...config, sandbox: { kind, options: { ...options, network: true } } };
}
