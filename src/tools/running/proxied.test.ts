import assert from "node:assert/strict";
import { test } from "node:test";
import { provide } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import { SessionProxyKey, type SessionProxy } from "../../core/session/session-proxy.ts";
import { runningEngine } from "../../../test/support/running.ts";

const PROXY: SessionProxy = { url: "http://127.0.0.1:4444", caFile: "/ca/cert.pem", caSpki: "AAAA" };
const SHOWN = 'echo "$http_proxy $HTTPS_PROXY $SSL_CERT_FILE $CURL_CA_BUNDLE [$NO_PROXY]"';
const EXPECTED = `${PROXY.url} ${PROXY.url} ${PROXY.caFile} ${PROXY.caFile} []`;

test("commands, background processes, terminals and Python get the proxy of the session while it is on", async (t) => {
  let isOn = true;
  const { engine, run } = runningEngine(t, {
    context: [provide(SessionProxyKey, async () => (isOn ? PROXY : undefined))],
  });
  assert.equal((await run("shell", { command: SHOWN })).data["stdout"], `${EXPECTED}\n`);
  assert.match((await run("shell", { command: SHOWN, terminal_id: "t" })).text, new RegExp(PROXY.caFile));
  const python = { action: "execute", code: "import os; os.environ['HTTP_PROXY']" };
  assert.equal((await run("python_action", python)).data["value"], `'${PROXY.url}'`);
  isOn = false;
  assert.equal((await run("shell", { command: SHOWN })).data["stdout"], "    []\n");
  await engine.close();
});

test("a command does not run if the proxy that should capture it cannot start", async (t) => {
  const { run } = runningEngine(t, {
    context: [
      provide(SessionProxyKey, async () => {
        throw new ToolError("UNAVAILABLE", "the proxy did not start");
      }),
    ],
  });
  const { code, text } = await run("shell", { command: "echo ran" });
  assert.equal(code, "UNAVAILABLE");
  assert.match(text, /the proxy did not start/);
});
