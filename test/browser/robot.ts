import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator, Page, Response } from 'playwright-core';
import { button } from './customer.ts';
import type { DnsForm, FormRecord } from '../support/dns-form.ts';

/**
 * A customer who knows nothing of domains and does only what a page says: copies the records that it shows into the forms
 * of the DNS host, and follows its one primary action. Where a page asks somebody else to act, that one acts.
 */
export interface Robot {
  readonly page: Page;
  /** Types a hostname where a project's page asks for one. */
  add(project: string, hostname: string): Promise<void>;
  /** Looks at the domain's page once and does what it says. `zone`: where the customer manages its DNS. */
  visit(domain: Visited): Promise<Sight>;
}

export interface Visited {
  readonly project: string;
  readonly hostname: string;
  readonly zone: string;
}

/** What the page showed when it was looked at. */
export interface Sight {
  /** null when there is no page of the domain any more */
  readonly pill: string | null;
  readonly step: string;
  /** what the primary action says; null where there is none */
  readonly action: string | null;
  readonly text: string;
}

/** Somebody beside the customer: acts, once for each domain, when a page has this sentence. */
export interface Helper {
  readonly says: RegExp;
  readonly act: (domain: Visited) => Promise<void>;
}

interface RobotOptions {
  readonly page: Page;
  readonly form: DnsForm;
  readonly helpers: readonly Helper[];
}

interface Memory {
  readonly seen: string;
  readonly clickedAt: number;
}

/** Nobody clicks again at once where nothing has changed; and a check within ten seconds of another joins it. */
const patienceMs = 11_000;
const mostPages = 4;

/** Where somebody arrives who has added a domain and the other of its pair. */
const severalDomains = (page: Page): Locator => page.getByRole('heading', { level: 1, name: /^Set up \d+ domains$/ });

/** A form that was sent when no request was left. */
const usedUp = (page: Page): Locator => page.getByRole('heading', { level: 1, name: 'The request limit is reached' });

export function createRobot({ page, form, helpers }: RobotOptions): Robot {
  const memories = new Map<string, Memory>();
  const helped = new Set<string>();
  const urlOf = ({ project, hostname }: Visited) => `/dashboard/projects/${project}/domains/${hostname}`;
  return {
    page,
    async add(project, hostname) {
      const arrived = page.getByRole('heading', { level: 1, name: hostname }).or(severalDomains(page));
      do {
        await open(page, `/dashboard/projects/${project}`);
        await page.getByRole('textbox', { name: 'Domain name' }).fill(hostname);
        await follow(page);
        await arrived.or(usedUp(page)).waitFor();
      } while (!(await arrived.isVisible()));
    },
    async visit(domain) {
      const answer = await open(page, urlOf(domain));
      if (answer?.status() === 404) return { pill: null, step: '', action: null, text: '' };
      const sight = await look(page);
      for (const [index, { says, act }] of helpers.entries()) {
        const turn = `${index} ${domain.hostname}`;
        if (!says.test(sight.text) || helped.has(turn)) continue;
        helped.add(turn);
        await act(domain);
      }
      if (sight.action === null) return sight;
      const hasChanged = await copyRecords(page, form, domain.zone);
      const memory = memories.get(domain.hostname);
      const isSame = memory?.seen === sight.text && Date.now() - memory.clickedAt < patienceMs;
      if (isSame && !hasChanged) return sight;
      memories.set(domain.hostname, { seen: sight.text, clickedAt: Date.now() });
      await followAll(page, urlOf(domain));
      return sight;
    },
  };
}

/** A robot reads faster than people do: where its pages are used up it waits as long as the page says. */
export async function open(page: Page, url: string): Promise<Response | null> {
  for (;;) {
    const answer = await page.goto(url);
    if (answer?.status() !== 429) return answer;
    await sleep(1_000 * Number(answer.headers()['retry-after'] ?? 1));
  }
}

/** The primary action; of a question that the page has opened, while there is one. */
async function primary(page: Page): Promise<Locator> {
  const dialog = page.locator('dialog[open] .main');
  return (await dialog.count()) > 0 ? dialog : page.locator('main .main');
}

async function look(page: Page): Promise<Sight> {
  const action = await primary(page);
  const count = await action.count();
  if (count > 1) throw new Error(`${page.url()} has ${count} primary actions`);
  return {
    pill: await page.locator('#state .pill').innerText(),
    step: await page.locator('.step').innerText(),
    action: count === 0 ? null : await action.innerText(),
    text: await page.getByRole('main').innerText(),
  };
}

/** Follows the one primary action, and waits for what comes of it: a page or a question. */
async function follow(page: Page): Promise<void> {
  const arrived = page.waitForEvent('framenavigated', { timeout: 10_000 }).catch(() => null);
  const asked = page
    .locator('dialog[open] .main')
    .waitFor({ timeout: 10_000 })
    .catch(() => null);
  await (await primary(page)).click();
  await Promise.race([arrived, asked]);
  await page.waitForLoadState('load');
}

/** Also through the pages that ask before something is done. */
async function followAll(page: Page, home: string): Promise<void> {
  for (let pages = 0; pages < mostPages; pages += 1) {
    await follow(page);
    const isQuestion = (await page.locator('dialog[open]').count()) > 0;
    if (!isQuestion && !new URL(page.url()).pathname.startsWith(`${home}/`)) return;
  }
  throw new Error(`${page.url()} asks without end`);
}

const rowsOf = (page: Page, verb: RegExp): Locator =>
  page
    .getByRole('main')
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: verb }) });

/** Does in the form what the page shows, deletions first. Resolves to whether there was anything to do. */
async function copyRecords(page: Page, form: DnsForm, zone: string): Promise<boolean> {
  let hasChanged = false;
  for (const row of await rowsOf(page, /^(\d+\. )?Delete/).all()) {
    const record = await readRecord(row);
    if (!form.has(zone, record)) continue;
    await form.remove(zone, record);
    hasChanged = true;
  }
  const instead = await rowsOf(page, /^(or this|or these|and this)/).all();
  for (const row of await rowsOf(page, /^(\d+\. )?(Add|You need)/).all()) {
    const record = await copyRecord(page, row);
    if (form.has(zone, record)) continue;
    const isOffered = await offered(() => form.create(zone, record));
    // Alternatives stand below the record that not every form has.
    if (!isOffered) for (const other of instead) await form.create(zone, await copyRecord(page, other));
    hasChanged = true;
  }
  return hasChanged;
}

/** Whether the form has the type. */
async function offered(create: () => Promise<void>): Promise<boolean> {
  try {
    await create();
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.includes('has no ALIAS')) return false;
    throw error;
  }
}

/** Type, name and value as they are read; all records of a type where no value is shown. */
async function readRecord(row: Locator): Promise<FormRecord> {
  const [type, name, value] = await row.getByRole('cell').all();
  const read = async (cell: Locator | undefined) => {
    const code = cell?.locator('code').first();
    return code && (await code.count()) > 0 ? code.innerText() : '*';
  };
  return { type: await read(type), name: await read(name), value: await read(value) };
}

/** The same with name and value from the clipboard. */
async function copyRecord(page: Page, row: Locator): Promise<FormRecord> {
  const { type } = await readRecord(row);
  const copied = async (label: string) => {
    await button(page, label).and(row.getByRole('button')).click();
    return page.evaluate<string>('navigator.clipboard.readText()');
  };
  return { type, name: await copied('Copy name'), value: await copied('Copy value') };
}
