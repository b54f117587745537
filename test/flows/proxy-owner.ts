// A process whose browser shows a page through its proxy while a command waits for an answer, until it is killed. Its arguments are
// the folder in which programs are recorded, and the address that gives no answer.
import "../support/programs/end-with-parent.ts";
import { browserTools } from "../../src/tools/browser/family.ts";
import { SessionProxyKey } from "../../src/core/session/session-proxy.ts";
import { defineTool } from "../../src/schema/define/define-tool.ts";
import { childEnvironment } from "../../src/system/process/environment.ts";
import { proxyEngine } from "../support/browser/proxy.ts";

const [, , stateFolder = "", address = ""] = process.argv;
const environment = childEnvironment(process.env);
const web = { privateHosts: ["127.0.0.1"] };
const { engine, run, root } = proxyEngine({ after: () => undefined }, { stateFolder, environment, web });
engine.add(browserTools({ root, environment, stateFolder, web }));
engine.add(
  defineTool({
    name: "ca_file",
    description: "Names the certificate of the proxy.",
    run: async (_, context) => (await context.get(SessionProxyKey)())?.caFile ?? "",
  }),
);
engine.groups.activate("browser");
const shown = await run("navigate", { url: new URL("/page", address).href }, "s");
if (shown.code !== "ok") throw new Error(shown.text);
void run("shell", { command: `curl -s ${address}` }, "s");
console.log((await run("ca_file", {}, "s")).text);
setInterval(() => undefined, 1000);
