import { parseArgs } from 'node:util';
import { runConformance } from '../../test/support/run-conformance.ts';
import { runJest } from '../lib/jest.ts';
import { printFailures } from '../lib/jest-report.ts';
import { orEnd } from '../lib/or-end.ts';

/**
 * `npm run conformance -- --edge NAME`: what customers' hostnames do behind one edge (dev/platform/edges.ts), a behaviour a file and a manifest
 * of the same name, all on one platform of Level 1. Other arguments choose among the files. `--move-to NAME`: that an installation moves from Traefik
 * to that edge, which has a Gateway, on a platform with both.
 */
const { values, positionals } = parseArgs({
  options: { edge: { type: 'string', default: 'traefik' }, 'move-to': { type: 'string' } },
  allowPositionals: true,
});
const startedAt = Date.now();
const paths = positionals.length > 0 ? positionals : undefined;
const { 'move-to': destination } = values;
const running =
  destination === undefined
    ? runConformance(values.edge, paths)
    : runJest(['test/e2e/edges'], 1, { PROJECTDOMAIN_MOVE_TO: destination });
const { passed, failed, skipped, failures } = await orEnd(running);
printFailures(failures);
console.log(`took ${Math.round((Date.now() - startedAt) / 1_000)} s`);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
