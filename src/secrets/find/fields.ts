import { isSecretName, kindOf } from "./names.ts";
import { MASK } from "./ranges.ts";

/** Returns the value of a header with the credentials in it masked, whatever they look like. */
export function maskHeader(name: string, value: string): string {
  if (value.trim() === "") return value;
  if (/^set-cookie$/i.test(name)) return value.replace(/^([^=;]*=)[^;]+/, `$1${MASK}`);
  if (/^cookie$/i.test(name)) return value.replaceAll(/(^|;)([^=;]*)=([^;]+)/g, `$1$2=${MASK}`);
  if (/^(?:proxy-)?authorization$/i.test(name))
    return /^\s*[\w-]+\s/.test(value) ? value.replace(/^(\s*[\w-]+\s+).+$/s, `$1${MASK}`) : MASK;
  return isSecretName(name) ? MASK : value;
}

const FORM = /(^|[?&;])([^=&;?\s"<>{}]{1,64})=([^&;\s"<>]+)/g;
const JSON_FIELD = /"([^"\\]{1,64})"(\s{0,8}:\s{0,8})"(?!")([^"\\]*(?:\\.[^"\\]*)*)"/g;
const PART = /(\bname="([^"]{1,64})"(?:\r?\n[^\r\n]{1,256}){0,4}\r?\n\r?\n)([^\r\n]+)/g;

/** Returns a body or an address with the values of fields masked that have the name of a password, token or secret, whatever they look like. */
export function maskFields(text: string): string {
  return text
    .replaceAll(FORM, (whole, before: string, name: string) =>
      isNamed(decoded(name)) ? `${before}${name}=${MASK}` : whole,
    )
    .replaceAll(JSON_FIELD, (whole, name: string, between: string) =>
      isNamed(name) ? `"${name}"${between}"${MASK}"` : whole,
    )
    .replaceAll(PART, (whole, before: string, name: string) => (isNamed(name) ? `${before}${MASK}` : whole));
}

function isNamed(name: string): boolean {
  const kind = kindOf(name);
  return kind === "password" || kind === "secret";
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
