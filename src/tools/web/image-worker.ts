// Runs in its own thread, so that scaling an image can be aborted and its memory is limited.
import { parentPort, workerData } from "node:worker_threads";
import jpeg from "jpeg-js";
import { PNG } from "pngjs";

export interface ScaleRequest {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mimeType: "image/png" | "image/jpeg";
  /** The longest side of the result. */
  readonly maxSide: number;
  /** An image with more pixels is not decoded. */
  readonly maxPixels: number;
}

export type ScaleAnswer = { readonly bytes: Uint8Array } | { readonly problem: string };

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Four bytes a pixel. */
  readonly data: Uint8Array;
}

const QUALITY = 85;

parentPort?.postMessage(scaleImage(workerData as ScaleRequest));

function scaleImage({ bytes, mimeType, maxSide, maxPixels }: ScaleRequest): ScaleAnswer {
  try {
    const image = decode(Buffer.from(bytes), mimeType, maxPixels);
    const small = shrink(image, Math.min(1, maxSide / Math.max(image.width, image.height)));
    return { bytes: encode(small, mimeType) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function decode(bytes: Buffer, mimeType: ScaleRequest["mimeType"], maxPixels: number): Pixels {
  if (mimeType === "image/jpeg")
    return jpeg.decode(bytes, {
      useTArray: true,
      maxResolutionInMP: maxPixels / 1e6,
      maxMemoryUsageInMB: 512,
    });
  // The header is first, so that its size is known before it is unpacked.
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  if (width * height > maxPixels) throw new Error(`it has ${width} x ${height} pixels`);
  return PNG.sync.read(bytes);
}

function encode({ width, height, data }: Pixels, mimeType: ScaleRequest["mimeType"]): Uint8Array {
  const buffer = Buffer.from(data.buffer, data.byteOffset, data.length);
  if (mimeType === "image/jpeg") return jpeg.encode({ width, height, data: buffer }, QUALITY).data;
  const png = new PNG({ width, height });
  buffer.copy(png.data);
  return PNG.sync.write(png);
}

/** Each pixel of the result is the mean of those that it stands for. */
function shrink(image: Pixels, factor: number): Pixels {
  if (factor === 1) return image;
  const width = Math.max(1, Math.round(image.width * factor));
  const height = Math.max(1, Math.round(image.height * factor));
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    const [top, bottom] = span(y, height, image.height);
    for (let x = 0; x < width; x += 1) {
      const [left, right] = span(x, width, image.width);
      data.set(mean(image, { top, bottom, left, right }), (y * width + x) * 4);
    }
  }
  return { width, height, data };
}

/** Returns the pixels of a row or column that one pixel of the result stands for. */
function span(at: number, size: number, whole: number): readonly [from: number, to: number] {
  const from = Math.floor((at * whole) / size);
  return [from, Math.max(from + 1, Math.floor(((at + 1) * whole) / size))];
}

interface Area {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

function mean({ width, data }: Pixels, { top, bottom, left, right }: Area): readonly number[] {
  const sums = [0, 0, 0, 0];
  for (let y = top; y < bottom; y += 1)
    for (let at = (y * width + left) * 4; at < (y * width + right) * 4; at += 4)
      for (let channel = 0; channel < 4; channel += 1)
        sums[channel] = (sums[channel] ?? 0) + (data[at + channel] ?? 0);
  const count = (bottom - top) * (right - left);
  return sums.map((sum) => Math.round(sum / count));
}
