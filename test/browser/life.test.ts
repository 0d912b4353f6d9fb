import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../../dev/lib/eventually.ts';
import { askHttps } from '../../dev/lib/https.ts';
import { beTrue } from '../support/picture.ts';
import { platformDeadlineMs } from '../support/platform.ts';
import {
  addDomain,
  button,
  domainRow,
  hasFocus,
  notice,
  openDomain,
  openMenu,
  openProject,
  records,
  recordsShown,
  region,
  removeDomain,
  see,
  seeText,
  signIn,
  stayOn,
  typeDomain,
  verifyDomain,
} from './customer.ts';
import type { InProcess } from './in-process.ts';
import { runInProcess } from './in-process.ts';
import type { Setup } from './setup.ts';
import { hostnames, seeLive, startWorld } from './setup.ts';

/**
 * The whole life of a domain by clicks alone. Operator and API server run in here, with a clock that is moved on to the
 * half hour in which a certificate does not come; all else is real.
 */

const www = 'www.example.com';
const apex = 'example.com';
const old = 'old.example.com';
const account = 'acme';
const patienceMs = 270_000;
const stepMs = 180_000;

let setup: Setup;
let page: Page;
let target: string;
let txt: string;
let here: InProcess;

beforeAll(async () => {
  setup = await startWorld();
  here = await runInProcess(setup);
  const key = await setup.customer(account, 'pro');
  ({ page } = await setup.browser.visit({ permissions: ['clipboard-read', 'clipboard-write'] }));
  await signIn(page, key);
}, platformDeadlineMs);

afterAll(async () => {
  const faults = await setup.browser.leave();
  await here.stop();
  await setup.close();
  expect(faults).toEqual([]);
}, platformDeadlineMs);

const visit = (hostname: string) =>
  askHttps({
    address: setup.platform.facts.ingressAddress,
    ca: readFileSync(setup.platform.facts.acmeRoot),
    hostname,
    path: '/a?b=c',
  });

/** How a hostname that was removed answers: at once nothing is served there, though the ingress controller may still route it. */
const answerOf = (hostname: string): Promise<string> =>
  visit(hostname).then(
    ({ status }) => (status === 404 ? 'not found' : String(status)),
    () => 'refused',
  );

/** Read by the operator's clock, which the times on the page are of. The page is told of the next check at the next heartbeat, fifteen seconds later at most. */
const readPage = (name: string): Promise<void> =>
  eventually(`${name} contradicts nothing`, 20_000, () => beTrue(page, name, { now: here.now() }));

const liveHere = () => seeLive(setup, page.getByRole('main'), patienceMs);

describe('the life of a domain', () => {
  it(
    'begins with a name; what will be asked for is shown while it is being typed, and what is asked for once it is added',
    async () => {
      await openProject(page, 'shop');
      await readPage('domains-empty');
      await typeDomain(page, { hostname: `https://${www.toUpperCase()}/shop` });
      await seeText(page, `${www} can be added`);
      await typeDomain(page, { hostname: www });
      await see(region(page, 'What we found in DNS').getByText(/CNAME/));
      await readPage('domains-preview');
      await button(page, 'Add domain').click();
      await see(page.getByRole('heading', { level: 1, name: www }));
      const [record] = await recordsShown(page);
      target = record?.value ?? '';
      expect(record).toEqual({ type: 'CNAME', name: 'www', value: expect.stringMatching(/^p-[a-z2-7]{26}\./) });
      expect(await hostnames(setup, account)).toEqual([www]);
      await readPage('domain-waiting');
    },
    stepMs,
  );

  it('lets name and value be copied', async () => {
    await records(page).getByRole('button', { name: 'Copy value' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(target);
    await records(page).getByRole('button', { name: 'Copy name' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('www');
  });

  it(
    'goes on with a wrong record: what was found, what to delete and what to create, without loading the page again',
    async () => {
      const check = await stayOn(page);
      await setup.stage.putZone(apex, 'www A 198.51.100.7');
      const found = records(page);
      await see(found.locator('tr.delete').getByText(/198\.51\.100\.7/), patienceMs);
      await see(found.getByText('Delete this record'));
      await check();
      await readPage('domain-wrong-record');
    },
    stepMs,
  );

  it(
    'and with the right one: Verify, and it becomes Live without loading the page again',
    async () => {
      await setup.stage.putZone(apex, `www CNAME ${target}.`);
      await verifyDomain(page);
      await see(notice(page));
      const check = await stayOn(page);
      await liveHere();
      await check();
      await see(region(page, 'Timeline').getByText('Live', { exact: true }));
      expect((await visit(www)).status).toBe(200);
      await readPage('domain-live');
    },
    stepMs,
  );

  it(
    'a redirect of the apex is added, asks for two records, and becomes Live in the list without loading it again',
    async () => {
      await openProject(page, 'shop');
      await typeDomain(page, { hostname: www });
      await seeText(page, /already/);
      await addDomain(page, { hostname: apex, redirectTo: www });
      const shown = await recordsShown(page);
      txt = shown.find(({ type }) => type === 'TXT')?.value ?? '';
      expect(shown.map(({ name }) => name)).toEqual(['@', '_projectdomain-challenge']);
      await readPage('domain-apex');
      await openProject(page, 'shop');
      const check = await stayOn(page);
      await setup.stage.putZone(apex, zone());
      await seeLive(setup, domainRow(page, apex), patienceMs);
      await check();
      await readPage('domains');
      const { status, headers } = await visit(apex);
      expect([status, headers.location]).toEqual([301, `https://${www}/a?b=c`]);
    },
    stepMs,
  );

  it(
    'a certificate that does not come in half an hour is said to be overdue, and Re-verify brings it',
    async () => {
      const { pebble } = setup.platform.parts;
      pebble.signal('SIGSTOP');
      await setup.stage.putZone(apex, `${zone()}\nold CNAME ${target}.`);
      await addDomain(page, { hostname: old, redirectTo: www });
      const { stage } = setup;
      await stage.domainWhere(account, await nameOf(old), 'waits for its certificate', ({ status }) =>
        status?.conditions?.some(({ reason }) => reason === 'Issuing') ? null : JSON.stringify(status?.conditions),
      );
      await seeText(page, 'Issuing your certificate');
      await readPage('domain-issuing');
      here.moveOn(31 * 60_000);
      await stage.kubectl.run(['annotate', 'projectdomain', await nameOf(old), '-n', account, 'example.com/look=now']);
      await seeText(page, 'Your certificate is taking longer than expected');
      await readPage('domain-overdue');
      pebble.signal('SIGCONT');
      await button(page, 'Re-verify').click();
      await liveHere();
      expect((await visit(old)).status).toBe(301);
    },
    stepMs,
  );

  it(
    'ends when it is removed, which is asked once; Escape takes it back',
    async () => {
      await openDomain(page, 'shop', old);
      const remove = page.getByRole('link', { name: 'Remove', exact: true });
      await openMenu(page);
      await remove.click();
      await see(button(page, `Remove ${old}`));
      await see(page.getByText(`https://${old}/`));
      await readPage('domain-remove');
      await page.keyboard.press('Escape');
      await button(page, `Remove ${old}`).waitFor({ state: 'hidden' });
      expect(await hasFocus(remove)).toBe(true);
      expect(await hostnames(setup, account)).toContain(old);
      await removeDomain(page, old);
      await see(page.getByRole('textbox', { name: 'Domain name' }));
      await see(notice(page));
      await domainRow(page, old).waitFor({ state: 'detached' });
      expect(await hostnames(setup, account)).toEqual([apex, www]);
      expect(['not found', 'refused']).toContain(await answerOf(old));
      await eventually('the ingress controller has neither route nor certificate', 10_000, async () =>
        expect(await answerOf(old)).toBe('refused'),
      );
      expect((await visit(www)).status).toBe(200);
    },
    stepMs,
  );
});

const zone = (): string =>
  [`@ A ${setup.platform.facts.ingressAddress}`, `_projectdomain-challenge TXT "${txt}"`, `www CNAME ${target}.`].join(
    '\n',
  );

interface Listed {
  readonly items: readonly {
    readonly metadata: { readonly name: string };
    readonly spec: { readonly hostname: string };
  }[];
}

async function nameOf(hostname: string): Promise<string> {
  const text = await setup.stage.kubectl.run(['get', 'projectdomains', '-n', account, '-o', 'json']);
  return (JSON.parse(text) as Listed).items.find(({ spec }) => spec.hostname === hostname)?.metadata.name ?? '';
}
