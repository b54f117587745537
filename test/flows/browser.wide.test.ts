// One browser for the whole file, most pages over HTTPS: the tests depend on no page of another. Everything else is in test/long/browser.test.ts.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { isLong } from "../support/property-runs.ts";
import { textOf } from "../support/engines/engine.ts";
import { numberOf, openBrowserPlace, type BrowserPlace } from "../support/browser/browser.ts";

let place: BrowserPlace;
before(async () => (place = await openBrowserPlace()));
after(() => place.close());

const elementOf = async (name: string): Promise<number> => numberOf(await place.text("get_page"), name);
const click = async (name: string): Promise<string> =>
  place.text("click", { element: await elementOf(name) });

test("a form is filled in and sent over HTTPS; the answer says that the browser ran in a sandbox", async () => {
  const shown = await place.run("navigate", { url: `${place.secure}/form` });
  assert.ok(shown.ok, textOf(shown));
  assert.equal(shown.meta.place, "sandbox");
  assert.match(
    textOf(shown),
    /secure\.test:\d+\/form "Form"[\s\S]*\[\d+\] textbox "Name"[\s\S]*\[\d+\] button "Send"/,
  );
  assert.doesNotMatch(textOf(shown), /4711/, "what is in a password field is not shown");
  const typed = await place.text("type", { element: numberOf(textOf(shown), '"Name"'), text: "Ada" });
  assert.match(
    typed,
    /"Form"\n\n~ \[\d+\] textbox "Name"[^\n]* = Ada$/,
    "the answer has what has changed, and only that",
  );
  await place.text("type", { element: numberOf(textOf(shown), '"Size"'), text: "large" });
  await click('"News"');
  const sent = await click('"Send"');
  assert.match(sent, /secure\.test:\d+\/greet "Greeting"\n\n[^]*sent name=Ada&pin=4711&size=large&news=on/);
  const stale = await place.run("click", { element: numberOf(textOf(shown), '"Send"') });
  assert.match(
    textOf(stale),
    /there is no element \d+ on this page\nget_page shows the elements that are there now/,
  );
});

test("a page that changes its own address is followed", async () => {
  const shown = await place.text("navigate", { url: `${place.secure}/spa` });
  assert.match(shown, /heading 1 "All goods"/);
  assert.match(await click('"Cart"'), /\/cart "Shop"/);
  assert.match(await place.text("get_page"), /heading 1 "Your cart"\n *\[\d+\] button "Pay"/);
  const gone = await place.run("click", { element: numberOf(shown, '"Cart"') });
  assert.match(textOf(gone), /\(button "Cart"\) is not on the page any more/);
});

test("elements in frames and in shadow DOM are numbered and clicked", async () => {
  await place.text("navigate", { url: `${place.secure}/nested` });
  await click('"In the frame"');
  await click('"In the shadow"');
  assert.match(await place.text("get_page"), /"Frame clicked"[\s\S]*shadow clicked/);
});

test("what a page sends as a file is saved in the workspace, without the folder that it names", async () => {
  await place.text("navigate", { url: `${place.secure}/files` });
  assert.match(await click('"Report"'), /\[downloaded downloads\/\S*report\.csv \(4 bytes\)\]/);
  const again = await place.run("navigate", { url: `${place.secure}/report.csv` });
  const saved = /downloads\/(\S+-1\.csv)/.exec(textOf(again))?.[1] ?? "";
  assert.equal(readFileSync(join(place.root, "downloads", saved), "utf8"), "1,2\n");
});

test("a dialog is reported, stops other actions, and is closed by an action of its own", async () => {
  await place.text("navigate", { url: `${place.secure}/dialogs` });
  const element = await elementOf('"Delete"');
  assert.match(await place.text("click", { element }), /waits for its confirm dialog "Delete it\?"/);
  assert.match(
    textOf(await place.run("click", { element })),
    /^.*\n?Error: the page waits for its confirm dialog/,
  );
  assert.ok((await place.act("handle_dialog", { accept: false })).ok);
  assert.match(await place.text("get_page"), /\bfalse\b/);
});

test("the tree of 5 000 elements is under 10 KB, with what is in view first and the rest on further pages", async () => {
  const first = await place.text("navigate", { url: `${place.secure}/big` });
  assert.ok(Buffer.byteLength(first) < 10 * 1024, `${Buffer.byteLength(first)} bytes`);
  assert.match(
    first,
    /heading 1 "Many rows"\nRow 0\n\[\d+\] link "Open 0" -> \/row\/0\n\[\d+\] button "Delete 0"/,
  );
  const pages = Number(/page 1 of (\d+)/.exec(first)?.[1]);
  let all = first;
  // A usual run reads the second and the last page.
  for (let page = 2; page <= pages; page += isLong ? 1 : pages - 2) {
    const more = await place.text("get_page", { page });
    assert.ok(Buffer.byteLength(more) < 10 * 1024, `page ${page}: ${Buffer.byteLength(more)} bytes`);
    all += more;
  }
  for (let row = 0; row < 1666; row += isLong ? 1 : 1666)
    assert.ok(all.includes(`"Delete ${row}"`) && all.includes(`"Open ${row}"`), `row ${row}`);
  const found = await place.text("get_page", { find: "delete 1234" });
  assert.match(found, /^[^\n]*\n\n *\[\d+\] button "Delete 1234"$/);
  assert.match(
    await place.text("get_page", { find: "no such thing" }),
    /\[none of \d+ elements and texts has "no such thing"\]/,
  );
  assert.match(
    textOf(await place.run("get_page", { page: pages + 1 })),
    /no page \d+ of the elements\nthe last one is/,
  );
});

test("a page reaches no private address, whatever it tries, and the answer says so", async () => {
  const attack = await place.text("navigate", { url: `${place.origin}/attack` });
  assert.match(attack, /not connecting to 127\.0\.0\.1, a loopback address/);
  assert.match(attack, /not connecting to rebound\.test, which is 127\.0\.0\.1, a loopback address/);
  for (const url of [`${place.origin}/redirect`, place.privateOrigin]) {
    const refused = await place.run("navigate", { url });
    assert.equal(refused.ok ? "ok" : refused.error.code, "DENIED", textOf(refused));
  }
  const inPage = await place.act("execute_js", {
    js_code: `fetch("${place.privateOrigin}").then(r => r.text(), () => "refused")`,
  });
  assert.doesNotMatch(textOf(inPage), /secret/);
  await place.text("navigate", { url: `${place.secure}/form` });
  const overTls = await place.act("execute_js", {
    js_code: `fetch("${place.privateOrigin.replace("http:", "https:")}").catch(() => "refused")`,
  });
  assert.match(textOf(overTls), /"refused"[^]*not connecting to 127\.0\.0\.1, a loopback address/);
  assert.deepEqual(place.intrusions, []);
});

test("a host that does not exist, or cannot be reached, is a failure that names it", async () => {
  for (const [url, message] of [
    ["http://nowhere.invalid/", /there is no host nowhere\.invalid/],
    ["https://nowhere.invalid/", /there is no host nowhere\.invalid/],
    [place.closedOrigin, /cannot fetch from closed\.test:\d+: .*ECONNREFUSED/],
  ] as const) {
    const failed = await place.run("navigate", { url });
    assert.equal(failed.ok, false, url);
    assert.match(textOf(failed), message);
  }
  assert.match(await place.text("navigate", { url: `${place.origin}/form` }), /"Form"/);
});

test("a screenshot is an image for the model and an artifact with an id", async () => {
  await place.text("navigate", { url: `${place.origin}/form` });
  const { content, ...shot } = await place.run("screenshot", { full_page: true });
  const image = content.find((one) => one.type === "image");
  assert.ok(shot.ok && image !== undefined);
  const id = (shot.data as { screenshot_id: string }).screenshot_id;
  assert.match(
    await place.text("read_artifact", { id, start: 0, length: 40 }),
    /data:image\/jpeg;base64,\/9j/,
  );
  assert.match(Buffer.from(image.data, "base64").subarray(0, 3).toString("hex"), /^ffd8ff/);
});
