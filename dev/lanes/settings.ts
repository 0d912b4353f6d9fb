import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Counts } from '../lib/jest-report.ts';
import { sumOf } from '../lib/jest-report.ts';
import { runJest } from '../lib/jest.ts';
import { orEnd } from '../lib/or-end.ts';
import { temporaryFolder } from '../lib/temporary.ts';
import type { Need } from '../lib/workers.ts';
import { thisMachine, workersFor } from '../lib/workers.ts';
import { startPlatform, writeFacts } from '../platform/platform.ts';
import { runConformance } from '../../test/support/run-conformance.ts';
import { shareShippedCluster } from '../../test/support/shipped-cluster.ts';
import type { Setting } from './lanes.ts';

/** How files of a setting are run: how many side by side, and what is there for all of them. */
interface Running {
  readonly need: Need;
  /** Whether a file that fails runs once more, alone: real parts may fail of a busy machine, decisions may not. */
  readonly isTriedAgain: boolean;
  /** what a file of it takes that was never measured */
  readonly usualSeconds: number;
  run(files: readonly string[], workers: number): Promise<Counts>;
}

const gigabyte = 1e9;
const alone: Need = { perProcessor: 0, memoryBytes: gigabyte };
const processes: Need = { perProcessor: 1, memoryBytes: 0.7 * gigabyte };
/** A platform each, which mostly waits for certificates. */
const platforms: Need = { perProcessor: 1.5, memoryBytes: 1.8 * gigabyte };

const byFile = ['--reporters', '<rootDir>/dev/lib/file-reporter.mjs', '--runTestsByPath'];
const inChromium = ['--selectProjects', 'tests', ...byFile];

const plainly =
  (env: Readonly<Record<string, string>> = {}): Running['run'] =>
  (files, workers) =>
    runJest([...inChromium, ...files], workers, env);

export const settings: Readonly<Record<Setting, Running>> = {
  processes: { need: processes, usualSeconds: 30, isTriedAgain: false, run: plainly() },
  'own process': { need: alone, usualSeconds: 60, isTriedAgain: false, run: oneByOne },
  faults: { need: processes, usualSeconds: 60, isTriedAgain: true, run: plainly() },
  names: { need: alone, usualSeconds: 30, isTriedAgain: false, run: plainly() },
  alone: { need: alone, usualSeconds: 300, isTriedAgain: true, run: plainly() },
  platform: { need: platforms, usualSeconds: 100, isTriedAgain: true, run: plainly() },
  AcmeIssuer: { need: platforms, usualSeconds: 100, isTriedAgain: true, run: plainly({ ISSUER: 'AcmeIssuer' }) },
  'fresh seeds': {
    need: processes,
    usualSeconds: 10,
    isTriedAgain: false,
    run: plainly({ PROJECTDOMAIN_SEEDS: 'fresh' }),
  },
  node: { need: alone, usualSeconds: 200, isTriedAgain: true, run: plainly() },
  Firefox: {
    need: processes,
    usualSeconds: 300,
    isTriedAgain: true,
    run: (files, workers) => runJest(['--selectProjects', 'in Firefox', ...byFile, ...files], workers),
  },
  'shared cluster': { need: processes, usualSeconds: 10, isTriedAgain: true, run: withSharedCluster },
  'attack platform': { need: alone, usualSeconds: 30, isTriedAgain: true, run: withAttackPlatform },
  'conformance on Traefik': {
    need: alone,
    usualSeconds: 20,
    isTriedAgain: true,
    run: (files) => runConformance('traefik', files),
  },
};

/** How many files of a setting run side by side on this machine. */
export const workersOf = (setting: Setting): number => workersFor(thisMachine(), settings[setting].need);

async function oneByOne(files: readonly string[]): Promise<Counts> {
  const counts: Counts[] = [];
  for (const file of files) counts.push(await runJest([...inChromium, file], 1));
  return sumOf(counts);
}

/** One kube-apiserver for all files, with what the chart installs. */
async function withSharedCluster(files: readonly string[], workers: number): Promise<Counts> {
  const cluster = await orEnd(shareShippedCluster());
  try {
    return await runJest([...inChromium, ...files], workers, cluster.env);
  } finally {
    await cluster.stop();
  }
}

/** One platform for all files, which attack it as accounts of their own. */
async function withAttackPlatform(files: readonly string[], workers: number): Promise<Counts> {
  const dir = temporaryFolder('attacked');
  const progress = (line: string) => console.error(line);
  const platform = await orEnd(startPlatform({ dir, ours: true, issuer: 'ClusterIssuer', progress }));
  try {
    writeFacts(dir, platform.facts);
    const env = { PROJECTDOMAIN_ATTACK_PLATFORM: join(dir, 'platform.json') };
    return await runJest([...inChromium, ...files], workers, env);
  } finally {
    await platform.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}
