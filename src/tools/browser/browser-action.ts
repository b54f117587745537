import type { Fact } from "../../core/fact.ts";
import type { ToolContext } from "../../core/context.ts";
import type { Problem } from "../../core/result.ts";
import type { Tool } from "../../core/tool.ts";
import { builtIn, missingProblem } from "../shared/built-in-tool.ts";
import { resolveGiven, targetOptions } from "../shared/facts.ts";
import { addressProblems, BROWSER, hostFacts, shownFacts } from "./common.ts";
import { ACTIONS, input, type Action, type ActionInput } from "./page/action-input.ts";
import type { BrowserOptions } from "./page/options.ts";
import { browserOf } from "./session.ts";
import { defined } from "../../util/json/defined.ts";

/** Does everything that a person does with a browser, and answers with what has changed on the page. */
export function browserAction(options: BrowserOptions): Tool {
  return builtIn({
    ...BROWSER,
    name: "browser_action",
    description:
      "Uses the browser of the session. Actions on a page return what has changed there, and of another page what it shows; with screenshot also " +
      "an image, in whose pixels a coordinate is. Elements are numbered by get_page. Files that pages send are saved in the folder downloads of the workspace. A dialog stays open until handle_dialog closes it. " +
      "execute_js returns the value, view_source the HTML, save_pdf and upload_file use a file of the workspace, close ends the browser.",
    input,
    riskOf: ({ action }) => (actionOf(action).onlyReads === true ? "low" : "high"),
    check: problemsOf,
    facts: (given, context) => factsOf(given, context, options),
    attributes: ({ action, url }) => ({ action, ...defined({ url }) }),
    async run(given, context) {
      const [browser, { runAction }] = await Promise.all([
        browserOf(context, options).open(),
        import("./page/run-action.ts"),
      ]);
      return browser.use(context, { starts: actionOf(given.action).starts === true }, (opened) =>
        runAction(opened, given, { context, root: options.root }),
      );
    },
  });
}

function actionOf(action: ActionInput["action"]): Action {
  return ACTIONS[action];
}

function problemsOf(given: ActionInput): readonly Problem[] {
  const { action, url, element, coordinate } = given;
  const missing = (actionOf(action).needs ?? []).flatMap((name) => missingProblem(name, given[name], action));
  const isPointed = element !== undefined || coordinate !== undefined;
  return [
    ...missing,
    ...(["click", "double_click", "hover"].includes(action) && !isPointed
      ? missingProblem("element", undefined, `${action}, or coordinate`)
      : []),
    ...addressProblems(url),
  ];
}

async function factsOf(
  { action, url, path }: ActionInput,
  context: ToolContext,
  options: BrowserOptions,
): Promise<readonly Fact[]> {
  const hosts = url === undefined ? shownFacts(context, options) : hostFacts(url);
  if (path === undefined || (action !== "save_pdf" && action !== "upload_file")) return hosts;
  const access = action === "save_pdf" ? "write" : "read";
  return [...hosts, await resolveGiven(path, targetOptions(options, access))];
}
