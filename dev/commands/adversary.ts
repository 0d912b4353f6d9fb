import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { runJest } from '../lib/jest.ts';
import { printFailures } from '../lib/jest-report.ts';
import { startPlatform, writeFacts } from '../platform/platform.ts';
import { temporaryFolder } from '../lib/temporary.ts';
import { orEnd } from '../lib/or-end.ts';
import { shareShippedCluster } from '../../test/support/shipped-cluster.ts';

/**
 * `npm run adversary`: every attack on real parts, one file each. `test/adversary/parts` attacks one part at a time and is
 * in `npm test` too; `test/adversary/platform` attacks a whole platform, which is started once for all of its files;
 * so is the API server of Kubernetes that many parts need. Arguments choose among the files.
 */
const chosen = process.argv.slice(2);
const startedAt = Date.now();
const dir = temporaryFolder('adversary');
const cluster = await orEnd(shareShippedCluster());
const platform = await orEnd(
  startPlatform({ dir, ours: true, issuer: 'ClusterIssuer', progress: (line) => console.error(line) }),
);
try {
  writeFacts(dir, platform.facts);
  const env = { PROJECTDOMAIN_ATTACK_PLATFORM: join(dir, 'platform.json'), ...cluster.env };
  const { passed, failed, skipped, failures } = await runJest(chosen.length > 0 ? chosen : ['test/adversary'], 1, env);
  printFailures(failures);
  console.log(`took ${Math.round((Date.now() - startedAt) / 1_000)} s`);
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
} finally {
  await cluster.stop();
  await platform.stop();
  rmSync(dir, { recursive: true, force: true });
}
process.exit();
