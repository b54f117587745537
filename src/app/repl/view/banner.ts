import { visible } from "../../../util/text/visible.ts";
import type { Banner } from "../state/repl-state.ts";
import type { Paint } from "../../terminal/print/paint.ts";

/** Returns the first row of the REPL; of a long folder, its end. Loads no package: it is drawn before them. */
export function bannerRow({ version, folder }: Banner, width: number, paint: Paint): string {
  const room = Math.max(8, width - `toolwright ${version}  `.length);
  const folderName = visible(folder).replaceAll("\n", " ");
  const end = folderName.length > room ? `…${folderName.slice(1 - room)}` : folderName;
  return paint("bold", "toolwright") + paint("dim", ` ${version}  ${end}`);
}
