import { eventually, expectThat, within } from '../../dev/lib/eventually.ts';
import type { SeenDomain } from '../../dev/story/stage.ts';
import type { DnsForm } from '../support/dns-form.ts';
import { createDnsForm } from '../support/dns-form.ts';
import { signIn } from './customer.ts';
import type { InProcess } from './in-process.ts';
import { runInProcess } from './in-process.ts';
import type { Helper, Robot, Sight, Visited } from './robot.ts';
import { createRobot } from './robot.ts';
import type { Setup } from './setup.ts';
import { api, startWorld } from './setup.ts';

/** The real platform for robots, with everybody who acts beside them. */
export interface RobotEnvironment {
  readonly setup: Setup;
  readonly here: InProcess;
  readonly form: DnsForm;
  /** A customer of its own account, signed in. Each upgrade leads one plan higher: first `single`, then `business`. */
  robot(account: string, plan: string): Promise<Robot>;
  /** Applies a domain that no form was asked about. */
  apply(account: string, hostname: string, spec: object): Promise<unknown>;
  /** CNAME target of the domain's project. */
  targetOf(account: string, hostname: string): Promise<string>;
  /** Waits until each of the domains has its code: its state, a reason, or the code of an issue. */
  begun(account: string, cases: readonly Begun[], each?: () => Promise<unknown>): Promise<void>;
  /** Lets the operator look at a domain. */
  touch(account: string, hostname: string): Promise<unknown>;
  /**
   * Resolves once a domain shows that the operator has looked at its DNS since then; Unix ms. Rejects after ten seconds: a look that finds what the
   * one before found need not be shown.
   */
  lookedAt(account: string, hostname: string, since: number): Promise<void>;
  close(): Promise<readonly string[]>;
}

interface Begun {
  readonly hostname: string;
  readonly code: string;
}

const upgradeUrl = 'https://platform.example/upgrade';
const dashboard = { name: 'Custom domains', platformName: null, supportUrl: null, accentColour: null, upgradeUrl };

/** `withoutAlias`: zones of a DNS host that has no ALIAS. */
export async function startRobotEnvironment(withoutAlias: readonly string[]): Promise<RobotEnvironment> {
  const setup = await startWorld();
  const { stage, platform, browser } = setup;
  const here = await runInProcess(setup, { dashboard });
  const form = createDnsForm({
    putZone: stage.putZone,
    resolve: () => platform.facts.ingressAddress,
    withoutAlias,
  });
  const upgraded = new Set<string>();
  const upgrade = (account: string) => {
    const plan = upgraded.has(account) ? 'business' : 'single';
    upgraded.add(account);
    return stage.kubectl.run(['patch', 'account', account, '--type=merge', '-p', JSON.stringify({ spec: { plan } })]);
  };
  return {
    setup,
    here,
    form,
    async robot(account, plan) {
      const key = await setup.customer(account, plan);
      const visitor = await browser.visit({ permissions: ['clipboard-read', 'clipboard-write'] });
      // The platform's own pages; a domain that was removed; a week later everybody is signed out; and a robot uses its pages up.
      visitor.expectFaults(/platform\.example|404|401|429|EventSource/);
      await visitor.context.route(`${upgradeUrl}**`, async (route) => {
        await upgrade(account);
        await route.fulfill({ contentType: 'text/html', body: '<title>Upgraded</title><h1>Your plan is active</h1>' });
      });
      await signIn(visitor.page, key);
      return createRobot({ page: visitor.page, form, helpers: helpersIn(setup, form, account) });
    },
    apply: (account, hostname, spec) =>
      stage.kubectl.apply({
        apiVersion: api,
        kind: 'ProjectDomain',
        metadata: { name: hostname, namespace: account },
        spec: { project: 'shop', hostname, ...spec },
      }),
    async targetOf(account, hostname) {
      const { status } = await stage.domainWhere(account, hostname, 'shows its record', (seen) =>
        cnameOf(seen) === undefined ? 'no record' : null,
      );
      return cnameOf({ status: status ?? {} })?.value ?? '';
    },
    begun: (account, cases, each) =>
      eventually('every case has begun', 120_000, async () => {
        await each?.();
        const seen = await codesSeen(setup, account);
        const missing = cases.filter(({ hostname, code }) => !seen.get(hostname)?.includes(code));
        expectThat(
          missing.length === 0,
          missing
            .map(({ hostname, code }) => `${hostname} wants ${code}, has ${seen.get(hostname)?.join()}`)
            .join('\n'),
        );
      }),
    touch: (account, hostname) =>
      stage.kubectl.run(
        ['annotate', '--overwrite', 'projectdomain', hostname, '-n', account].concat(`example.com/look=${Date.now()}`),
      ),
    lookedAt: (account, hostname, since) =>
      within(`a look at ${hostname}`, 10_000, async () => {
        const seen = await stage.kubectl.get<SeenDomain>('projectdomain', hostname, account);
        const checkedAt = seen?.status?.check?.checkedAt;
        // Moments in objects are whole seconds.
        expectThat(Date.parse(checkedAt ?? '') >= since - 1_000, `the last one was ${checkedAt}`);
      }),
    async close() {
      const faults = await browser.leave();
      await here.stop();
      await setup.close();
      return faults;
    },
  };
}

const cnameOf = ({ status }: Pick<SeenDomain, 'status'>) => status?.records?.find(({ type }) => type === 'CNAME');

/** Who acts beside the customer, when the page says that they have to. */
const helpersIn = ({ stage, platform }: Setup, form: DnsForm, account: string): readonly Helper[] => [
  {
    // Whoever runs name servers, or names them at the registry, lets them serve the zone.
    says: /at your registrar|manages your DNS has to act/i,
    act: async ({ zone }) => {
      platform.dns.endDelegation(zone);
      await form.open(zone, []);
    },
  },
  {
    says: /Publish (the|your) project once/,
    act: async ({ project }) => (await stage.tenant(account, project)).becomeReady(),
  },
];

interface Listed {
  readonly items: readonly (SeenDomain & { readonly spec: { readonly hostname: string } })[];
}

async function codesSeen({ stage }: Setup, account: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const text = await stage.kubectl.run(['get', 'projectdomains', '-n', account, '-o', 'json']);
  return new Map(
    (JSON.parse(text) as Listed).items.map(({ spec, status }) => [
      spec.hostname,
      [
        status?.state ?? 'no state',
        ...(status?.conditions ?? []).map(({ reason }) => reason),
        ...(status?.issues ?? []).map(({ code }) => code),
      ],
    ]),
  );
}

const isLive = ({ pill, action }: Sight): boolean => pill === 'Live' && action === null;
export const isRemoved = ({ pill }: Sight): boolean => pill === null;

/** Goes round until every page says what is waited for. Rejects with what the others say. */
export async function bring(robot: Robot, domains: readonly Visited[], isDone = isLive): Promise<void> {
  const last = new Map<Visited, string>();
  let open = domains;
  await eventually('every domain is done', 300_000, async () => {
    for (const domain of open) {
      const sight = await robot.visit(domain);
      if (isDone(sight)) open = open.filter((one) => one !== domain);
      last.set(domain, `${sight.pill}, "${sight.step}", ${sight.action}\n${sight.text}`);
    }
    expectThat(open.length === 0, open.map((domain) => `${domain.hostname}: ${last.get(domain)}`).join('\n\n'));
  });
}
