// Every action of the browser, and browsers and engines that are killed: about a minute.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createPolicy } from "../../src/policy/policy.ts";
import { endOrphans } from "../../src/system/process/orphans.ts";
import { removeAbandonedFolders } from "../../src/system/process/temporary-folder.ts";
import { browserPids, numberOf, openBrowserPlace, type BrowserPlace } from "../support/browser/browser.ts";
import { codeOf, textOf } from "../support/engines/engine.ts";
import { untilTrue } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

let place: BrowserPlace;
before(async () => (place = await openBrowserPlace()));
after(() => place.close());

const act = async (action: string, more = {}): Promise<string> => {
  const result = await place.act(action, more);
  assert.ok(result.ok, `${action}: ${textOf(result)}`);
  return textOf(result);
};
const elementOf = async (name: string): Promise<number> => numberOf(await place.text("get_page"), name);

test("every action of browser_action works on real pages", async () => {
  assert.match(
    await act("launch", { url: `${place.origin}/form` }),
    /"Form"\n\n[\s\S]*\[\d+\] textbox "Name"/,
  );
  const plain = await place.act("wait", { duration: 0 });
  assert.ok(
    plain.content.every(({ type }) => type === "text"),
    "an image only when it is wanted",
  );
  const shot = await place.act("wait", { duration: 0, screenshot: true });
  assert.ok(shot.content.some(({ type }) => type === "image"));
  assert.match(textOf(shot), /\[nothing on the page has changed\]\n\[screenshot art_/);
  await act("click", { element: await elementOf('"Name"') });
  await act("type", { text: "Ada" });
  await act("press_key", { key: "Enter" });
  assert.match(await place.text("get_page"), /sent name=Ada/);
  await act("back");
  assert.match(await act("forward"), /\/greet/);
  assert.match(await act("goto", { url: `${place.origin}/big` }), /"Big"/);
  await act("scroll_down");
  assert.match(await act("execute_js", { js_code: "const y = scrollY; return y > 100" }), /\btrue\b/);
  await act("scroll_up");
  await act("hover", { coordinate: "20,20" });
  await act("double_click", { coordinate: "20,20" });
  assert.match(await act("new_tab", { url: `${place.origin}/log` }), /^.*\n?t2: .*"Log"/);
  assert.match(await act("get_console_logs"), /warning: careful[\s\S]*error: uncaught ReferenceError/);
  assert.match(await act("view_source"), /undefinedFunction/);
  assert.match(await act("list_tabs"), /t1: .*\nt2: .*\(shown\)/);
  await act("switch_tab", { tab_id: "t1" });
  assert.doesNotMatch(await act("close_tab", { tab_id: "t2" }), /t2/);
  await act("wait", { duration: 0.1 });
  assert.match(await act("save_pdf", { path: "page.pdf" }), /saved page\.pdf/);
  assert.match(readFileSync(join(place.root, "page.pdf"), "latin1"), /^%PDF/);
  assert.match(textOf(await place.act("switch_tab", { tab_id: "t9" })), /no tab "t9"; open: t1/);
  assert.equal(codeOf(await place.act("click")), "INVALID_INPUT");
  assert.equal(codeOf(await place.act("goto", { url: "file:///etc/passwd" })), "INVALID_INPUT");
});

test("a file of the workspace is sent, through a field and through a button that asks for one", async () => {
  writeFileSync(join(place.root, "a.txt"), "hello");
  await place.text("navigate", { url: `${place.origin}/files` });
  for (const name of ['"Upload"', '"Choose"']) {
    await act("upload_file", { element: await elementOf(name), path: "a.txt" });
    assert.match(await place.text("get_page"), /a\.txt: hello/);
  }
});

test("a tab that a page opens is shown, and prompts are answered", async () => {
  await place.text("navigate", { url: `${place.origin}/popup` });
  assert.match(
    await place.text("click", { element: await elementOf('"Open"') }),
    /^(t\d+): .*\/slow "Slow"\n\n[\s\S]*\n\[the page opened the tab \1, which is shown now\]$/,
  );
  const closed = await act("execute_js", { js_code: "const tab = open('/form'); tab.close(); return 1" });
  assert.doesNotMatch(closed, /shown now/);
  await place.text("navigate", { url: `${place.origin}/dialogs` });
  await place.text("click", { element: await elementOf('"Ask"') });
  await act("handle_dialog", { text: "Ada" });
  assert.match(await place.text("get_page"), /\bAda\b/);
});

test("a browser that is killed during a call gives one answer, and the next navigation starts another and says so", async () => {
  await place.text("navigate", { url: `${place.origin}/hang` });
  const hanging = place.run("click", { element: await elementOf('"Hang"') });
  for (const pid of ownBrowsers()) kill(pid);
  assert.equal(codeOf(await hanging), "TOOL_CRASHED");
  await untilTrue("no browser runs", () => ownBrowsers().length === 0);
  assert.match(
    textOf(await place.run("get_page")),
    /no page is open: the browser has ended, it crashed or was killed/,
  );
  assert.match(
    await place.text("navigate", { url: `${place.origin}/form` }),
    /started again, since it crashed or was killed/,
  );
});

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    // It ended with one that was killed before it.
    assert.equal((error as NodeJS.ErrnoException).code, "ESRCH");
  }
}

function ownBrowsers(): readonly number[] {
  return browserPids("TOOLWRIGHT_CALL=").filter((pid) => isBelow(pid, process.pid));
}

function isBelow(pid: number, ancestor: number): boolean {
  for (let at = pid; at > 1; at = parentOf(at)) if (at === ancestor) return true;
  return false;
}

function parentOf(pid: number): number {
  if (!existsSync(`/proc/${pid}/status`)) return 0;
  return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
}

test("an engine that is killed leaves no browser, and the next start no folder of one", async (t) => {
  const [folder, temporary] = [temporaryFolder(t), temporaryFolder(t)];
  const child = spawn(process.execPath, [join(import.meta.dirname, "../flows/browser-owner.ts"), folder], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, TMPDIR: temporary },
  });
  t.after(() => child.kill("SIGKILL"));
  const below = (): readonly number[] =>
    browserPids("TOOLWRIGHT_CALL=").filter((pid) => isBelow(pid, child.pid ?? 0));
  await once(child.stdout, "data");
  const browsers = below();
  assert.ok(browsers.length > 0);
  child.kill("SIGKILL");
  await once(child, "exit");
  await endOrphans(folder);
  await untilTrue("no browser runs", () => browsers.every((pid) => !existsSync(`/proc/${pid}`)));
  await removeAbandonedFolders([temporary]);
  // The child's own pages are there: it is no program of Toolwright.
  assert.deepEqual(
    readdirSync(temporary).filter((name) => !name.startsWith("toolwright-test-")),
    [],
  );
});

test("a domain rule holds for pages and for what they load", async (t) => {
  const rules = [{ domain: "secure.test", decision: "deny" }] as const;
  const strict = await openBrowserPlace({
    engine: {
      policy: createPolicy({
        mode: "yolo",
        workspace: [],
        layers: [{ name: "user", mayAllow: true, rules }],
      }),
    },
  });
  t.after(() => strict.close());
  assert.equal(codeOf(await strict.run("navigate", { url: `${strict.secure}/form` })), "DENIED");
  await strict.text("navigate", { url: `${strict.origin}/form` });
  const loaded = await strict.act("execute_js", {
    js_code: `fetch("${strict.secure}/form", { mode: "no-cors" }).then(() => "reached", () => "refused")`,
  });
  assert.match(textOf(loaded), /"refused"[\s\S]*not connecting to secure\.test, which a rule denies/);
});

test("a path rule holds for downloads", async (t) => {
  const rules = [{ path: "**/downloads/*.csv", access: "write", decision: "deny" }] as const;
  const layers = [{ name: "user", mayAllow: true, rules }];
  const strict = await openBrowserPlace({
    engine: { policy: createPolicy({ mode: "yolo", workspace: [], layers }) },
  });
  t.after(() => strict.close());
  const refused = await strict.text("navigate", { url: `${strict.origin}/report.csv` });
  assert.match(refused, /report\.csv was not saved: a rule denies writing downloads\//);
  assert.ok(!existsSync(join(strict.root, "downloads")));
});

test("an idle browser is closed, and started again by the next navigation", async (t) => {
  const others = ownBrowsers().length;
  const idle = await openBrowserPlace({ browser: { idleSeconds: 1 } });
  t.after(() => idle.close());
  await idle.text("navigate", { url: `${idle.origin}/form` });
  await untilTrue("the browser is closed", () => ownBrowsers().length <= others);
  assert.match(
    await idle.text("navigate", { url: `${idle.origin}/form` }),
    /closed after 1 s without a call: its logins are kept/,
  );
});
