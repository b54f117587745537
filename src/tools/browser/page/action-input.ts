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

const ACTIONS = [
  "launch",
  "goto",
  "click",
  "double_click",
  "hover",
  "type",
  "press_key",
  "scroll_down",
  "scroll_up",
  "back",
  "forward",
  "new_tab",
  "switch_tab",
  "close_tab",
  "list_tabs",
  "wait",
  "execute_js",
  "handle_dialog",
  "upload_file",
  "save_pdf",
  "get_console_logs",
  "view_source",
  "close",
] as const;

const MAX_WAIT_SECONDS = 30;

/** The parameters of `browser_action`. */
export const input = object({
  action: oneOf(ACTIONS, "What to do"),
  url: optional(string("The address, for goto, launch and new_tab", { min: 1 })),
  element: optional(integer("The number of an element, as get_page shows it", { min: 1 })),
  coordinate: optional(
    string('Where to click or hover, instead of element: "x,y" in pixels of the screenshot', {
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
  path: optional(string("The file that save_pdf writes, or that upload_file sends", { min: 1 })),
});

export type ActionInput = Infer<typeof input>;
