import { image, type Content } from "../../../core/content.ts";
import type { ToolContext } from "../../../core/context.ts";
import { fitImage } from "../../web/fit-image.ts";
import { addScreenshot } from "../../shared/screenshots.ts";
import { storeText } from "../../shared/store-text.ts";
import type { Tab } from "./tab.ts";
import { VIEWPORT } from "./tab-elements.ts";

const TYPE = "image/jpeg";
const QUALITY = 85;
/** A longer page is cut: scaled down to fit a model, its text could not be read. */
const MAX_HEIGHT = 8000;
const SHOT_MS = 20_000;

export interface Screenshot {
  readonly image: Content;
  /** The artifact with the image, as a data URL; undefined without a store. */
  readonly id: string | undefined;
  readonly bytes: number;
  /** Of a page that is longer than the image: its height. */
  readonly cutHeight: number | undefined;
}

/** Takes an image of a page, scaled for models, and stores it. */
export async function takeScreenshot(tab: Tab, fullPage: boolean, context: ToolContext): Promise<Screenshot> {
  const height = fullPage ? await tab.page.evaluate<number>("document.documentElement.scrollHeight") : 0;
  const isCut = height > MAX_HEIGHT;
  const taken = await tab.page.screenshot({
    type: "jpeg",
    quality: QUALITY,
    scale: "css",
    animations: "disabled",
    timeout: SHOT_MS,
    fullPage,
    ...(isCut && { clip: { x: 0, y: 0, width: VIEWPORT.width, height: MAX_HEIGHT } }),
  });
  const bytes = await fitImage(taken, TYPE, context.signal);
  const picture = image(bytes, TYPE);
  const id = await storeText(context, `data:${TYPE};base64,${bytes.toString("base64")}`);
  if (id !== undefined) addScreenshot(context, id);
  return { image: picture, id, bytes: bytes.length, cutHeight: isCut ? height : undefined };
}
