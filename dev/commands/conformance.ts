import { parseArgs } from 'node:util';
import { runConformance } from '../../test/support/run-conformance.ts';
import { printFailures } from '../lib/jest-report.ts';
import { orEnd } from '../lib/or-end.ts';

/**
 * `npm run conformance -- --edge NAME`: what customers' hostnames do behind one edge (dev/platform/edges.ts), a behaviour a file and a manifest
 * of the same name, all on one platform of Level 1. Other arguments choose among the files.
 */
const { values, positionals } = parseArgs({
  options: { edge: { type: 'string', default: 'traefik' } },
  allowPositionals: true,
});
const startedAt = Date.now();
const paths = positionals.length > 0 ? positionals : undefined;
const { passed, failed, skipped, failures } = await orEnd(runConformance(values.edge, paths));
printFailures(failures);
console.log(`took ${Math.round((Date.now() - startedAt) / 1_000)} s`);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
