import type { ToolContext } from "../../core/context.ts";
import type { Tool } from "../../core/tool.ts";
import { boolean, integer, object, optional, string } from "../../schema/define/schema.ts";
import { builtIn } from "../shared/built-in-tool.ts";
import { checkRootedOptions } from "../shared/check-tool-options.ts";
import { browserAction } from "./browser-action.ts";
import { addressProblems, BROWSER, hostFacts, shownFacts } from "./common.ts";
import type { BrowserOptions } from "./page/options.ts";
import { browserOf } from "./session.ts";

const READS = { ...BROWSER, risk: "low", effects: "own-state" } as const;

const element = integer("The number of the element, as get_page shows it", { min: 1 });
const NUMBERED = "Elements are numbered by get_page.";
const CHANGES =
  "Returns what has changed on the page (+ new, ~ changed, - gone), or the page that is shown then.";

/** Returns the tools of the browser. Nothing of it is loaded before the first call. */
export function browserTools(options: BrowserOptions): Tool[] {
  checkRootedOptions("browserTools", options);
  return [
    navigate(options),
    click(options),
    type(options),
    screenshot(options),
    getPage(options),
    browserAction(options),
  ];
}

function navigate(options: BrowserOptions): Tool {
  return builtIn({
    ...BROWSER,
    name: "navigate",
    description:
      "Opens an address in the browser of the session, which is started if it does not run, and returns the page as get_page does.",
    input: object({ url: string("The address", { min: 1 }) }),
    check: ({ url }) => addressProblems(url),
    facts: ({ url }) => hostFacts(url),
    attributes: ({ url }) => ({ url }),
    async run({ url }, context) {
      const [browser, { describePage, goTo }] = await open(context, options);
      return browser.use(context, { starts: true }, async (opened) => {
        const response = await goTo(opened, url);
        const description = await describePage(opened, 1);
        const status = response?.status();
        if (status === undefined) return description;
        const text =
          status >= 400 ? `[the server answered ${status}]\n${description.text}` : description.text;
        return { text, data: { ...description.data, status } };
      });
    },
  });
}

function click(options: BrowserOptions): Tool {
  return builtIn({
    ...BROWSER,
    name: "click",
    description: `Clicks an element of the page. ${NUMBERED} ${CHANGES}`,
    input: object({ element }),
    facts: (_, context) => shownFacts(context, options),
    attributes: (input) => ({ element: input.element }),
    async run(input, context) {
      const [browser, { actAndShow }] = await open(context, options);
      return browser.use(context, { starts: false }, (opened) =>
        actAndShow(opened, async (tab) => (await tab.element(input.element)).locator.click()),
      );
    },
  });
}

function type(options: BrowserOptions): Tool {
  return builtIn({
    ...BROWSER,
    name: "type",
    description: `Types text into a field of the page, or chooses the option of that name in a list. ${NUMBERED} ${CHANGES}`,
    input: object({
      element,
      text: string("The text, or the name of an option"),
      clear: optional(boolean("Replaces what is in the field; default: the text is added at its end"), false),
      submit: optional(boolean("Presses Enter then"), false),
    }),
    facts: (_, context) => shownFacts(context, options),
    attributes: (input) => ({ element: input.element }),
    async run(input, context) {
      const [browser, { actAndShow, fill }] = await open(context, options);
      return browser.use(context, { starts: false }, (opened) =>
        actAndShow(opened, async (tab) => fill(await tab.element(input.element), input.text, input)),
      );
    },
  });
}

function screenshot(options: BrowserOptions): Tool {
  return builtIn({
    ...READS,
    name: "screenshot",
    description:
      "Returns an image of the page, and the id under which it is stored: read_artifact and reports accept the id.",
    input: object({ full_page: optional(boolean("The whole page, not only what is in view"), false) }),
    facts: (_, context) => shownFacts(context, options),
    async run({ full_page }, context) {
      const [browser, { where, withImage }] = await open(context, options);
      return browser.use(context, { starts: false }, async (opened) =>
        withImage(opened, await where(opened), context, full_page),
      );
    },
  });
}

function getPage(options: BrowserOptions): Tool {
  return builtIn({
    ...READS,
    name: "get_page",
    description:
      'Returns what the page shows: texts, and elements as [7] button "Save", whose numbers click and type accept. Frames and shadow DOM are ' +
      "included. A long page has several parts, the most relevant first; find returns only what has all its words.",
    input: object({
      page: optional(integer("The part of a long page", { min: 1 }), 1),
      find: optional(string("Words that an element or text must have, such as a name", { min: 1 })),
    }),
    facts: (_, context) => shownFacts(context, options),
    async run({ page, find }, context) {
      const [browser, { describePage, findOnPage }] = await open(context, options);
      return browser.use(context, { starts: false }, (opened) =>
        find === undefined ? describePage(opened, page) : findOnPage(opened, find),
      );
    },
  });
}

/** Loads what drives the browser. */
async function open(context: ToolContext, options: BrowserOptions) {
  return Promise.all([browserOf(context, options).open(), import("./page/actions.ts")]);
}
