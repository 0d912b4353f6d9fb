import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Browsing } from '../support/browser.ts';
import { axe, browserNames, overhang, startBrowser } from '../support/browser.ts';

/** The browser's watchers notice what they are there for. */

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src *";

/** As the dashboard's pages are: Firefox shows such a page in a context of its own. */
const isolated = { 'cross-origin-opener-policy': 'same-origin' };

const files: Readonly<Record<string, readonly [type: string, text: string]>> = {
  '/': [
    'text/html',
    '<!doctype html><html lang="en"><link rel="icon" href="/icon"><title>t</title><main><h1>t</h1></main>',
  ],
  '/icon': ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  '/throws.js': ['text/javascript', 'null.x'],
  '/asks.js': ['text/javascript', "fetch('/nothing')"],
  '/inline-script': ['text/html', '<!doctype html><link rel="icon" href="/icon"><script>1</script>'],
  '/inline-style': ['text/html', '<!doctype html><link rel="icon" href="/icon"><p style="color:red">'],
  '/script-throws': ['text/html', '<!doctype html><link rel="icon" href="/icon"><script src="throws.js"></script>'],
  '/script-asks': ['text/html', '<!doctype html><link rel="icon" href="/icon"><script src="asks.js"></script>'],
  '/rejects.js': ['text/javascript', "Promise.reject(new Error('rejected'))"],
  '/warns.js': ['text/javascript', "console.warn('warned')"],
  '/renames.js': ['text/javascript', "document.querySelector('h1').textContent = 'with script'"],
  '/script-rejects': ['text/html', '<!doctype html><link rel="icon" href="/icon"><script src="rejects.js"></script>'],
  '/script-warns': ['text/html', '<!doctype html><link rel="icon" href="/icon"><script src="warns.js"></script>'],
  '/script-renames': [
    'text/html',
    '<!doctype html><link rel="icon" href="/icon"><h1>without script</h1><script src="renames.js"></script>',
  ],
  '/foreign': ['text/html', '<!doctype html><link rel="icon" href="/icon"><img src="http://foreign.example/x.png">'],
  '/faint': ['text/html', '<!doctype html><title>t</title><link rel="icon" href="/icon"><img src="/icon">'],
  '/wide': ['text/html', `<!doctype html><link rel="icon" href="/icon">${'wide'.repeat(400)}`],
};

const server = createServer((request, response) => {
  const [type = 'text/plain', text] = files[request.url ?? ''] ?? [];
  response.writeHead(text === undefined ? 404 : 200, {
    'content-type': type,
    'content-security-policy': policy,
    ...isolated,
  });
  response.end(text);
});

beforeAll(() => new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening)));

afterAll(() => void server.close());

describe.each(browserNames)('in %s a page', (name) => {
  let browser: Browsing;
  beforeAll(async () => {
    browser = await startBrowser(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, name);
  }, 120_000);
  afterEach(() => browser.leave());
  afterAll(() => browser.close());

  it.each<[string, string, readonly RegExp[]]>([
    ['that is well has no faults', '/', []],
    ['with a script in it violates the policy', '/inline-script', [/script-src 'self'/]],
    ['with a style attribute violates the policy', '/inline-style', [/style-src 'self'/]],
    ['whose script throws', '/script-throws', [/^script: .*null/]],
    ['whose script rejects a promise', '/script-rejects', [/^script: .*rejected/]],
    ['whose script warns', '/script-warns', [/^console: warned/]],
    ['whose script is answered 404', '/script-asks', [/^answered 404: GET .*\/nothing$/]],
    ['with a picture of another host', '/foreign', [/^elsewhere: http:\/\/foreign\.example/, /^failed/]],
  ])('%s', async (_, path, faults) => {
    const { page } = await browser.visit();
    await page.goto(path, { waitUntil: 'networkidle' });
    const seen = await browser.leave();
    expect(seen).toHaveLength(faults.length);
    for (const fault of faults) expect(seen).toContainEqual(expect.stringMatching(fault));
  });

  it('that is expected to have a fault has no other', async () => {
    const visitor = await browser.visit();
    visitor.expectFaults(/null/);
    await visitor.page.goto('/script-throws', { waitUntil: 'networkidle' });
    await visitor.page.goto('/script-asks', { waitUntil: 'networkidle' });
    expect(await browser.leave()).toEqual([expect.stringContaining('404')]);
  });

  it('without a text for its picture is a violation; a page that is well is none', async () => {
    const { page } = await browser.visit();
    await page.goto('/faint');
    expect(await axe(page)).toContainEqual(expect.stringMatching(/^image-alt/));
    await page.goto('/');
    expect(await axe(page)).toEqual([]);
  });

  it.each([
    ['with script, as it is', true, 'with script'],
    ['without script', false, 'without script'],
  ])('has its heading %s', async (_, javaScriptEnabled, expected) => {
    const { page } = await browser.visit({ javaScriptEnabled });
    for (const times of [1, 2]) {
      await page.goto('/script-renames', { waitUntil: 'networkidle' });
      expect([times, await page.getByRole('heading').innerText()]).toEqual([times, expected]);
    }
  });

  it('is light until it is made dark, and dark from the beginning if the visitor likes it so', async () => {
    const isDark = (page: Page) => page.evaluate<boolean>("matchMedia('(prefers-color-scheme: dark)').matches");
    const { page } = await browser.visit();
    await page.goto('/');
    expect(await isDark(page)).toBe(false);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await isDark(page)).toBe(colorScheme === 'dark');
      await page.goto('/wide');
      expect(await isDark(page)).toBe(colorScheme === 'dark');
    }
    const { page: dark } = await browser.visit({ colorScheme: 'dark' });
    await dark.goto('/');
    expect(await isDark(dark)).toBe(true);
    expect(await isDark(page)).toBe(false);
  });

  it('resolves no name, not even one that the machine has in its own table', async () => {
    const { page } = await browser.visit();
    const { port } = server.address() as AddressInfo;
    await expect(page.goto(`http://${hostname()}:${port}/`)).rejects.toThrow(/NAME_NOT_RESOLVED|UNKNOWN_HOST/);
  });

  it('that is too wide overhangs', async () => {
    const { page } = await browser.visit({ viewport: { width: 320, height: 640 } });
    await page.goto('/wide');
    expect(await overhang(page)).toBeGreaterThan(1_000);
    await page.goto('/');
    expect(await overhang(page)).toBe(0);
  });
});
