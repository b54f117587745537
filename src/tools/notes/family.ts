import type { Tool } from "../../core/tool.ts";
import { think } from "./think.ts";

/** The tools to think and to remember with. */
export function thinkTools(): Tool[] {
  return [think()];
}
