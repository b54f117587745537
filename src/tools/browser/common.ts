import type { ToolContext } from "../../core/context.ts";
import type { Fact } from "../../core/fact.ts";
import type { Problem } from "../../core/result.ts";
import { valueProblem } from "../shared/built-in-tool.ts";
import type { BrowserOptions } from "./page/options.ts";
import { browserOf } from "./session.ts";

/** Common properties of the tools of the browser. */
export const BROWSER = {
  risk: "high",
  place: "sandbox",
  group: "browser",
  effects: "unsafe",
  startsInactive: true,
  isUntrusted: true,
  limits: { timeoutMs: 120_000, graceMs: 1000 },
} as const;

/** Returns the problems of an address that a browser cannot open. */
export function addressProblems(url: string | undefined): readonly Problem[] {
  const protocol = url === undefined ? "https:" : URL.parse(url)?.protocol;
  if (protocol === "http:" || protocol === "https:" || url === "about:blank") return [];
  return valueProblem("/url", "an http or https URL, such as https://example.com", url ?? "");
}

/** Returns the host of an address. */
export function hostFacts(url: string): readonly Fact[] {
  const { hostname } = new URL(url);
  return hostname === "" ? [] : [{ kind: "host", host: hostname }];
}

/** Returns the host of the page that an action is for. */
export function shownFacts(context: ToolContext, options: BrowserOptions): readonly Fact[] {
  const host = browserOf(context, options).host();
  return host === undefined ? [] : [{ kind: "host", host }];
}
