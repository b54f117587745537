import type { Json } from "../../core/json.ts";

/** Sets a key as plain data, also `__proto__`. */
export function setOwn(target: Record<string, Json>, key: string, value: Json): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
    return;
  }
  target[key] = value;
}
