import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Around } from './contradictions.ts';
import { contradictions } from './contradictions.ts';
import { pageFacts } from './page-facts.ts';

const pictures = join(import.meta.dirname, '../../docs/dashboard');
const tallest = 1_600;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Reads the page, in every run, and rejects if it contradicts itself. */
export async function beTrue(page: Page, name: string, around: Around = {}): Promise<void> {
  const found = contradictions(await pageFacts(page), around);
  if (found.length > 0) throw new Error(`${name} contradicts itself: ${found.join('; ')}`);
}

/**
 * Reads the page, then writes docs/dashboard/<name>.png; but that only when PROJECTDOMAIN_SHOTS is set, as pictures are
 * taken on purpose.
 */
export async function shot(page: Page, name: string, around: Around = {}): Promise<void> {
  await beTrue(page, name, around);
  if (process.env.PROJECTDOMAIN_SHOTS === undefined) return;
  const path = join(pictures, `${name}.png`);
  // A dialog covers the window, not the page.
  if ((await page.locator('dialog[open]').count()) > 0)
    return void (await page.screenshot({ path, animations: 'disabled' }));
  const before = page.viewportSize();
  const { width, height } = await page.evaluate<Size>(
    '({ width: document.documentElement.clientWidth, height: document.documentElement.scrollHeight })',
  );
  // What stays at the lower edge of the window is then at the lower edge of the picture.
  await page.setViewportSize({ width, height: Math.min(height, tallest) });
  await page.screenshot({ path, animations: 'disabled' });
  if (before) await page.setViewportSize(before);
}
