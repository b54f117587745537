import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { loadConfig } from "../../../src/app/config/config.ts";
import { TuiMainScreen } from "@earendil-works/pi-tui/dist/tui-main-screen.js";
import { createRepl, type Repl } from "../../../src/app/repl/create-repl.ts";
import { openSession } from "../../../src/app/repl/open-session.ts";
import type { ReplSession } from "../../../src/app/repl/state/session.ts";
import type { Block, ReplState } from "../../../src/app/repl/state/repl-state.ts";
import { createPaint } from "../../../src/app/terminal/print/paint.ts";
import { ReplTerminal } from "../../../src/app/repl/terminal.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const LIMIT_MS = 60_000;

export interface TestRepl extends Repl {
  readonly folder: string;
  /** Types a line and presses Enter. */
  send(text: string): void;
  /** The state as soon as something holds; fails with what is on the screen when it never does. */
  until(what: string, holds: (state: ReplState) => boolean): Promise<ReplState>;
  /** Sends a slash command and gives what it showed. */
  command(text: string): Promise<string>;
}

/** What the scripted model says, one answer after the other. */
export type Script = readonly Readonly<Record<string, unknown>>[];

/** The REPL without its screen, on a real session in a folder of its own, and the home folder of its user. */
export function openTestRepl(
  t: TestContext,
  script: Script,
  flags: Readonly<Record<string, string>> = {},
  variables: Readonly<Record<string, string>> = {},
  /** The folder that a person at a terminal starts it in. */
  startedIn?: string,
): TestRepl & { readonly home: string } {
  const root = startedIn ?? temporaryFolder(t);
  const home = temporaryFolder(t);
  const story = join(root, "story.jsonl");
  writeFileSync(story, script.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const given = { model: `scripted/${story}`, store: join(root, "state"), ...flags };
  // An empty flag stands for none.
  const all = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ""));
  const environment = {
    cwd: root,
    variables: { PATH: process.env["PATH"], HOME: home, TOOLWRIGHT_LEVEL: "ask", ...variables },
    userHome: home,
  };
  const repl = createRepl({
    ...withoutScreen(),
    version: "1.2.3",
    folder: root,
    open: (approver): Promise<ReplSession> =>
      openSession({
        flags: all,
        config: loadConfig(all, environment),
        approver,
        budget: {},
        asksAboutInstructions: startedIn !== undefined,
        asksAboutLevel: startedIn !== undefined,
      }),
  });
  return { ...wrap(t, root, repl), home };
}

/** What a REPL needs of a screen that is never started. */
export function withoutScreen(): Pick<Parameters<typeof createRepl>[0], "tui" | "paint"> {
  return { tui: new TuiMainScreen(new ReplTerminal()), paint: createPaint({ isColoured: false }) };
}

/** The same for a session that the test opens. */
export function wrap(t: TestContext, folder: string, repl: Repl): TestRepl {
  t.after(async () => {
    repl.leave(0);
    await repl.left.catch(() => undefined);
  });
  const until = (what: string, holds: (state: ReplState) => boolean): Promise<ReplState> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!holds(repl.store.get())) return;
        end();
        resolve(repl.store.get());
      };
      const stop = repl.store.subscribe(look);
      const timer = setTimeout(() => {
        end();
        reject(new Error(`waited in vain: ${what}; ${JSON.stringify(repl.store.get(), undefined, 1)}`));
      }, LIMIT_MS);
      const end = (): void => {
        clearTimeout(timer);
        stop();
      };
      look();
    });
  const send = (text: string): void => {
    repl.press(`\u{1b}[200~${text}\u{1b}[201~`);
    repl.press("\r");
  };
  return {
    ...repl,
    folder,
    until,
    send,
    async command(text) {
      const before = repl.store.get().blocks.length;
      const isShown = (block: Block, index: number): boolean =>
        index >= before && block.kind === "command" && block.text === text;
      send(text);
      const { blocks } = await until(text, (state) => state.blocks.some(isShown));
      const shown = blocks.findLast(isShown);
      return shown?.kind === "command" ? shown.output : "";
    },
  };
}

/** What the screen would show of what is over, a line each. */
export function told(state: ReplState): readonly string[] {
  return state.blocks.map((block) => {
    if (block.kind === "call")
      return `${block.result.ok ? "ok" : "failed"}: ${block.result.name} ${block.summary}`;
    return `${block.kind}: ${"text" in block ? block.text : ""}`;
  });
}
