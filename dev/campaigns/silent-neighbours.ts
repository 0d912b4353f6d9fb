import { setTimeout as sleep } from 'node:timers/promises';
import { startSilentServer } from '../dns/silent-server.ts';
import { eventually, expectThat } from '../lib/eventually.ts';
import { startPlatform } from '../platform/platform.ts';
import type { Platform } from '../platform/platform.ts';
import { createStage } from '../story/stage.ts';
import type { Stage } from '../story/stage.ts';
import { adminToken, createBulkApi } from './bulk.ts';
import type { Newcomers, Waited } from './newcomers.ts';
import { firstDomain, newDomains } from './newcomers.ts';
import { scrapeOperator, watchBusy } from './busy.ts';

/**
 * Whether 1,000 domains of one account on name servers that never answer keep another account's new domain waiting, on
 * a whole platform. Four sets of new domains: alone; while the 1,000 come in; while they are looked at again and again;
 * alone again, after they were removed. True when beside them each domain was Verified within ten seconds of its record,
 * and the median from record to Live was at most a fifth longer than alone. `SILENT_DOMAINS` (1,000) says how many.
 */
export async function silentNeighbours(tell: (line: string) => void): Promise<boolean> {
  const count = Number(process.env.SILENT_DOMAINS ?? 1_000);
  const platform = await startPlatform({ dir: null, progress: tell, ours: true, issuer: 'ClusterIssuer' });
  const undo: (() => Promise<void> | void)[] = [() => platform.stop()];
  try {
    const stage = createStage({ facts: platform.facts, kubectl: platform.kubectl, patienceMs: 60_000 });
    undo.push(() => stage.close());
    const { server, caFile } = platform.controlPlane;
    const api = createBulkApi(server, { caFile, token: await adminToken(platform.kubectl) });
    undo.push(() => api.close());
    const silent = silentAddresses(platform);
    for (const address of silent) undo.push(await startSilentServer(address));
    await startAccount(stage, { account: loud, plan: 'crowded', domains: count });
    const target = await startAccount(stage, { account: quiet, plan: 'newcomer', domains: 4 * newDomainsASet + 1 });
    const newcomers = { platform, api, rest: await stage.rest(quiet), account: quiet, target };
    await firstDomain(newcomers);
    return conclude(await runSets({ newcomers, silent, count }));
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

const [loud, quiet] = ['loud', 'quiet'] as const;
const newDomainsASet = 7;
const verifiedWithinMs = 10_000;
const liveRatioAtMost = 1.2;
const own = { apiVersion: 'projectdomain.io/v1alpha1' } as const;
const domainsOf = (account: string) => `/apis/projectdomain.io/v1alpha1/namespaces/${account}/projectdomains`;

/** Four addresses of the platform's own range where nothing else listens. */
const silentAddresses = ({ facts }: Platform): readonly string[] =>
  [3, 4, 5, 6].map((last) => facts.ingressAddress.replace(/\d+$/, String(last)));

interface Wanted {
  readonly account: string;
  readonly plan: string;
  readonly domains: number;
}

/** An account on a plan of its own with a deployed project, `shop`; resolves to the project's CNAME target. */
async function startAccount(stage: Stage, { account, plan, domains }: Wanted): Promise<string> {
  const rateLimit = { requestsPerMinute: 1_000, requestsPerDay: 100_000 };
  const customDomains = { enabled: true, maxPerProject: domains };
  const maximum = { projects: 5, domains, apiKeys: 5 };
  await stage.kubectl.apply({
    ...own,
    kind: 'Plan',
    metadata: { name: plan },
    spec: { rateLimit, customDomains, maximum },
  });
  await stage.account(account, plan);
  await (await stage.tenant(account, `${account}-web`)).becomeReady();
  await stage.kubectl.apply({
    ...own,
    kind: 'Project',
    metadata: { name: 'shop', namespace: account },
    spec: { service: { name: `${account}-web`, port: 8_080 }, subdomain: `${account}-shop` },
  });
  return eventually(`the project of ${account} is deployed`, 60_000, async () => {
    const project = await stage.kubectl.get<{ status?: { target?: string; deployedAt?: string } }>(
      'projects.projectdomain.io',
      'shop',
      account,
    );
    const { target, deployedAt } = project?.status ?? {};
    expectThat(target !== undefined && deployedAt !== undefined, JSON.stringify(project?.status));
    return target;
  });
}

interface Sets {
  readonly newcomers: Newcomers;
  readonly silent: readonly string[];
  readonly count: number;
}

async function runSets({ newcomers, silent, count }: Sets) {
  const { platform, api } = newcomers;
  const before = await watched(newcomers, 'alone');
  const filling = fill({ platform, api, silent, count });
  const [during] = await Promise.all([watched(newcomers, 'arriving'), filling]);
  await allLookedAt(platform, count);
  const after = await watched(newcomers, 'beside');
  await api.send('DELETE', domainsOf(loud));
  await quietDown(platform);
  const again = await watched(newcomers, 'again');
  return { alone: [...before, ...again], beside: [...during, ...after] };
}

async function fill({ platform, api, silent, count }: Omit<Sets, 'newcomers'> & Pick<Newcomers, 'platform' | 'api'>) {
  const aSecond = await api.each(count, (index) => {
    const zone = `silent-${index + 1}.example`;
    platform.dns.delegate(zone, silent);
    const redirect = { role: 'Redirect', redirect: { to: 'www.silent-1.example' } };
    const spec = { project: 'shop', hostname: `www.${zone}`, ...(index === 0 ? { role: 'Primary' } : redirect) };
    const metadata = { name: `www.${zone}`, namespace: loud };
    return ['POST', domainsOf(loud), { ...own, kind: 'ProjectDomain', metadata, spec }];
  });
  console.log(`${count} domains on silent name servers were added, ${aSecond} a second`);
}

async function allLookedAt(platform: Platform, count: number): Promise<void> {
  const begunAt = performance.now();
  await eventually(`${count} domains were looked at`, 600_000, async () => {
    const looked = (await scrapeOperator(platform))('projectdomain_dns_checked{');
    if (looked < count) await sleep(3_000);
    expectThat(looked >= count, `${looked} of ${count}`);
  });
  console.log(`all ${count} were looked at once ${Math.round((performance.now() - begunAt) / 1_000)} s after that`);
}

/** Deleting a thousand is work too, which is over before the second measurement alone. */
async function quietDown(platform: Platform): Promise<void> {
  await eventually('the domains on silent name servers are gone from the queues', 120_000, async () => {
    const metrics = await scrapeOperator(platform);
    const waiting = metrics('projectdomain_queue_depth{') + metrics('projectdomain_queue_slow{');
    expectThat(waiting < 5, `${waiting} keys wait`);
  });
  await sleep(5_000);
}

/** A set of new domains; tells what each waited for, and what the platform was busy with meanwhile. */
async function watched(newcomers: Newcomers, set: string): Promise<readonly Waited[]> {
  const busy = await watchBusy(newcomers.platform);
  const waited = await newDomains(newcomers, set, newDomainsASet);
  for (const { hostname, ...times } of waited) console.log(`  ${hostname}: ${sentence(times)}`);
  for (const line of await busy()) console.log(`${set}: ${line}`);
  return waited;
}

const sentence = (times: Readonly<Record<string, number>>): string =>
  Object.entries(times)
    .map(([name, ms]) => `${name} ${(ms / 1_000).toFixed(1)} s`)
    .join(', ');

/** Each Verified in time, and the median from record to Live hardly longer. */
function conclude({ alone, beside }: Record<'alone' | 'beside', readonly Waited[]>): boolean {
  const { longest } = compare('recordToVerified', alone, beside);
  const { ratio } = compare('recordToLive', alone, beside);
  compare('verifiedToLive', alone, beside);
  compare('firstLook', alone, beside);
  return longest <= verifiedWithinMs && ratio <= liveRatioAtMost;
}

type Duration = Exclude<keyof Waited, 'hostname'>;

/** Tells both medians and the longest of both; gives the longest beside and the ratio of medians. */
function compare(name: Duration, alone: readonly Waited[], beside: readonly Waited[]) {
  const [one, other] = [alone, beside].map((waited) => waited.map((times) => times[name]));
  const [before, now] = [summary(one ?? []), summary(other ?? [])];
  const ratio = now.median / before.median;
  console.log(`${name}: alone ${told(before)}; beside ${told(now)}; medians ${ratio.toFixed(2)}`);
  return { longest: now.longest, ratio };
}

function summary(numbers: readonly number[]) {
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  const median = ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
  return { median, longest: sorted.at(-1) ?? Infinity };
}

const told = ({ median, longest }: ReturnType<typeof summary>): string =>
  `${(median / 1_000).toFixed(1)} s, ${(longest / 1_000).toFixed(1)} s at most`;
