import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../dev/lib/eventually.ts';
import { platformDeadlineMs } from '../support/platform.ts';
import { button, see, signIn } from './customer.ts';
import { isRefused, tryEverything } from './link-bearer.ts';
import type { Robot, Visited } from './robot.ts';
import { open } from './robot.ts';
import type { CasePlace, RobotCase } from './robot-cases.ts';
import { appliedCases, elsewhereZone, formCases } from './robot-cases.ts';
import type { RobotEnvironment } from './robot-environment.ts';
import { bring, isRemoved, startRobotEnvironment } from './robot-environment.ts';
import { api } from './setup.ts';

/**
 * Doing what the page says works: a robot that only follows primary actions and copies records brings every domain to
 * Live that its customer can bring there. Fails when an action does not end its state, when a record that is shown is not
 * the one that is needed, or when the page asks for nothing where something has to be done.
 */

const account = 'robot';
const pair = 'www.pair.com';
const cases = [...formCases, ...appliedCases];
const [minutes, days] = [60_000, 86_400_000];
const deadlineMs = 900_000;

let environment: RobotEnvironment;
let place: CasePlace;
let robot: Robot;

type Case = Pick<RobotCase, 'hostname' | 'zone'>;

interface Typed {
  readonly hostname: string;
  /** what the page says of it */
  readonly told: RegExp;
}

const visited = (project: string, all: readonly Case[]): readonly Visited[] => all.map((one) => ({ ...one, project }));
const caseOf = (name: string): Case => ({ hostname: `shop.${name}.com`, zone: `${name}.com` });

beforeAll(async () => {
  environment = await startRobotEnvironment(['plain-apex.com']);
  const { setup, form } = environment;
  robot = await environment.robot(account, 'enterprise');
  await setup.customer('holder', 'pro');
  await form.open(elsewhereZone.zone, elsewhereZone.lines);
  await form.open('pair.com', []);
  await robot.add('shop', pair);
  place = { target: await environment.targetOf(account, pair), address: setup.platform.facts.ingressAddress };
}, platformDeadlineMs);

afterAll(async () => {
  expect(await environment.close()).toEqual([]);
}, platformDeadlineMs);

/** Another account serves the hostname of a case. */
async function hold({ hostname, zone }: Case): Promise<void> {
  await environment.apply('holder', hostname, { role: 'Primary' });
  await environment.form.open(zone, [`shop CNAME ${await environment.targetOf('holder', hostname)}`]);
  await environment.begun('holder', [{ hostname, code: 'Live' }]);
}

/** Every zone as its case begins; of two the name servers are not those that serve it. */
async function openZones(): Promise<void> {
  const { dns, facts } = environment.setup.platform;
  const beside = (last: number) => facts.dnsServer.replace(/\.\d+:53$/, `.${last}`);
  for (const { name, zone, lines } of cases)
    if (!['held', 'lame', 'silent', 'suffix', 'platforms'].includes(name))
      await environment.form.open(zone, lines(place));
  dns.delegate('lame.com', [beside(2)]);
  dns.delegate('silent.com', [beside(66)]);
  await hold(caseOf('held'));
}

/** Names of everything that Add or a check could have made. */
async function objects(): Promise<readonly string[]> {
  const kinds = 'projectdomains,projects,hostnameclaims,certificates,certificaterequests,orders,ingresses,secrets';
  const text = await environment.setup.stage.kubectl.run(['get', kinds, '--all-namespaces', '-o', 'name']);
  return text.trim().split('\n').toSorted();
}

/** A look costs ten of the hundred and twenty requests that a session has in a minute, and the last quarter is kept for what is asked for. */
const looksOfSession = 5;

/** Types a hostname and waits until what is told of it is seen; signs in anew before a session has no looks left. */
function createLookUp({ page }: Robot, key: string): (typed: Typed) => Promise<void> {
  let looks = 0;
  return async ({ hostname, told }) => {
    if (looks % looksOfSession === 0) {
      await page.context().clearCookies();
      await signIn(page, key);
    }
    looks += 1;
    await open(page, '/dashboard/projects/shop');
    await page.getByRole('textbox', { name: 'Domain name' }).fill(hostname);
    await see(page.locator('#look').filter({ hasText: told }), 20_000);
  };
}

describe('a hostname that is typed', () => {
  it(
    'is looked up: every mistake is named, and nothing is made',
    async () => {
      await openZones();
      const before = await objects();
      const lookUp = createLookUp(robot, await environment.setup.key(account));
      const missed: string[] = [];
      for (const { hostname, code } of formCases.filter(({ name }) => name !== 'held')) {
        // Servers that are silent may be known as such in time, or not yet to have answered.
        const told = new RegExp(code === 'NoUsableAnswer' ? `DNS hasn’t answered yet|${code}` : `\\b${code}\\b`);
        // Typed again where that is not said: a look is made once, and a delegation that was just changed is followed later.
        await eventually(`${code} is said of ${hostname}`, 60_000, () => lookUp({ hostname, told })).catch(
          (error: unknown) => void missed.push(String(error)),
        );
      }
      expect(missed).toEqual([]);
      expect(await objects()).toEqual(before);
    },
    deadlineMs,
  );
});

describe('a robot that only follows the page', () => {
  it(
    'brings every domain that its customer can mend to Live, and leads out of those that nobody can',
    async () => {
      for (const { hostname } of formCases) await robot.add('shop', hostname);
      for (const { hostname, spec } of appliedCases) await environment.apply(account, hostname, spec);
      await environment.begun(account, cases);
      // The form offers to add the other one of www and the bare domain.
      const others = formCases.filter(({ hostname, zone }) => hostname === zone);
      const pairs = others.map(({ zone }) => ({ hostname: `www.${zone}`, zone }));
      const both = [pair, 'pair.com'].map((hostname) => ({ hostname, zone: 'pair.com' }));
      const live = cases.filter(({ ends }) => ends === 'Live');
      await bring(robot, visited('shop', [...both, ...live, ...pairs]));
      await bring(
        robot,
        visited(
          'shop',
          cases.filter(({ ends }) => ends === 'Removed'),
        ),
        isRemoved,
      );
    },
    deadlineMs,
  );

  it(
    'upgrades where the plan has no domains, and where it has no room for another; and goes on after a deployment',
    async () => {
      const { kubectl } = environment.setup.stage;
      const rateLimit = { requestsPerMinute: 1_000, requestsPerDay: 100_000 };
      const spec = { rateLimit, customDomains: { enabled: true, maxPerProject: 1 } };
      const project = { service: { name: 'later', port: 8080 }, subdomain: 'later-shop' };
      await kubectl.apply(
        { apiVersion: api, kind: 'Plan', metadata: { name: 'single' }, spec },
        { apiVersion: api, kind: 'Project', metadata: { name: 'later', namespace: account }, spec: project },
      );
      const small = await environment.robot('small', 'free');
      const [plan, cap, deploy] = [caseOf('plan'), caseOf('cap'), caseOf('deploy')];
      for (const { zone } of [plan, cap, deploy]) await environment.form.open(zone, []);
      await environment.apply('small', plan.hostname, { role: 'Primary' });
      await environment.apply(account, deploy.hostname, { project: 'later', role: 'Primary' });
      await environment.begun('small', [{ ...plan, code: 'PlanUpgradeRequired' }]);
      await environment.begun(account, [{ ...deploy, code: 'NotDeployed' }]);
      await bring(small, visited('shop', [plan]));
      await environment.apply('small', cap.hostname, { role: 'Redirect', redirect: { to: plan.hostname } });
      await environment.begun('small', [{ ...cap, code: 'DomainCapReached' }]);
      await bring(small, visited('shop', [cap]));
      await bring(robot, visited('later', [deploy]));
    },
    deadlineMs,
  );

  it(
    'mends what was Live: degraded, late with its certificate, and suspended after a week',
    async () => {
      const { setup, here, form } = environment;
      const { pebble } = setup.platform.parts;
      const [degraded, suspended, overdue] = [caseOf('missing'), caseOf('wrong'), caseOf('overdue')];
      for (const { zone } of [degraded, suspended]) await form.open(zone, ['shop A 198.51.100.7']);
      await form.open(overdue.zone, [`shop CNAME ${place.target}`]);
      pebble.signal('SIGSTOP');
      await robot.add('shop', overdue.hostname);
      await environment.begun(account, [{ ...overdue, code: 'Issuing' }]);
      const later = (one: Case, code: string, ms: number) =>
        environment.begun(account, [{ ...one, code }], async () => {
          here.moveOn(ms);
          const since = here.now();
          await environment.touch(account, one.hostname);
          await environment.lookedAt(account, one.hostname, since);
        });
      await later(overdue, 'IssuanceOverdue', 31 * minutes);
      await later(degraded, 'Degraded', 16 * minutes);
      await later(suspended, 'Degraded', 16 * minutes);
      pebble.signal('SIGCONT');
      await bring(robot, visited('shop', [degraded, overdue]));
      await later(suspended, 'Suspended', 8 * days);
      await signIn(robot.page, await setup.key(account));
      await bring(robot, visited('shop', [suspended]));
    },
    deadlineMs,
  );
});

describe('a hand-over link', () => {
  it(
    'opens one page of records, is refused everywhere else, and ends when it is revoked or a week is over',
    async () => {
      const { setup, here } = environment;
      const { page } = robot;
      const home = `/dashboard/projects/shop/domains/${pair}`;
      const create = async () => {
        await page.goto(home);
        await page.locator('#create-link').click();
        return new URL(await page.locator('#new-link').inputValue()).pathname;
      };
      const path = await create();
      const stranger = await setup.browser.visit();
      stranger.expectFaults(/404/);
      const open = async (where: string) => (await stranger.page.goto(where))?.status();
      expect(await open(path)).toBe(200);
      const shown = await stranger.page.locator('body').innerText();
      expect(shown).toContain(place.target);
      expect(shown).toContain('Everything is in place');
      expect(shown.replaceAll(pair, '')).not.toMatch(/robot|shop|enterprise|Sign|Timeline|Remove|Re-verify/);
      expect(await stranger.page.locator('form, nav, a[href^="/dashboard/"]').count()).toBe(0);
      const attempts = await tryEverything({ url: setup.url, path });
      expect(attempts.length).toBeGreaterThan(60);
      expect(attempts.filter((attempt) => !isRefused(attempt))).toEqual([]);

      const second = await create();
      expect(await open(second)).toBe(200);
      await page.goto(home);
      await button(page, /^Revoke/)
        .first()
        .click();
      await page.waitForLoadState('load');
      const left = [await open(path), await open(second)];
      expect(left.toSorted()).toEqual([200, 404]);
      here.moveOn(8 * days);
      expect([await open(path), await open(second)]).toEqual([404, 404]);
    },
    deadlineMs,
  );
});
