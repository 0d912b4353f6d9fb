import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runJest } from '../../dev/lib/jest.ts';
import type { Counts } from '../../dev/lib/jest-report.ts';
import { temporaryFolder } from '../../dev/lib/temporary.ts';
import { canWildcard } from '../../dev/platform/controllers.ts';
import { edges } from '../../dev/platform/edges.ts';
import { startPlatform } from '../../dev/platform/platform.ts';
import { writeConformanceFacts } from './conformance-facts.ts';
import { openPlatformControl, platformActions } from './platform-control.ts';
import { serveChallengeZone } from './served-challenge-zone.ts';

/** Where the behaviours are. */
export const behaviours = 'test/conformance';

/** The files of the behaviours that have one of these in their names, or of all. Throws for what none has. */
export function behaviourFiles(names: readonly string[]): readonly string[] {
  const files = readdirSync(join(import.meta.dirname, '../..', behaviours)).filter((file) => file.endsWith('.test.ts'));
  const found = names.map((name) => files.filter((file) => join(behaviours, file).includes(name)));
  const strange = names.find((_, index) => found[index]?.length === 0);
  if (strange !== undefined)
    throw new Error(`no behaviour has '${strange}' in its name; ${behaviours} has one in each of its files`);
  return names.length === 0 ? [behaviours] : [...new Set(found.flat())].map((file) => join(behaviours, file));
}

/** What files of tests share, and how they are told of it. */
export interface Started {
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Runs all behaviours, or those of the given names, on one platform with this edge. Rejects when it does not start. */
export async function runConformance(edge: string, names: readonly string[]): Promise<Counts> {
  const files = behaviourFiles(names);
  const { env, stop } = await startConformance(edge);
  try {
    return await runJest(files, { env });
  } finally {
    await stop();
  }
}

/** Starts a platform with this edge for behaviours, which may act on it. */
export async function startConformance(edge: string): Promise<Started> {
  const dir = temporaryFolder('conformance');
  const chosen = edges[edge];
  if (!chosen) throw new Error(`there is no edge ${edge}; there are ${Object.keys(edges).join(', ')}`);
  const servesWildcards = canWildcard(chosen.routing);
  const platform = await startPlatform({
    dir,
    ours: true,
    edge: chosen,
    // What the challenges of wildcards need.
    ...(servesWildcards ? { challengeZone: serveChallengeZone } : {}),
    progress: (line) => process.stderr.write(`${line}\n`),
  });
  const control = await openPlatformControl(platformActions(platform));
  const { routing } = chosen;
  const facts = writeConformanceFacts(join(dir, 'conformance.json'), {
    ...platform.facts,
    routing,
    servesWildcards,
    elsewhere: null,
  });
  return {
    env: { ...facts, PROJECTDOMAIN_EDGE: edge, PROJECTDOMAIN_CONTROL: control.url },
    stop: async () => {
      control.stop();
      await platform.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
