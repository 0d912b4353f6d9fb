import type { Page } from 'playwright-core';
import { spacedText } from './spaced-text.ts';

/**
 * The one-action contract: where the customer can act, a page has exactly one primary action, whole in the first viewport
 * and not covered, with at most 40 words before it; elsewhere it has none.
 */

export const viewports = [
  { width: 1280, height: 720 },
  { width: 390, height: 664 },
  { width: 320, height: 568 },
] as const;
export const themes = ['light', 'dark'] as const;

const words = `(element) => {
  const isBefore = (node) => element.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_PRECEDING;
  const shown = (node) => isBefore(node) && node.parentElement.checkVisibility();
  return ${spacedText}(document.querySelector('main'), shown).split(' ').filter(Boolean).length;
}`;

/** What is wrong with the page as it is shown now. */
const faults = (hasAction: boolean) => `(() => {
  const found = [];
  const actions = [...document.querySelectorAll('main .main')].filter((one) => one.checkVisibility());
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (wide > 0) found.push('wider than the window by ' + wide);
  if (actions.length !== ${hasAction ? 1 : 0}) return [...found, actions.length + ' primary actions'];
  if (actions.length === 0) return found;
  const [action] = actions;
  const { top, left, bottom, right, width, height } = action.getBoundingClientRect();
  if (top < 0 || left < 0 || bottom > innerHeight || right > innerWidth) found.push('outside of the first viewport: ' + [top, left, bottom, right]);
  else if (!action.contains(document.elementFromPoint(left + width / 2, top + height / 2))) found.push('covered');
  const before = (${words})(action);
  if (before > 40) found.push(before + ' words before the action');
  return found;
})()`;

/** Every fault of the page that is open, at every size and in both themes. */
export async function actionFaults(page: Page, hasAction: boolean): Promise<readonly string[]> {
  const found: string[] = [];
  for (const viewport of viewports) {
    await page.setViewportSize(viewport);
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme });
      const here = await page.evaluate<readonly string[]>(faults(hasAction));
      found.push(...here.map((text) => `${viewport.width} ${colorScheme}: ${text}`));
    }
  }
  return found;
}
