/** Pictures for `npm run bench:fixes`, drawn and encoded by the browser. */
import { launch } from 'puppeteer-core';

/** One scene, in several files. */
export interface Pictures {
  /** JPEG, 1600 × 1200 and 800 × 600. */
  readonly large: Buffer;
  readonly small: Buffer;
  /** WebP of 1600 × 1200, no further from the scene than the JPEG. */
  readonly webp: Buffer;
  /** PNG of 400 × 300, and the same without loss as WebP. */
  readonly png: Buffer;
  readonly lossless: Buffer;
}

/** Draws the scene; takes a second or two. */
export async function drawPictures(executablePath: string, args: readonly string[]): Promise<Pictures> {
  const browser = await launch({ executablePath, args: [...args] });
  try {
    const page = await browser.newPage();
    const files = (await page.evaluate(`(${encodeScene})()`)) as Readonly<Record<keyof Pictures, string>>;
    const bytes = (name: keyof Pictures): Buffer => Buffer.from(files[name], 'base64');
    return {
      large: bytes('large'),
      small: bytes('small'),
      webp: bytes('webp'),
      png: bytes('png'),
      lossless: bytes('lossless'),
    };
  } finally {
    await browser.close();
  }
}

/** Runs in the page: it must not use anything from outside itself. */
async function encodeScene(): Promise<Readonly<Record<keyof Pictures, string>>> {
  const [width, height, quality] = [1600, 1200, 0.85];
  let state = 7;
  const random = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const canvasOf = (wide: number, tall: number): OffscreenCanvasRenderingContext2D => {
    const context = new OffscreenCanvas(wide, tall).getContext('2d', { willReadFrequently: true });
    if (context === null) throw new Error('no canvas');
    return context;
  };
  /** Clouds of several sizes, as a photograph has them, and a few edges. */
  const scene = canvasOf(width, height);
  scene.fillStyle = '#446';
  scene.fillRect(0, 0, width, height);
  scene.globalAlpha = 0.35;
  for (const cells of [4, 8, 16, 32, 64, 128, 256]) {
    const noise = canvasOf(cells, cells);
    const dots = noise.createImageData(cells, cells);
    for (let i = 0; i < dots.data.length; i += 4) {
      const light = random() * 255;
      dots.data.set([light, light * 0.8 + random() * 50, 255 - light, 255], i);
    }
    noise.putImageData(dots, 0, 0);
    scene.globalAlpha *= 0.8;
    scene.drawImage(noise.canvas, 0, 0, width, height);
  }
  scene.globalAlpha = 0.9;
  for (let i = 0; i < 40; i += 1) {
    scene.fillStyle = `hsl(${random() * 360} 50% ${30 + random() * 40}%)`;
    scene.fillRect(random() * width, random() * height, random() * 150, random() * 150);
  }
  const smaller = (by: number): OffscreenCanvasRenderingContext2D => {
    const context = canvasOf(width / by, height / by);
    context.drawImage(scene.canvas, 0, 0, width / by, height / by);
    return context;
  };
  const [half, quarter] = [smaller(2), smaller(4)];

  const encode = (of: OffscreenCanvasRenderingContext2D, type: string, as = quality): Promise<Blob> =>
    of.canvas.convertToBlob({ type, quality: as });
  const original = scene.getImageData(0, 0, width, height).data;
  const errorOf = async (file: Blob): Promise<number> => {
    const decoded = canvasOf(width, height);
    decoded.drawImage(await createImageBitmap(file), 0, 0);
    const { data } = decoded.getImageData(0, 0, width, height);
    let error = 0;
    for (let i = 0; i < data.length; i += 1) error += ((data[i] ?? 0) - (original[i] ?? 0)) ** 2;
    return error;
  };
  const large = await encode(scene, 'image/jpeg');
  const allowed = await errorOf(large);
  let [low, high] = [0, 0.99];
  for (let i = 0; i < 7; i += 1) {
    const middle = (low + high) / 2;
    if ((await errorOf(await encode(scene, 'image/webp', middle))) <= allowed) high = middle;
    else low = middle;
  }
  const textOf = async (file: Blob): Promise<string> => {
    const bytes = new Uint8Array(await file.arrayBuffer());
    let text = '';
    for (let i = 0; i < bytes.length; i += 8_192) text += String.fromCharCode(...bytes.subarray(i, i + 8_192));
    return btoa(text);
  };
  return {
    large: await textOf(large),
    small: await textOf(await encode(half, 'image/jpeg')),
    webp: await textOf(await encode(scene, 'image/webp', high)),
    png: await textOf(await encode(quarter, 'image/png')),
    // Chrome loses nothing at the highest quality.
    lossless: await textOf(await encode(quarter, 'image/webp', 1)),
  };
}
