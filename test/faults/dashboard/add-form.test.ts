import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Limiter } from '../../../src/quota/quota-port.ts';
import type { DnsFindings } from '../../../src/use-cases/dns-lookup-port.ts';
import { issueView } from '../../../src/use-cases/issue-view.ts';
import { createLookups } from '../../../src/use-cases/lookup-queue.ts';
import type { Browsing } from '../../support/browser.ts';
import { axe, overhang, startBrowser } from '../../support/browser.ts';
import type { DashboardInMemory } from '../../support/dashboard-in-memory.ts';
import { startDashboardInMemory } from '../../support/dashboard-in-memory.ts';
import type { InMemoryApi } from '../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';
import { emptyDns, emptyZone } from '../../support/scripted-lookups.ts';
import { fromNow } from '../../support/from-now.ts';

/** The form that adds a domain, in a browser: what it says while somebody types, and what that costs. */

let api: InMemoryApi;
let dashboard: DashboardInMemory;
let browser: Browsing;
const looked: string[] = [];
/** the part of the quota that is left */
let left = 1;
let refused = false;
/** what a request may cost at most */
let dearest = 10;

const old = { name: 'www', fqdn: 'www.example.com', type: 'A', value: '192.0.2.1' };
const found: DnsFindings = {
  ...emptyZone,
  dnsHost: { id: 'x', name: 'Example DNS', labels: { name: null, value: null } },
  recordFindings: [{ purpose: 'Routing', status: 'Wrong', found: ['A 192.0.2.1'] }],
  issues: [
    {
      ...issueView({ code: 'StrayAddress', message: 'm', record: '', fix: 'f', act: 'ReplaceAddresses' }),
      params: { name: 'www.example.com', zone: 'example.com' },
      delete: [old],
    },
  ],
};

const limiter: Limiter = {
  recall: () => null,
  decide: ({ spend = 1 }) => {
    const now = fromNow(0);
    const minute = { limit: 1_000, remaining: Math.floor(1_000 * left), resetsAtMs: now + 30_000 };
    const common = {
      now,
      minute,
      day: minute,
      binding: 'minute',
      ban: null,
      banBegins: false,
      degraded: false,
    } as const;
    return Promise.resolve(
      refused || spend > dearest
        ? { ...common, kind: 'limited', retryAfter: 30 }
        : { ...common, kind: 'allowed', retryAfter: null },
    );
  },
  close: () => Promise.resolve(),
};

beforeAll(async () => {
  const dns = {
    look: async (request: Parameters<typeof emptyDns.look>[0], signal: AbortSignal) => {
      looked.push(request.hostname);
      await emptyDns.look(request, signal);
      return found;
    },
  };
  const memory = createInMemoryApi({}, createLookups({ dns }));
  api = { ...memory, dependencies: { ...memory.dependencies, limiter } };
  api.account('acme', 'business');
  for (const project of ['both', 'once', 'plain', 'one']) api.project('acme', project);
  dashboard = await startDashboardInMemory(api);
  browser = await startBrowser(dashboard.url);
}, 120_000);

afterEach(async () => {
  left = 1;
  refused = false;
  dearest = 10;
  looked.length = 0;
  await browser.leave();
});

afterAll(async () => {
  await browser.close();
  dashboard.stop();
});

const address = (project: string) => `${dashboard.url}/dashboard/projects/${project}`;

async function openForm(project: string, options = {}): Promise<Page> {
  const { page } = await browser.visit(options);
  await page.goto(address(project));
  return page;
}

const hostname = (page: Page) => page.getByRole('textbox', { name: 'Domain name' });
const look = (page: Page) => page.getByRole('region', { name: 'What we found in DNS' });

/** Counts what is asked of the server from now on, by the last part of its path. */
function counting(page: Page): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  page.on('request', (request) => {
    const path = new URL(request.url()).pathname.split('/').at(-1) ?? '';
    counts[path] = (counts[path] ?? 0) + 1;
  });
  return counts;
}

describe('while a hostname is typed', () => {
  it('Add’s answer comes first and the look at DNS after it; neither makes anything', async () => {
    const page = await openForm('once');
    const counts = counting(page);
    await hostname(page).pressSequentially('www.example.com', { delay: 40 });
    await page.getByText('can be added and will show your project').waitFor();
    await look(page).waitFor();
    const text = (await look(page).innerText()).replaceAll(/\s+/g, ' ');
    expect(text).toContain('managed at Example DNS');
    expect(text).toMatch(/A 192\.0\.2\.1.*CNAME p-[a-z2-7]{26}/);
    expect(text).toContain('StrayAddress');
    expect(counts).toMatchObject({ look: 1 });
    expect(looked).toEqual(['www.example.com']);
    expect(api.cluster.written).toEqual([]);
    expect(await axe(page)).toEqual([]);
    expect(await browser.leave()).toEqual([]);
  }, 60_000);

  it('each hostname is looked at once, and only when it is whole', async () => {
    const page = await openForm('once');
    const counts = counting(page);
    await page.clock.install();
    await hostname(page).fill('www.example.c');
    await page.getByText('can be added').waitFor();
    await page.clock.fastForward(1_500);
    expect(looked).toEqual([]);
    for (const name of ['www.example.com', 'shop.example.com', 'www.example.com']) {
      await hostname(page).fill(name);
      await page.getByText(`${name} can be added`).waitFor();
      await look(page).waitFor();
    }
    expect(looked).toEqual(['www.example.com', 'shop.example.com']);
    expect(counts).toMatchObject({ look: 2 });
  }, 60_000);

  it('a look that is under way ends when something else is typed', async () => {
    const page = await openForm('once');
    await hostname(page).fill('silent.example.com');
    await page.getByText('Checking DNS…').waitFor();
    await hostname(page).fill('www.example.com');
    await look(page).waitFor();
    expect(looked).toEqual(['silent.example.com', 'www.example.com']);
    expect(api.dependencies.lookups.counts().get('running')).toBe(0);
    expect(await page.getByText('hasn’t answered').count()).toBe(0);
  }, 60_000);

  it('a DNS that does not answer is told within two seconds, and the domain can be added', async () => {
    const page = await openForm('once');
    await hostname(page).fill('silent.example.com');
    await page.getByText('DNS hasn’t answered yet. You can add the domain anyway').waitFor();
    expect(await page.getByRole('button', { name: 'Add domain' }).isEnabled()).toBe(true);
  }, 60_000);

  it('a quota that runs low is kept for what the customer does; DNS is looked at on demand', async () => {
    left = 0.2;
    const page = await openForm('once');
    await hostname(page).fill('www.example.com');
    await page.getByText('DNS isn’t checked while you type').waitFor();
    expect(looked).toEqual([]);
    await page.getByRole('button', { name: 'Check DNS first' }).click();
    await look(page).waitFor();
    expect(looked).toEqual(['www.example.com']);
  }, 60_000);

  it('a quota that is used up is told, and nothing is in the way of the form', async () => {
    const page = await openForm('once');
    refused = true;
    await hostname(page).fill('www.example.com');
    await page.getByRole('button', { name: 'Check DNS first' }).click();
    await page.getByText('Your request limit is used up for now').waitFor();
    expect(await hostname(page).inputValue()).toBe('www.example.com');
    expect(looked).toEqual([]);
  }, 60_000);

  it('nothing is asked before Retry-After has passed, whatever is typed: that would end in a ban', async () => {
    const page = await openForm('once');
    await page.clock.install();
    refused = true;
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') asked.push(request.url());
    });
    await hostname(page).fill('www.example.com');
    await page.clock.runFor(1_000);
    await page.getByText('The check continues in 1 minute.').waitFor();
    expect(asked).toHaveLength(1);
    for (const typed of ['shop.example.com', 'app.example.com']) {
      await hostname(page).fill(typed);
      await page.clock.runFor(2_000);
    }
    await page.getByRole('button', { name: 'Check DNS first' }).click();
    await page.clock.runFor(2_000);
    await page.getByText('The check continues in 1 minute.').waitFor();
    expect(asked).toHaveLength(1);
    refused = false;
    await page.clock.runFor(31_000);
    await page.getByText('can be added and will show your project').waitFor();
  }, 60_000);

  it('a look that the quota has too little left for says when it will be possible', async () => {
    dearest = 1;
    const page = await openForm('once');
    await hostname(page).fill('www.example.com');
    await page.getByText('Try again in 30 seconds. You don’t need the check to add the domain.').waitFor();
    expect(looked).toEqual([]);
    await page.getByText('can be added and will show your project').waitFor();
  }, 60_000);
});

describe('www and the bare domain', () => {
  it('are one choice, which names the other one, and are added together', async () => {
    const page = await openForm('both');
    await hostname(page).fill('www.both-example.com');
    const choice = page.getByRole('checkbox', { name: 'Also add both-example.com as a redirect' });
    await choice.waitFor();
    expect(await choice.isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Add domain' }).click();
    await page.getByRole('heading', { level: 1, name: 'Set up 2 domains' }).waitFor();
    const spec = (name: string) => api.stores.domains.get({ namespace: 'acme', name })?.spec;
    expect(spec('www.both-example.com')?.role).toBe('Primary');
    expect(spec('both-example.com')?.redirect?.to).toBe('www.both-example.com');
  }, 60_000);

  it('are no choice for a subdomain, nor where the other one is there', async () => {
    api.domain('acme', 'one-example.com', {
      spec: { project: 'one', hostname: 'one-example.com', role: 'Primary' },
    });
    const page = await openForm('one');
    for (const name of ['shop.example.com', 'www.one-example.com']) {
      await hostname(page).fill(name);
      await page.getByText(`${name} can be added`).waitFor();
      expect([name, await page.locator('#pair').isVisible()]).toEqual([name, false]);
      expect(await page.locator('#pair input').isDisabled()).toBe(true);
    }
  }, 60_000);
});

describe('without script', () => {
  it('DNS is checked by a button, and the domain is added with its counterpart', async () => {
    const page = await openForm('plain', { javaScriptEnabled: false });
    await hostname(page).fill('www.plain-example.com');
    await page.getByRole('button', { name: 'Check DNS first' }).click();
    await look(page).waitFor();
    expect(await hostname(page).inputValue()).toBe('www.plain-example.com');
    expect(await page.getByRole('checkbox', { name: /Also add/ }).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Add domain' }).click();
    await page.getByRole('heading', { level: 1, name: 'Set up 2 domains' }).waitFor();
    await page.goto(address('plain'));
    expect(await page.locator('#domains tbody tr').count()).toBe(2);
  }, 60_000);
});

const windows = [
  { name: 'desk', viewport: { width: 1280, height: 720 } },
  { name: 'phone', viewport: { width: 390, height: 664 } },
  { name: 'small phone', viewport: { width: 320, height: 568 } },
] as const;

describe.each(windows)('on a $name', ({ viewport }) => {
  it.each(['light', 'dark'] as const)(
    'the one primary action is in the first view, and nothing overhangs (%s)',
    async (colorScheme) => {
      const page = await openForm('once', { viewport, colorScheme });
      const primary = page.locator('.main:visible');
      expect(await primary.count()).toBe(1);
      expect(await primary.innerText()).toBe('Add domain');
      const box = await primary.boundingBox();
      expect(box === null ? null : box.y + box.height <= viewport.height && box.x + box.width <= viewport.width).toBe(
        true,
      );
      await hostname(page).fill(`${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.com`);
      await look(page).waitFor();
      await page.getByText('More options').click();
      expect(await overhang(page)).toBe(0);
      expect(await axe(page)).toEqual([]);
    },
    60_000,
  );
});
