import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browsing } from '../support/browser.ts';
import { axe, overhang, startBrowser } from '../support/browser.ts';

/** The browser's watchers notice what they are there for. */

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src *";

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
  '/foreign': ['text/html', '<!doctype html><link rel="icon" href="/icon"><img src="http://foreign.example/x.png">'],
  '/faint': ['text/html', '<!doctype html><title>t</title><link rel="icon" href="/icon"><img src="/icon">'],
  '/wide': ['text/html', `<!doctype html><link rel="icon" href="/icon">${'wide'.repeat(400)}`],
};

const server = createServer((request, response) => {
  const [type = 'text/plain', text] = files[request.url ?? ''] ?? [];
  response.writeHead(text === undefined ? 404 : 200, { 'content-type': type, 'content-security-policy': policy });
  response.end(text);
});

let browser: Browsing;

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  browser = await startBrowser(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

afterEach(() => browser.leave());

afterAll(async () => {
  await browser.close();
  server.close();
});

describe('a page', () => {
  it.each<[string, string, readonly RegExp[]]>([
    ['that is well has no faults', '/', []],
    ['with a script in it violates the policy', '/inline-script', [/script-src 'self'/]],
    ['with a style attribute violates the policy', '/inline-style', [/style-src 'self'/]],
    ['whose script throws', '/script-throws', [/^script: .*null/]],
    ['whose script is answered 404', '/script-asks', [/^console: .*404/]],
    ['with a picture of another host', '/foreign', [/^elsewhere: http:\/\/foreign\.example/, /^failed/, /^console/]],
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

  it('that is too wide overhangs', async () => {
    const { page } = await browser.visit({ viewport: { width: 320, height: 640 } });
    await page.goto('/wide');
    expect(await overhang(page)).toBeGreaterThan(1_000);
    await page.goto('/');
    expect(await overhang(page)).toBe(0);
  });
});
