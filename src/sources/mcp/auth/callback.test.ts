import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { openCallback } from "./callback.ts";

const SIGNAL = new AbortController().signal;

for (const path of [
  "//",
  "http://[",
  "/favicon.ico",
  "/callback/more?state=mine",
  "/callback?code=c",
  "/callback?state=another&code=c",
  "/callback?state=another&error=access_denied",
]) {
  test(`${path} is not the redirect, and the login continues`, async (t) => {
    const callback = await openCallback({ port: 0, timeoutMs: 5000, state: "mine" });
    t.after(() => callback.close());
    const socket = connect(Number(new URL(callback.url).port), "127.0.0.1");
    await once(socket, "connect");
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    assert.match(await text(socket), /^HTTP\/1\.1 40[04] /);
    const answer = callback.answer(SIGNAL);
    assert.equal((await fetch(`${callback.url}?state=mine&code=c`)).status, 200);
    assert.equal((await answer).get("code"), "c");
  });
}
