import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { temporaryFolder } from '../../../dev/lib/temporary.ts';
import { findDebian } from '../../../dev/platform/debian.ts';
import type { StartProxy, TestProxy } from '../../support/authorize-proxies.ts';
import { startEnvoyProxy, startNginxProxy, startTraefikProxy } from '../../support/authorize-proxies.ts';
import { startAuthorizeServer } from '../../support/authorize-server.ts';
import type { Load } from '../quota/load.ts';
import { putLoad, writeLoadScript } from '../quota/load.ts';
import { startServer } from '../quota/measured-server.ts';
import { mean, quartiles, spread } from '../quota/quartiles.ts';

/**
 * `npm run bench:authorize`: what each request to another API of the platform's costs a proxy that asks the authorize endpoint. Each slot stands
 * between two of the same proxy that asks nobody; the API behind is bare Express, the endpoint decides in a real Redis. Fails when
 * something does not work, never for being slow.
 */
const { values } = parseArgs({
  options: { slots: { type: 'string', default: '9' }, seconds: { type: 'string', default: '2' } },
});
const [slots, seconds] = [Number(values.slots), Number(values.seconds)];
const isWhole = (value: number, most: number) => Number.isInteger(value) && value >= 1 && value <= most;
if (!isWhole(slots, 50) || !isWhole(seconds, 30)) {
  process.stderr.write('--slots is from 1 to 50, --seconds from 1 to 30\n');
  process.exit(3);
}

const proxies: Readonly<Record<string, StartProxy>> = {
  Traefik: startTraefikProxy,
  nginx: startNginxProxy,
  Envoy: startEnvoyProxy,
};
const accounts = 100;
const unlimited = 1_000_000_000;
const progress = (line: string) => process.stderr.write(`${line}\n`);
const [wrk = ''] = await findDebian([{ file: 'wrk', package: 'wrk' }], progress);
const folder = temporaryFolder('bench-authorize');
mkdirSync(folder, { recursive: true });
const [keysFile, script] = [join(folder, 'keys'), join(folder, 'load.lua')];
const endpoint = await startAuthorizeServer({ uploads: { cost: 1 } });
const names = Array.from({ length: accounts }, (_, index) => `account-${index}`);
writeFileSync(keysFile, names.map((name) => `${endpoint.account(name, unlimited)}\n`).join(''));
writeLoadScript(script, keysFile);
const api = await startServer('bare', { path: 'allowed', redisUrl: '', keysFile });
const at = { authorize: endpoint.at, api: `127.0.0.1:${api.port}` };
const lines = [
  '| | connections | requests, of the same that asks nobody | added to the median, ms | p99, of the same |',
  '|---|---|---|---|---|',
];
try {
  for (const [name, start] of Object.entries(proxies)) lines.push(...(await measure(name, start)));
  process.stdout.write(`${lines.join('\n')}\n`);
} finally {
  await api.stop();
  await endpoint.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function measure(name: string, start: StartProxy): Promise<readonly string[]> {
  const started: TestProxy[] = [];
  try {
    for (const asks of [false, true]) {
      const dir = join(folder, `${name}-${asks ? 'asks' : 'plain'}`);
      mkdirSync(dir);
      started.push(await start({ ...at, dir, asks }));
    }
    const [plain, asking] = started as [TestProxy, TestProxy];
    const rows: string[] = [];
    for (const connections of [64, 1]) {
      const load = async ({ port }: TestProxy, length = seconds) => {
        const url = `http://127.0.0.1:${port}/`;
        const seen = await putLoad({ wrk, url, connections, seconds: length, script });
        if (seen.refused > 0) throw new Error(`${name}: ${seen.refused} requests were refused`);
        return seen;
      };
      for (const proxy of started) await load(proxy, 3);
      const pairs: (readonly [Load, readonly Load[]])[] = [];
      for (let round = 1; round <= slots; round += 1) {
        const before = await load(plain);
        const mine = await load(asking);
        pairs.push([mine, [before, await load(plain)]]);
        progress(`${name}, ${connections}: ${round} of ${slots}`);
      }
      const ratio = (pick: (one: Load) => number) =>
        spread(quartiles(pairs.map(([mine, beside]) => pick(mine) / mean(beside.map(pick)))));
      const [, added] = quartiles(pairs.map(([mine, beside]) => mine.p50 - mean(beside.map(({ p50 }) => p50))));
      rows.push(
        `| ${name} | ${connections} | ${ratio(({ perSecond }) => perSecond)} | ${added.toFixed(2)} | ${ratio(({ p99 }) => p99)} |`,
      );
    }
    return rows;
  } finally {
    for (const proxy of started) await proxy.stop();
  }
}
