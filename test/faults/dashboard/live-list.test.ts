import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { createDashboard } from '../../../src/dashboard/dashboard-app.ts';
import { agentOf } from '../../../src/dashboard/request-guard.ts';
import type { Sessions } from '../../../src/dashboard/sessions/sessions-port.ts';
import { createApp } from '../../../src/server/http-app.ts';
import type { Browsing } from '../../support/browser.ts';
import { startBrowser } from '../../support/browser.ts';
import type { InMemoryApi } from '../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';

/** The list of a project's domains in a browser while domains are added: the script of the dashboard on its own pages. */

const agent = 'a browser';
let api: InMemoryApi;
let server: Server;
let url: string;
let browser: Browsing;

beforeAll(async () => {
  api = createInMemoryApi();
  api.account('acme', 'enterprise');
  api.project('acme', 'small');
  const { keyId = '' } = api.stores.apiKeys.list()[0]?.spec ?? {};
  const session = { account: 'acme', keyId, agent: agentOf({ headers: { 'user-agent': agent } } as never) };
  const sessions: Sessions = {
    open: () => Promise.reject(new Error('no session is opened here')),
    find: () => Promise.resolve(session),
    end: () => Promise.resolve(),
  };
  const ignore = () => undefined;
  const app = createApp({
    dependencies: api.dependencies,
    address: () => '127.0.0.1',
    isHttps: () => false,
    arrived: ignore,
    served: ignore,
    decided: ignore,
    failed: (error) => void process.stderr.write(`${String(error)}\n`),
    during: (_, work) => work(),
    pages: (mount) => createDashboard({ ...mount, dependencies: { ...api.dependencies, sessions } }),
  });
  server = createServer((request, response) => {
    // Signed in: a browser keeps the cookie over HTTPS only.
    request.headers.cookie = '__Host-projectdomain=abcdefgh23456777.secret';
    request.headers['user-agent'] = agent;
    app(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await startBrowser(url);
}, 120_000);

afterAll(async () => {
  await browser.close();
  api.stop();
  server.closeAllConnections();
  server.close();
});

const add = (project: string, name: string) => {
  const hostname = `${name}.example.com`;
  const redirect = { to: 'acme.apps.example.net' };
  api.domain('acme', hostname, { spec: { project, hostname, role: 'Redirect', redirect } });
};

const numbered = (index: number) => `d${String(index).padStart(3, '0')}`;

/** Opens the list and waits until its updates are live. */
async function openList(project: string): Promise<Page> {
  const { page } = await browser.visit();
  await page.goto(`${url}/dashboard/projects/${project}`);
  await page.getByText('Updates: live').waitFor();
  return page;
}

const row = (page: Page, name: string) => page.locator(`[id="row-${name}.example.com"]`);

describe('the list of domains', () => {
  it('of several pages gets the rows of its own page only', async () => {
    for (let index = 0; index < 450; index += 1) add('shop', numbered(index));
    const first = await openList('shop');
    const second = await openList('shop');
    await second.getByRole('link', { name: 'More of the 450 domains' }).click();
    await second.getByText('Updates: live').waitFor();
    for (const name of ['a', 'd199a', 'd399a', 'd200a', 'd398a', 'd100a']) add('shop', name);
    await row(first, 'd100a').waitFor();
    await row(second, 'd398a').waitFor();
    const shown = async (page: Page) => {
      const names = ['a', 'd100a', 'd199a', 'd200a', 'd398a', 'd399a'];
      const counts = await Promise.all(names.map((name) => row(page, name).count()));
      return names.filter((_, index) => counts[index] === 1);
    };
    expect(await shown(first)).toEqual(['a', 'd100a']);
    expect(await shown(second)).toEqual(['d199a', 'd200a', 'd398a']);
    expect(await browser.leave()).toEqual([]);
  }, 60_000);

  it('has a filter as soon as it has eight rows', async () => {
    for (let index = 0; index < 7; index += 1) add('small', `s${index}`);
    const page = await openList('small');
    const filter = page.getByRole('searchbox', { name: 'Filter domains' });
    expect(await filter.isVisible()).toBe(false);
    add('small', 's7');
    await filter.waitFor();
    await filter.fill('s7');
    expect(await page.locator('#domains tbody tr:visible').count()).toBe(1);
    expect(await browser.leave()).toEqual([]);
  }, 60_000);
});
