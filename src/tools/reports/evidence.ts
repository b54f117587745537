import { ArtifactsKey } from "../../core/store/artifacts.ts";
import type { ToolContext } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import { list, string } from "../../schema/define/schema.ts";
import { screenshotsOf } from "../shared/screenshots.ts";
import { renderPart } from "../proxy/traffic/render-exchange.ts";
import { trafficOf, type TrafficOptions } from "../proxy/traffic/traffic.ts";
import { code, heading, text, type Block } from "./blocks.ts";

const MAX_CITED = 20;
/** Of a request or a response. */
const MAX_EXCERPT = 4000;

/** The parameters by which reports cite requests and screenshots. */
export const requestIds = list(
  string("An id from list_requests, such as r12", { min: 1 }),
  "Captured requests of this session that the report shows",
  { max: MAX_CITED },
);
export const screenshotIds = list(
  string("An id that an answer with a screenshot names", { min: 1 }),
  "Screenshots that the report shows",
  { max: MAX_CITED },
);

/** What a report cites, and how the files of its images begin. */
interface Cited {
  readonly name: string;
  readonly request_ids?: readonly string[] | undefined;
  readonly screenshot_ids?: readonly string[] | undefined;
}

/** What a report shows of a request and of a screenshot, whatever becomes of them in the store. */
// Types, not interfaces, so that they are assignable to JSON.
type CitedRequest = {
  readonly id: string;
  readonly method: string;
  readonly url: string;
  /** Both as HTTP text, masked and cut. */
  readonly request: string;
  readonly response: string;
};
type CitedScreenshot = { readonly id: string; readonly file: string };
export type Evidence = {
  readonly requests: readonly CitedRequest[];
  readonly screenshots: readonly CitedScreenshot[];
};

/** An image for the folder of the report. */
export interface ImageFile {
  readonly name: string;
  readonly content: Buffer;
}

/** Returns what a report shows of the requests and screenshots that it cites. Throws for an unknown id. */
export async function collectEvidence(
  { name, request_ids = [], screenshot_ids = [] }: Cited,
  context: ToolContext,
  options: TrafficOptions,
): Promise<{ readonly evidence: Evidence; readonly images: readonly ImageFile[] }> {
  const requests = [];
  for (const id of new Set(request_ids)) requests.push(await citeRequest(id, context, options));
  const screenshots: CitedScreenshot[] = [];
  const images: ImageFile[] = [];
  for (const id of new Set(screenshot_ids)) {
    const file = `${name}-${images.length + 1}.jpg`;
    images.push({ name: file, content: await readScreenshot(id, context) });
    screenshots.push({ id, file });
  }
  return { evidence: { requests, screenshots }, images };
}

async function citeRequest(id: string, context: ToolContext, options: TrafficOptions): Promise<CitedRequest> {
  const traffic = trafficOf(context, options);
  const exchange = await traffic.get(id);
  const { method, url } = exchange;
  const excerpt = async (part: "request" | "response"): Promise<string> => {
    const whole = await renderPart(traffic, exchange, part);
    if (whole.length <= MAX_EXCERPT) return whole;
    return `${whole.slice(0, MAX_EXCERPT).toWellFormed()}\n[${whole.length - MAX_EXCERPT} more characters]`;
  };
  return { id, method, url, request: await excerpt("request"), response: await excerpt("response") };
}

const JPEG = /^data:image\/jpeg;base64,([A-Za-z0-9+/]+={0,2})$/;

async function readScreenshot(id: string, context: ToolContext): Promise<Buffer> {
  const artifacts = context.find(ArtifactsKey);
  const info = await artifacts?.info(id);
  const stored = info && (await artifacts?.read(id, 0, info.size))?.text;
  const base64 = JPEG.exec(stored ?? "")?.[1];
  if (base64 === undefined) throw unknownScreenshot(id, stored !== undefined, screenshotsOf(context));
  return Buffer.from(base64, "base64");
}

function unknownScreenshot(id: string, exists: boolean, known: readonly string[]): ToolError {
  const name = JSON.stringify(id);
  return new ToolError("TOOL_FAILED", exists ? `${name} is no screenshot` : `unknown screenshot ${name}`, {
    hint:
      known.length === 0
        ? "this session has taken none: screenshot takes one and names its id"
        : `the last ones of this session: ${known.join(", ")}`,
    details: { screenshot_id: id },
  });
}

/** Returns the evidence as a part of a report. */
export function evidenceBlocks({ requests, screenshots }: Evidence, level: number): readonly Block[] {
  if (requests.length + screenshots.length === 0) return [];
  return [
    heading(level, "Evidence"),
    ...requests.flatMap(({ id, method, url, request, response }) => [
      text(`Request ${id}: ${method} ${url}`),
      code(request),
      text(`Response to ${id}:`),
      code(response),
    ]),
    ...screenshots.map(({ id, file }): Block => ({ kind: "image", file, name: `Screenshot ${id}` })),
  ];
}
