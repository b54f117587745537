import type { Range } from "./ranges.ts";
import { isPlaceholder } from "./randomness.ts";

const MAX_LOGIN = 330;
const MAX_HOST = 100;

/** Adds the places of passwords in URLs, and of addresses that are secrets. */
export function findInUrls(text: string, ranges: Range[]): void {
  // Fewer characters are a slash than a colon.
  const from = text.indexOf("//") - 1;
  if (from < 0) return;
  // The next places of what a password in a URL ends with, and of what every webhook has.
  let sign = text.indexOf("@", from);
  let hook = text.indexOf("hook", from);
  for (let at = from; at >= 0 && (sign >= 0 || hook >= 0); at = text.indexOf("//", at + 3) - 1) {
    if (sign >= 0 && sign < at) sign = text.indexOf("@", at);
    if (hook >= 0 && hook < at) hook = text.indexOf("hook", at);
    if (sign - at > 0 && sign - at < MAX_LOGIN) findPassword(text, at, ranges);
    if (hook - at > 0 && hook - at < MAX_HOST) findWebhook(text, at, ranges);
  }
}

const URL_PASSWORD = /:\/\/[^/\s:@"'`<>]{0,64}:([^/\s@"'`<>\\()[\]]{3,256})@/y;
const USUAL =
  /^(?:user(?:name)?|pass(?:w(?:or)?d|wort|phrase)?|pwd|pw|secret|token|test|foo|bar|baz|abc|123|redacted|key_\d+|[xX*.]+)$/i;
/** Addresses that are secrets: to know one is to be allowed to write there. docs/secrets.md lists them. */
const WEBHOOK =
  /:\/\/(?:hooks\.slack\.com\/(?:services|workflows|triggers)\/|(?:[a-z]+\.)?discord(?:app)?\.com\/api\/webhooks\/\d+\/|[a-z0-9-]+\.webhook\.office\.com\/webhookb2\/)([\w@/+-]{20,})/y;

function findPassword(text: string, at: number, ranges: Range[]): void {
  URL_PASSWORD.lastIndex = at;
  const [whole, password] = URL_PASSWORD.exec(text) ?? [];
  if (whole === undefined || password === undefined) return;
  if (USUAL.test(password) || /^[$%{<[*]|\$\{|\{\{|your|example|placeholder/i.test(password)) return;
  const end = at + whole.length - 1;
  ranges.push([end - password.length, end]);
}

function findWebhook(text: string, at: number, ranges: Range[]): void {
  WEBHOOK.lastIndex = at;
  const [, path] = WEBHOOK.exec(text) ?? [];
  if (path !== undefined && !isPlaceholder(path))
    ranges.push([WEBHOOK.lastIndex - path.length, WEBHOOK.lastIndex]);
}
