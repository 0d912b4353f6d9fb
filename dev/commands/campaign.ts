import { runJest } from '../lib/jest.ts';
import { findTools } from '../platform/tools.ts';

/** `npm run campaign:<name>`: a proof that is too long for `npm test`, which runs the same code on less. */
const campaigns: Readonly<Record<string, readonly string[]>> = {
  kills: ['test/e2e/story', '-t', 'killed on the way'],
};

const name = process.argv[2] ?? '';
const args = campaigns[name];
if (!args) {
  console.error(`there is no campaign '${name}'; there are: ${Object.keys(campaigns).join(', ')}`);
  process.exit(3);
}
await findTools((line) => console.error(line));
const { passed, failed } = await runJest(args, 1, { CAMPAIGN: name });
console.log(`${passed} passed, ${failed} failed, 0 skipped`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
