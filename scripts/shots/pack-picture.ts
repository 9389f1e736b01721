import type { Browser } from 'playwright';

/** What runs in the page: Chromium writes WebP without loss where the quality is 1. */
const PACK = `async (png) => {
  const bitmap = await createImageBitmap(await (await fetch('data:image/png;base64,' + png)).blob());
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('2d').drawImage(bitmap, 0, 0);
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 1 });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += 32768) {
    text += String.fromCharCode(...bytes.subarray(at, at + 32768));
  }
  return btoa(text);
}`;

/** Writes a PNG picture as WebP, without loss and with a quarter fewer bytes. */
export async function createPacker(browser: Browser): Promise<(png: Buffer) => Promise<Buffer>> {
  const page = await browser.newPage();
  return async (png) => {
    const packed: string = await page.evaluate(
      `(${PACK})(${JSON.stringify(png.toString('base64'))})`,
    );
    return Buffer.from(packed, 'base64');
  };
}
