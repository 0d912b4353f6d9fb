import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { patience } from '../../dev/lib/eventually.ts';
import { findDebian } from '../../dev/platform/debian.ts';

/** A person at a browser: cookies and storage of its own. */
export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** what is no fault of the dashboard from now on, as when a server is stopped on purpose */
  expectFaults(pattern: RegExp): void;
}

/** Chromium for one test file. */
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
const patienceMs = 20_000;

/** Chromium of Debian, installed when it is missing and we may. It resolves no names: only addresses can be reached. */
export async function startBrowser(baseUrl: string): Promise<Browsing> {
  const [executablePath = ''] = await findDebian([{ file: 'chromium', package: 'chromium' }], (line) =>
    process.stderr.write(`${line}\n`),
  );
  const browser = await chromium.launch({
    executablePath,
    headless: true,
    args: [
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.*',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  });
  const here: (Visitor & { readonly faults: readonly string[] })[] = [];
  return {
    async visit(options = {}) {
      const visitor = await arrive(browser, { baseURL: baseUrl, ...options });
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

async function arrive(browser: Browser, options: BrowserContextOptions & { readonly baseURL: string }) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(patienceMs * patience());
  const faults: string[] = [];
  const expected: RegExp[] = [];
  const report = (line: string) => void (expected.some((pattern) => pattern.test(line)) || faults.push(line));
  const page = await context.newPage();
  listen(page, new URL(options.baseURL).origin, report);
  return { page, context, faults, expectFaults: (pattern: RegExp) => void expected.push(pattern) };
}

type Report = (line: string) => void;

function listen(page: Page, origin: string, report: Report): void {
  page.on('pageerror', (error) => report(`script: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    if (!isAnswerOfPage(page, message)) report(`console: ${message.text()} (${message.location().url})`);
  });
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) report(`elsewhere: ${request.url()}`);
  });
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? '';
    if (why !== 'net::ERR_ABORTED') report(`failed: ${request.method()} ${request.url()}: ${why}`);
  });
}

/** Chromium reports a page with a status of 400 or more in the console; tests look at such pages themselves. */
function isAnswerOfPage(page: Page, message: ConsoleMessage): boolean {
  return message.text().startsWith('Failed to load resource') && isSame(message.location().url, page.url());
}

const isSame = (one: string, other: string): boolean => one.split('#')[0] === other.split('#')[0];

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

const shots = join(root, 'docs/dashboard');
const tallest = 2_000;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Writes docs/dashboard/<name>.png, but only when PROJECTDOMAIN_SHOTS is set: pictures are taken on purpose. */
export async function shot(page: Page, name: string): Promise<void> {
  if (process.env.PROJECTDOMAIN_SHOTS === undefined) return;
  const { width, height } = await page.evaluate<Size>(
    '({ width: document.documentElement.clientWidth, height: document.documentElement.scrollHeight })',
  );
  const clip = { x: 0, y: 0, width, height: Math.min(height, tallest) };
  await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true, animations: 'disabled', clip });
}
