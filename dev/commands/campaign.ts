import { scale } from '../campaigns/scale.ts';
import { neighbours } from '../campaigns/neighbour-latency.ts';
import { silentNeighbours } from '../campaigns/silent-neighbours.ts';
import { schemathesis } from '../campaigns/schemathesis.ts';
import { runJest } from '../lib/jest.ts';
import { runChild } from '../lib/run-child.ts';
import { preflight } from '../platform/preflight.ts';
import { findTools } from '../platform/tools.ts';
import { orEnd } from '../lib/or-end.ts';

const tell = (line: string) => console.error(line);

/** With the programs of a platform at hand. */
const onPlatform = (run: () => Promise<boolean>) => async (): Promise<boolean> => {
  await orEnd(preflight(tell));
  await orEnd(findTools(tell));
  return run();
};

/** `npm run campaign:<name>`: a proof that is too long for `npm test`, or needs what a plain machine lacks. */
const campaigns: Readonly<Record<string, () => Promise<boolean>>> = {
  /** our reading of CAA records beside Boulder's own code; needs Go and no platform */
  caa: () => jest(['test/caa/boulder.test.ts'], 'caa'),
  /** kills the operator at every step of the story; `npm test` kills at three */
  kills: onPlatform(() => jest(['test/e2e/story/kills.test.ts'], 'kills')),
  /** kills a hundred operators in the middle of orders of ours; `npm run e2e` kills a few */
  'order-kills': onPlatform(() => jest(['test/e2e/acme/order-kills.test.ts'], 'order-kills')),
  /** an import with a fifth of its names broken, at Pebble behind Let's Encrypt's limits: `-- --names 10000` */
  import: onPlatform(
    async () =>
      (await runChild({
        path: 'test/bench/import/main.ts',
        args: process.argv.slice(3),
        flags: ['--disable-warning=ExperimentalWarning'],
      })) === 0,
  ),
  /** every kind of server, held by 10,000 sockets of every kind: what an honest client waits: `-- --sockets 10000`, of some cases `--server api --attack silence` */
  sockets: async () =>
    (await runChild({
      path: 'test/bench/sockets/main.ts',
      args: process.argv.slice(3),
      flags: ['--disable-warning=ExperimentalWarning'],
    })) === 0,
  /** random requests from the OpenAPI document; `npm test` holds its own answers against it */
  schemathesis: onPlatform(() => schemathesis(tell)),
  /** 5,000 accounts: a Plan edited, the redirector rolled, the leader restarted */
  scale: onPlatform(() => scale(tell)),
  /** an account at its limit, with bans, beside another: what the other's 99th percentile is */
  neighbours: onPlatform(() => neighbours(tell)),
  /** 1,000 domains of one account on silent name servers: what another account's new domain waits for */
  silent: onPlatform(() => silentNeighbours(tell)),
};

async function jest(args: readonly string[], name: string): Promise<boolean> {
  const { passed, failed } = await runJest(args, { env: { CAMPAIGN: name } });
  console.log(`${passed} passed, ${failed} failed, 0 skipped`);
  return failed === 0 && passed > 0;
}

const name = process.argv[2] ?? '';
const campaign = campaigns[name];
if (!campaign) {
  console.error(`there is no campaign '${name}'; there are: ${Object.keys(campaigns).join(', ')}`);
  process.exit(3);
}
process.exit((await campaign()) ? 0 : 1);
