import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { debianBrowsers, findDebian } from '../../dev/platform/debian.ts';
import { forbidScript, launchFirefox } from './firefox.ts';
import { listenForFaults } from './page-faults.ts';

/** A person at a browser: cookies and storage of its own. */
export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** what is no fault of the dashboard from now on, as when a server is stopped on purpose */
  expectFaults(pattern: RegExp): void;
}

/** A browser for one test file. */
export interface Browsing {
  visit(options?: BrowserContextOptions): Promise<Visitor>;
  /**
   * Every visitor leaves. Resolves to what went wrong on their pages: errors of the console (violations of the
   * Content-Security-Policy are among them) and of scripts, and requests that failed, were refused or went elsewhere.
   */
  leave(): Promise<readonly string[]>;
  close(): Promise<void>;
}

const root = join(import.meta.dirname, '../..');
const patienceMs = 60_000;

export const browserNames = ['chromium', 'firefox'] as const;
type BrowserName = (typeof browserNames)[number];

/** The browser that this run of a test file is for; some files run once in each (dev/lanes/lanes.ts). */
const browserOfRun = (): BrowserName => (process.env.PROJECTDOMAIN_BROWSER === 'firefox' ? 'firefox' : 'chromium');

/** A browser of Debian, installed when it is missing and we may. It resolves no names: only addresses can be reached. */
export async function startBrowser(baseUrl: string, name = browserOfRun()): Promise<Browsing> {
  const [path = ''] = await findDebian([debianBrowsers[name]], (line) => process.stderr.write(`${line}\n`));
  const browser = await (name === 'firefox' ? launchFirefox(path) : launchChromium(path));
  const here: (Visitor & { readonly faults: readonly string[] })[] = [];
  return {
    async visit(options = {}) {
      const visitor = await arrive(browser, { baseURL: baseUrl, ...options });
      if (name === 'firefox') await settle(browser, visitor.page, options);
      here.push(visitor);
      return visitor;
    },
    async leave() {
      const left = here.splice(0);
      const faults = left.flatMap((visitor) => visitor.faults);
      for (const { context } of left) await context.close();
      return faults;
    },
    close: () => browser.close(),
  };
}

const launchChromium = (executablePath: string): Promise<Browser> =>
  chromium.launch({
    executablePath,
    headless: true,
    args: [
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.*',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  });

/** What Playwright leaves undone in Firefox when a visitor arrives. */
async function settle(browser: Browser, page: Page, options: BrowserContextOptions): Promise<void> {
  await page.emulateMedia({ colorScheme: options.colorScheme ?? 'light' });
  if (options.javaScriptEnabled === false) await forbidScript(browser, page);
}

async function arrive(browser: Browser, options: BrowserContextOptions & { readonly baseURL: string }) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(patienceMs);
  const faults: string[] = [];
  const expected: RegExp[] = [];
  const report = (line: string) => void (expected.some((pattern) => pattern.test(line)) || faults.push(line));
  const page = await context.newPage();
  listenForFaults(page, new URL(options.baseURL).origin, report);
  return { page, context, faults, expectFaults: (pattern: RegExp) => void expected.push(pattern) };
}

const axeSource = readFileSync(join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');
const axeRun = `axe.run(document, {
  resultTypes: ['violations'],
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
}).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
  nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 200) + ' ' + failureSummary.replaceAll('\\n', ' '))))`;

/** What WCAG 2.2 AA finds wrong with the page as it stands; evaluated over the debugger, which no policy of the page keeps out. */
export async function axe(page: Page): Promise<readonly string[]> {
  await page.evaluate(axeSource);
  return page.evaluate<readonly string[]>(axeRun);
}

/** By how many pixels the page is wider than its window. */
export const overhang = (page: Page): Promise<number> =>
  page.evaluate<number>('Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)');
