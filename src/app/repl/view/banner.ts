import type { Banner } from "../state/repl-state.ts";
import { cutLine, span, type Line } from "../text/line.ts";
import { cutStartTo } from "../text/width.ts";
import { visible } from "../../../util/text/visible.ts";

/** Returns the first line of the REPL. */
export function bannerLine({ version, folder }: Banner, width: number): Line {
  const room = Math.max(8, width - `toolwright ${version}  `.length);
  return cutLine(
    [
      span("toolwright", { bold: true }),
      span(` ${version}  ${cutStartTo(visible(folder).replaceAll("\n", " "), room)}`, { dim: true }),
    ],
    width,
  );
}
