import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { PeerOptions } from "./clients.ts";

const OWN = new Set(["navigate", "get_page", "click", "type", "screenshot", "browser_action"]);

/** Our tools, through `toolwright mcp` as a client starts it. */
export function toolwrightTools(folder: string, port: number): PeerOptions {
  const home = join(folder, "home");
  mkdirSync(home);
  const settings = { groups: { browser: true }, web: { privateHosts: [`127.0.0.1:${port}`] } };
  writeFileSync(join(home, "config.json"), JSON.stringify(settings), { mode: 0o600 });
  return {
    command: process.execPath,
    args: [resolve("bin/toolwright.js"), "mcp", "--mode", "yolo"],
    folder,
    environment: { TOOLWRIGHT_HOME: home },
    isBrowserTool: (name) => OWN.has(name),
    fileOf: () => undefined,
    showsElements: (text) => /\[\d+\] \w/.test(text),
    verbs(call, lastPage) {
      // An element may be in an answer before the last: what has changed is all that the last one has.
      const seen = new Map<string, number>();
      const note = (text: string): void => {
        for (const [, number, name] of text.matchAll(/\[(\d+)\] (\w+ "[^"\n]*")/g))
          seen.set(name ?? "", Number(number));
      };
      const use = async (name: string, input: Readonly<Record<string, unknown>>) => {
        const answer = await call(name, input);
        note(answer.text);
        return answer;
      };
      const element = (role: string, name: string): number => {
        const names = role === "" ? ["textbox", "button", "file"] : [role];
        const number = names.map((one) => seen.get(`${one} "${name}"`)).find((one) => one !== undefined);
        if (number === undefined) throw new Error(`no ${role} ${name} in: ${lastPage().slice(0, 300)}`);
        return number;
      };
      const act = (action: string, more: Readonly<Record<string, unknown>> = {}) =>
        use("browser_action", { action, ...more });
      return {
        goTo: (url) => use("navigate", { url }),
        click: (role, name) => use("click", { element: element(role, name) }),
        type: (name, text, submits = false) =>
          use("type", { element: element("textbox", name), text, submit: submits }),
        select: (name, option) => use("type", { element: element("combobox", name), text: option }),
        read: () => use("get_page", {}),
        find: (name) => use("get_page", { find: name }),
        evaluate: (code) => act("execute_js", { js_code: code }),
        answerDialog: (accept, text) => act("handle_dialog", { accept, ...(text !== undefined && { text }) }),
        upload: (name) => act("upload_file", { element: element("", name), path: "up.txt" }),
        listTabs: () => act("list_tabs"),
        closeTab: () => act("close_tab"),
        scroll: () => act("scroll_down"),
        hover: (name) => act("hover", { element: element("button", name) }),
        readConsole: () => act("get_console_logs"),
        savePdf: () => act("save_pdf", { path: "page.pdf" }),
        screenshot: () => use("screenshot", {}),
      };
    },
  };
}

/** @playwright/mcp. A snapshot that it writes into a file is read, which its client needs another call for. */
export function playwrightTools(folder: string, packageFolder: string): PeerOptions {
  return {
    command: process.execPath,
    args: [
      join(packageFolder, "cli.js"),
      "--headless",
      "--executable-path",
      "/usr/bin/chromium",
      "--no-sandbox",
      "--isolated",
      "--caps",
      "pdf",
    ],
    folder,
    isBrowserTool: () => true,
    fileOf(text) {
      const path = /\(([^)\n]+\.ya?ml)\)/.exec(text)?.[1];
      if (path === undefined || /\[ref=/.test(text)) return undefined;
      const file = resolve(folder, path);
      return existsSync(file) ? readFileSync(file, "utf8") : undefined;
    },
    showsElements: (text) => /\[ref=/.test(text),
    verbs(call, lastPage) {
      const target = (role: string, name: string): Readonly<Record<string, string>> => {
        const line = lastPage()
          .split("\n")
          .find((one) => one.includes(`${role} "${name}"`) && one.includes("[ref="));
        const ref = /\[ref=(\w+)\]/.exec(line ?? "")?.[1];
        if (ref === undefined) throw new Error(`no ${role} ${name} in: ${lastPage().slice(0, 300)}`);
        // The parameter has had both names.
        return { element: name, ref, target: ref };
      };
      return {
        goTo: (url) => call("browser_navigate", { url }),
        click: async (role, name) => call("browser_click", target(role, name)),
        type: async (name, text, submits = false) =>
          call("browser_type", { ...target("textbox", name), text, submit: submits }),
        select: async (name, option) =>
          call("browser_select_option", { ...target("combobox", name), values: [option] }),
        read: () => call("browser_snapshot", {}),
        // The snapshot has every element.
        find: async () => ({ text: lastPage(), isError: false }),
        evaluate: (code) => call("browser_evaluate", { function: `() => ${code}` }),
        answerDialog: (accept, text) =>
          call("browser_handle_dialog", { accept, ...(text !== undefined && { promptText: text }) }),
        async upload(name) {
          await call("browser_click", target("button", name));
          return call("browser_file_upload", { paths: [join(folder, "up.txt")] });
        },
        listTabs: () => call("browser_tabs", { action: "list" }),
        closeTab: () => call("browser_tabs", { action: "close" }),
        scroll: () => call("browser_evaluate", { function: "() => scrollBy(0, innerHeight)" }),
        hover: async (name) => call("browser_hover", target("button", name)),
        readConsole: () => call("browser_console_messages", {}),
        savePdf: () => call("browser_pdf_save", { filename: "page.pdf" }),
        screenshot: () => call("browser_take_screenshot", {}),
      };
    },
  };
}
