import { runJest } from '../lib/jest.ts';
import { printFailures } from '../lib/jest-report.ts';
import { debianBrowsers } from '../platform/debian.ts';
import { preflight } from '../platform/preflight.ts';
import { findTools } from '../platform/tools.ts';
import { orEnd } from '../lib/or-end.ts';

/**
 * `npm run browser`: the dashboard in a real browser against the real platform. Arguments choose among the tests.
 * With PROJECTDOMAIN_SHOTS set the pictures in docs/dashboard are taken anew.
 */
const chosen = process.argv.slice(2);
const startedAt = Date.now();
await orEnd(preflight((line) => console.error(line), Object.values(debianBrowsers)));
await orEnd(findTools((line) => console.error(line)));
const { passed, failed, skipped, failures } = await runJest(chosen.length > 0 ? chosen : ['test/browser'], 1);
printFailures(failures);
console.log(`took ${Math.round((Date.now() - startedAt) / 1_000)} s`);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
