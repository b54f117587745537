import {
  boolean,
  integer,
  number,
  object,
  oneOf,
  optional,
  string,
  type Infer,
} from "../../../schema/define/schema.ts";

const MAX_WAIT_SECONDS = 30;

export interface Action {
  /** The parameters that it needs. */
  readonly needs?: readonly ("element" | "js_code" | "key" | "path" | "tab_id" | "text" | "url")[];
  /** It neither changes the page nor sends anything. */
  readonly onlyReads?: true;
  /** It starts a browser if none runs. */
  readonly starts?: true;
}

/** The actions of `browser_action`. */
export const ACTIONS = {
  launch: { starts: true },
  goto: { starts: true, needs: ["url"] },
  click: {},
  double_click: {},
  hover: {},
  type: { needs: ["text"] },
  press_key: { needs: ["key"] },
  scroll_down: {},
  scroll_up: {},
  back: {},
  forward: {},
  new_tab: { starts: true },
  switch_tab: { onlyReads: true, needs: ["tab_id"] },
  close_tab: { onlyReads: true },
  list_tabs: { onlyReads: true },
  wait: { onlyReads: true },
  execute_js: { needs: ["js_code"] },
  handle_dialog: {},
  upload_file: { needs: ["element", "path"] },
  save_pdf: { needs: ["path"] },
  get_console_logs: { onlyReads: true },
  view_source: { onlyReads: true },
  close: { onlyReads: true },
} as const satisfies Readonly<Record<string, Action>>;

/** The parameters of `browser_action`. */
export const input = object({
  action: oneOf(Object.keys(ACTIONS) as (keyof typeof ACTIONS)[], "What to do"),
  url: optional(string("The address, for goto, launch and new_tab", { min: 1 })),
  element: optional(integer("The number of an element, as get_page shows it", { min: 1 })),
  coordinate: optional(
    string('Where to click or hover, instead of element: "x,y" in pixels of a screenshot', {
      pattern: "^\\s*\\d+\\s*,\\s*\\d+\\s*$",
      expected: '"x,y", such as "640,400"',
    }),
  ),
  text: optional(string("The text for type, or the answer to a prompt")),
  clear: optional(
    boolean("type: replaces what is in the field; get_console_logs: forgets the messages"),
    false,
  ),
  key: optional(string('The key for press_key, such as "Enter", "Escape" or "Control+a"', { min: 1 })),
  tab_id: optional(string("The tab, for switch_tab and close_tab", { min: 1 })),
  js_code: optional(
    string("JavaScript for execute_js: an expression, or statements with return; await works", { min: 1 }),
  ),
  duration: optional(number("How many seconds wait waits", { min: 0, max: MAX_WAIT_SECONDS }), 1),
  accept: optional(boolean("handle_dialog: true is OK, false is Cancel"), true),
  screenshot: optional(boolean("Returns an image of the page too"), false),
  path: optional(string("The file that save_pdf writes, or that upload_file sends", { min: 1 })),
});

export type ActionInput = Infer<typeof input>;
