import { scale } from '../campaigns/scale.ts';
import { neighbours } from '../campaigns/neighbour-latency.ts';
import { silentNeighbours } from '../campaigns/silent-neighbours.ts';
import { schemathesis } from '../campaigns/schemathesis.ts';
import { runJest } from '../lib/jest.ts';
import { preflight } from '../platform/preflight.ts';
import { findTools } from '../platform/tools.ts';
import { orEnd } from '../lib/or-end.ts';

/** `npm run campaign:<name>`: a proof that is too long for `npm test`, or needs what a plain machine lacks. */
const campaigns: Readonly<Record<string, () => Promise<boolean>>> = {
  /** kills the operator at every step of the story; `npm test` kills at three */
  kills: () => jest(['test/e2e/story/kills.test.ts'], 'kills'),
  /** random requests from the OpenAPI document; `npm test` holds its own answers against it */
  schemathesis: () => schemathesis(tell),
  /** 5,000 accounts: a Plan edited, the redirector rolled, the leader restarted */
  scale: () => scale(tell),
  /** an account at its limit, with bans, beside another: what the other's 99th percentile is */
  neighbours: () => neighbours(tell),
  /** 1,000 domains of one account on silent name servers: what another account's new domain waits for */
  silent: () => silentNeighbours(tell),
};

const tell = (line: string) => console.error(line);

async function jest(args: readonly string[], name: string): Promise<boolean> {
  const { passed, failed } = await runJest(args, 1, { CAMPAIGN: name });
  console.log(`${passed} passed, ${failed} failed, 0 skipped`);
  return failed === 0 && passed > 0;
}

const name = process.argv[2] ?? '';
const campaign = campaigns[name];
if (!campaign) {
  console.error(`there is no campaign '${name}'; there are: ${Object.keys(campaigns).join(', ')}`);
  process.exit(3);
}
await orEnd(preflight(tell));
await orEnd(findTools(tell));
process.exit((await campaign()) ? 0 : 1);
