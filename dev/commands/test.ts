import { check } from '../lib/check.ts';
import { runJest } from '../lib/jest.ts';
import type { Counts } from '../lib/jest-report.ts';
import { printFailures } from '../lib/jest-report.ts';
import type { Need } from '../lib/workers.ts';
import { thisMachine, workersFor } from '../lib/workers.ts';
import { debianBrowsers } from '../platform/debian.ts';
import { preflight } from '../platform/preflight.ts';
import { findTools } from '../platform/tools.ts';
import { orEnd } from '../lib/or-end.ts';
import { dnsServerPrograms } from '../../test/support/dns-servers/programs.ts';
import { shareShippedCluster } from '../../test/support/shipped-cluster.ts';

/**
 * `npm test`: lint, types and every test; the last line is `N passed, N failed, N skipped`, before it
 * each test that failed. Arguments go to jest and
 * choose among the tests (`npm test -- test/unit`); lint is left out then.
 */
interface Group {
  readonly name: string;
  readonly paths: readonly string[];
  readonly need: Need;
  /** its files attack one API server of Kubernetes, which is started once for all of them */
  readonly shareCluster?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

const gigabyte = 1e9;
const alone: Need = { perProcessor: 0, memoryBytes: gigabyte };
const processesOnly: Need = { perProcessor: 1, memoryBytes: 0.7 * gigabyte };
/** A platform each, which mostly waits: for certificates and for patience to end. */
const platforms: Need = { perProcessor: 1.5, memoryBytes: 1.8 * gigabyte };

/** What lives on a platform and says nothing of who orders; among `real parts` cert-manager's ACME issuer does. */
const ofBothIssuers = [
  'test/e2e/cdn',
  'test/e2e/checks',
  'test/e2e/inputs',
  'test/e2e/orders',
  'test/e2e/outage',
  'test/e2e/redirects/',
  'test/e2e/rest/',
  'test/e2e/restore',
  'test/e2e/transfer',
];

const groups: readonly Group[] = [
  { name: 'unit and faults', paths: ['test/unit', 'test/faults'], need: processesOnly },
  { name: 'names on real DNS servers', paths: ['test/corpus'], need: alone },
  { name: 'packages', paths: ['test/packed'], need: processesOnly },
  { name: 'attacks on single parts', paths: ['test/adversary/parts'], need: processesOnly, shareCluster: true },
  { name: 'real parts', paths: ['test/cluster', 'test/e2e'], need: platforms },
  { name: 'the same with an AcmeIssuer', paths: ofBothIssuers, need: platforms, env: { ISSUER: 'AcmeIssuer' } },
  { name: 'counts at scale', paths: ['test/scale'], need: alone },
  { name: 'browser', paths: ['test/browser/short.test.ts'], need: alone },
];

const chosen = process.argv.slice(2);
const startedAt = Date.now();

const seconds = (since: number) => `${Math.round((Date.now() - since) / 1_000)} s`;

async function runGroup({ paths, shareCluster, env = {} }: Group, workers: number): Promise<Counts> {
  if (!shareCluster) return runJest(paths, workers, env);
  const cluster = await orEnd(shareShippedCluster());
  try {
    return await runJest(paths, workers, { ...env, ...cluster.env });
  } finally {
    await cluster.stop();
  }
}

async function everything(): Promise<readonly Counts[]> {
  const progress = (line: string) => console.error(line);
  await orEnd(preflight(progress, [...Object.values(debianBrowsers), ...dnsServerPrograms]));
  const linted = await check([]);
  console.log(`lint and types: ${linted ? 'ok' : 'failed'} after ${seconds(startedAt)}`);
  await orEnd(findTools(progress));
  const counts: Counts[] = [
    { passed: 0, failed: linted ? 0 : 1, skipped: 0, failures: linted ? [] : ['lint and types'] },
  ];
  for (const group of groups) {
    const begun = Date.now();
    const workers = workersFor(thisMachine(), group.need);
    const count = await runGroup(group, workers);
    const side = workers === 1 ? 'one file at a time' : `${workers} files at a time`;
    console.log(`${group.name}: ${count.passed} passed, ${count.failed} failed after ${seconds(begun)}, ${side}`);
    counts.push(count);
  }
  return counts;
}

const counts = chosen.length > 0 ? [await runJest(chosen, 1)] : await everything();
const sum = (key: 'passed' | 'failed' | 'skipped') => counts.reduce((total, count) => total + count[key], 0);
printFailures(counts.flatMap(({ failures }) => failures));
console.log(`took ${seconds(startedAt)}`);
console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
process.exit(sum('failed') === 0 && sum('passed') > 0 ? 0 : 1);
