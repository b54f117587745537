import { ToolError } from "../../../../core/errors.ts";
import { BOX_KINDS, type BoxName, OWN_BOX, probeBox, probeBoxes } from "../../../../system/box/box.ts";
import { describeProtection } from "../../../../system/box/describe-box.ts";
import type { ConfigGroups, PolicySettings, SandboxSettings } from "../../../config/groups.ts";
import { strongestFirst } from "../../../host/sandbox/sandbox.ts";
import { strictSandbox } from "../../../host/sandbox/strict-deny.ts";
import { check, type Check } from "./check.ts";

/** Says which commands run without approval: those proven to read, in a sandbox, or only basic ones. */
export async function checkSandbox({ shell }: PolicySettings): Promise<Check> {
  const onlyBasic = "only basic commands run without approval";
  const fix = 'remove "sandbox": false from "shell" in the config';
  if (!shell.sandbox) return check("note", "sandbox", `switched off: ${onlyBasic}`, fix);
  const probe = await probeBoxes();
  if (!probe.works) return check("note", "sandbox", `${probe.reason}: ${onlyBasic}`, probe.hint);
  const reads = "commands that are proven to read run in it without approval";
  return check("ok", "sandbox", `${OWN_BOX}, ${probe.program}: ${reads}; ${describeProtection(probe)}`);
}

/** Says which kinds of sandboxes for whole sessions work. One that does not is broken only if the config names it. */
export async function checkKinds({ kind: wanted }: SandboxSettings): Promise<readonly Check[]> {
  return Promise.all(
    BOX_KINDS.map(async (kind) => {
      const name = `sandbox ${kind}`;
      const probe = await probeBox(kind);
      if (!probe.works) return check(wanted === kind ? "broken" : "note", name, probe.reason, probe.hint);
      const use =
        wanted === kind
          ? "programs run in it"
          : `toolwright config set sandbox ${kind} makes programs run in it`;
      return check("ok", name, ["works", describeProtection(probe), use].filter(Boolean).join("; "));
    }),
  );
}

/** Says what strictDeny does here: without a sandbox, interpreters and unknown programs are refused. */
export async function checkStrictDeny(config: ConfigGroups<"policy" | "sandbox">): Promise<readonly Check[]> {
  const { kind: sandbox } = config.sandbox;
  if (!config.policy.strictDeny) return [];
  const what = "with a deny rule of your own, interpreters and unknown programs";
  const strict = { sandbox: strictSandbox(config.sandbox, { denyHosts: true }) };
  const isChosen = (kind: BoxName): boolean => sandbox === "none" || sandbox === "auto" || sandbox === kind;
  const kinds = sandbox === "none" || sandbox === "auto" ? strongestFirst(strict.sandbox) : BOX_KINDS;
  const probes = await Promise.all(kinds.filter(isChosen).map((kind) => probeBox(kind)));
  if (probes.some(({ works }) => works)) return [check("ok", "strictDeny", `${what} run only in a sandbox`)];
  const hint = "install the package bubblewrap, or remove strictDeny from the config";
  return [check("broken", "strictDeny", `no sandbox works: ${what} are refused`, hint)];
}

/** Says which browser the browser tools would start, and how it is confined. Starts none. */
export async function checkBrowser({
  browser,
  environment: { variables },
}: ConfigGroups<"browser" | "environment">): Promise<Check> {
  const { inspectBrowser } = await import("../../../../tools/browser/page/launch.ts");
  try {
    const { file, place, isBare } = await inspectBrowser(browser, variables["PATH"]);
    const confined =
      place === "sandbox"
        ? "its own sandbox, inside bubblewrap (see sandbox above; it may create user namespaces), with no network but a guarded proxy"
        : "its own sandbox only, with a guarded proxy";
    if (isBare)
      return check("note", "browser", `${file}, without any sandbox: it runs as root, and "sandbox" is none`);
    return check("ok", "browser", `${file}: ${confined}`);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return check("note", "browser", error.message, error.hint);
  }
}
