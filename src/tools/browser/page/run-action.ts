import { constants } from "node:fs";
import { basename } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { ToolContext } from "../../../core/context.ts";
import { ToolError } from "../../../core/errors.ts";
import type { Json } from "../../../core/json.ts";
import { openTarget } from "../../../system/files/files.ts";
import { replaceFile } from "../../../system/files/replace.ts";
import { existed } from "../../../system/paths/paths.ts";
import { missingFile } from "../../files/shared/missing-file.ts";
import { displayPath, pathFactOf } from "../../shared/facts.ts";
import type { ActionInput } from "./action-input.ts";
import {
  act,
  actAndShow,
  alive,
  asExpression,
  describePage,
  fill,
  goTo,
  settle,
  showChanges,
  where,
  withImage,
} from "./actions.ts";
import type { OpenBrowser } from "./browser-process.ts";
import type { Outcome } from "./session-browser.ts";
import type { Tab } from "./tab.ts";
import { VIEWPORT } from "./tab-elements.ts";

const MAX_UPLOAD_MB = 50;

export interface ActionPlace {
  readonly context: ToolContext;
  readonly root: string;
}

type Run = (open: OpenBrowser, input: ActionInput, place: ActionPlace) => Promise<Outcome>;

/** Runs one action of `browser_action`, and adds an image of the page if that is wanted. */
export async function runAction(open: OpenBrowser, input: ActionInput, place: ActionPlace): Promise<Outcome> {
  const outcome = await RUNS[input.action](open, input, place);
  const hasPage = open.tabs.shown() !== undefined;
  return input.screenshot && hasPage ? withImage(open, outcome, place.context) : outcome;
}

/** Runs an action on the page, and returns what has changed there. */
function shown(action: (tab: Tab, input: ActionInput) => Promise<unknown>): Run {
  return (open, input) => actAndShow(open, (tab) => action(tab, input));
}

const visit: Run = async (open, { url }) => {
  if (url !== undefined) await goTo(open, url);
  return describePage(open, 1);
};

const pointed = (kind: "click" | "dblclick" | "hover"): Run =>
  shown(async (tab, { element, coordinate = "" }) => {
    if (element !== undefined) return (await tab.element(element)).locator[kind]();
    const [x = 0, y = 0] = coordinate.split(",").map(Number);
    return kind === "hover" ? tab.page.mouse.move(x, y) : tab.page.mouse[kind](x, y);
  });

const scrolled = (direction: 1 | -1): Run =>
  shown(async ({ page }) => {
    await page.mouse.wheel(0, direction * VIEWPORT.height * 0.8);
  });

const RUNS: Readonly<Record<ActionInput["action"], Run>> = {
  launch: visit,
  goto: visit,
  click: pointed("click"),
  double_click: pointed("dblclick"),
  hover: pointed("hover"),
  type: shown(async (tab, { element, text = "", clear }) => {
    if (element !== undefined) return fill(await tab.element(element), text, { clear, submit: false });
    if (clear) await tab.page.keyboard.press("ControlOrMeta+a");
    return tab.page.keyboard.type(text);
  }),
  press_key: shown(({ page }, { key = "" }) => page.keyboard.press(key)),
  scroll_down: scrolled(1),
  scroll_up: scrolled(-1),
  back: shown(({ page }) => page.goBack({ waitUntil: "domcontentloaded" })),
  forward: shown(({ page }) => page.goForward({ waitUntil: "domcontentloaded" })),
  async new_tab(open, input, place) {
    // A browser that was just started has an empty one.
    const isEmpty = open.tabs.list().length === 1 && open.tabs.current().page.url() === "about:blank";
    if (!isEmpty) await open.tabs.add();
    return visit(open, input, place);
  },
  async switch_tab(open, { tab_id = "" }) {
    await open.tabs.show(tab_id).page.bringToFront();
    return describePage(open, 1);
  },
  async close_tab(open, { tab_id }) {
    const before = open.tabs.current().id;
    const tab = tab_id === undefined ? open.tabs.current() : open.tabs.show(tab_id);
    if (before !== tab.id) open.tabs.show(before);
    await tab.page.close();
    return listTabs(open);
  },
  list_tabs: listTabs,
  wait: shown((_, { duration }) => wait(duration * 1000)),
  async execute_js(open, { js_code = "" }) {
    let value: Json | undefined;
    const { text, data } = await act(open, async ({ page }) => {
      value = await page.evaluate<Json | undefined>(asExpression(js_code));
    });
    const result = value === undefined ? "undefined" : JSON.stringify(value, null, 1);
    return { text: `${text}\n${result}`, data: { ...data, value: value ?? null } };
  },
  async handle_dialog(open, { accept, text }) {
    const tab = alive(open);
    await tab.answer(accept, text);
    return showChanges(open, tab, await settle(open, tab));
  },
  async upload_file(open, { element = 0 }, { context, root }) {
    const file = await readUpload(context, root);
    return actAndShow(open, async (tab) => {
      const { locator, name } = await tab.element(element);
      const isInput = await locator.evaluate((one) => one.matches("input[type=file]"));
      if (isInput) return locator.setInputFiles(file);
      const chosen = tab.page.waitForEvent("filechooser");
      chosen.catch(() => undefined);
      await locator.click();
      const chooser = await chosen.catch((cause: unknown) => {
        throw new ToolError("TOOL_FAILED", `${name} does not ask for a file`, { cause });
      });
      return chooser.setFiles(file);
    });
  },
  async save_pdf(open, _, { context, root }) {
    const fact = pathFactOf(context);
    const pdf = await alive(open).page.pdf({ printBackground: true });
    await replaceFile(fact, pdf, { signal: context.signal });
    const { text, data } = await where(open);
    const path = displayPath(root, fact.path);
    return {
      text: `${text}\n[saved ${path}, ${pdf.length} bytes]`,
      data: { ...data, path, bytes: pdf.length },
    };
  },
  async get_console_logs(open, { clear }) {
    const tab = open.tabs.current();
    const logs = tab.logs().map(({ level, text }) => ({ level, text }));
    if (clear) tab.clearLogs();
    const here = await where(open);
    const lines = logs.map(({ level, text }) => `${level}: ${text}`);
    return {
      text: [here.text, ...(lines.length === 0 ? ["[no messages]"] : lines)].join("\n"),
      data: { ...here.data, logs },
    };
  },
  async view_source(open) {
    const tab = alive(open);
    const { data } = await where(open);
    const html = tab.dialog() === undefined ? await tab.page.content() : "";
    return { text: html, data: { ...data, bytes: Buffer.byteLength(html) } };
  },
  async close(open) {
    await open.end();
    return { text: "[the browser has ended]", data: {} };
  },
};

async function listTabs(open: OpenBrowser): Promise<Outcome> {
  const current = open.tabs.list().length === 0 ? undefined : open.tabs.current().id;
  const tabs = await Promise.all(
    open.tabs.list().map(async (tab) => ({
      tab_id: tab.id,
      url: tab.page.url(),
      title: tab.dialog() === undefined ? await tab.page.title().catch(() => "") : "",
      is_shown: tab.id === current,
    })),
  );
  const lines = tabs.map(
    ({ tab_id, url, title, is_shown }) =>
      `${tab_id}: ${url} ${JSON.stringify(title)}${is_shown ? " (shown)" : ""}`,
  );
  return { text: lines.join("\n") || "[no tab is open]", data: { tabs } };
}

async function readUpload(context: ToolContext, root: string) {
  const fact = pathFactOf(context);
  const name = displayPath(root, fact.path);
  if (!existed(fact)) throw await missingFile(fact.path, name);
  await using opened = await openTarget(fact, constants.O_RDONLY);
  const { handle, stats } = opened;
  if (stats.size > MAX_UPLOAD_MB * 1024 * 1024)
    throw new ToolError("INVALID_INPUT", `${name} is larger than ${MAX_UPLOAD_MB} MB (${stats.size} bytes)`);
  return { name: basename(fact.path), mimeType: "", buffer: await handle.readFile() };
}
