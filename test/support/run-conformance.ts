import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { runJest } from '../../dev/lib/jest.ts';
import type { Counts } from '../../dev/lib/jest-report.ts';
import { temporaryFolder } from '../../dev/lib/temporary.ts';
import { edges } from '../../dev/platform/edges.ts';
import { startPlatform, writeFacts } from '../../dev/platform/platform.ts';
import { openPlatformControl } from './platform-control.ts';

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
  const control = await openPlatformControl(platform);
  try {
    writeFacts(dir, platform.facts);
    return await runJest(paths, 1, {
      PROJECTDOMAIN_CONFORMANCE: join(dir, 'platform.json'),
      PROJECTDOMAIN_EDGE: edge,
      PROJECTDOMAIN_CONTROL: control.url,
    });
  } finally {
    control.stop();
    await platform.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}
