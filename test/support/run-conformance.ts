import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { runJest } from '../../dev/lib/jest.ts';
import type { Counts } from '../../dev/lib/jest-report.ts';
import { temporaryFolder } from '../../dev/lib/temporary.ts';
import { edges } from '../../dev/platform/edges.ts';
import { startPlatform, writeFacts } from '../../dev/platform/platform.ts';

/** Runs the behaviours of test/conformance, or those of the given paths, on one platform with this edge. Rejects when it does not start. */
export async function runConformance(edge: string, paths: readonly string[] = ['test/conformance']): Promise<Counts> {
  const dir = temporaryFolder('conformance');
  const chosen = edges[edge];
  if (!chosen) throw new Error(`there is no edge ${edge}; there are ${Object.keys(edges).join(', ')}`);
  const platform = await startPlatform({
    dir,
    ours: true,
    edge: chosen,
    progress: (line) => process.stderr.write(`${line}\n`),
  });
  try {
    writeFacts(dir, platform.facts);
    const env = { PROJECTDOMAIN_CONFORMANCE: join(dir, 'platform.json'), PROJECTDOMAIN_EDGE: edge };
    return await runJest(paths, 1, env);
  } finally {
    await platform.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}
