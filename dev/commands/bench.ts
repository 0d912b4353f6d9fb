import { runJest } from '../lib/jest.ts';
import { runChild } from '../lib/run-child.ts';

/** `npm run bench:<name>`: prints figures. Fails when what is measured does not work, never for being slow. */
const benchmarks: Readonly<Record<string, () => Promise<number>>> = {
  /** what DNS checks cost: packets, round trips, rates per server */
  dns: () => jest('test/bench/dns.test.ts'),
  /** what the dashboard costs a browser: bytes of a first view, interactions to their next paint, a look at DNS */
  dashboard: () => jest('test/bench/dashboard.test.ts'),
  /** what a write costs the kube-apiserver, by verb: processor time and latency */
  writes: () => jest('test/bench/writes.test.ts'),
  /** what very many hostnames cost an edge, or cert-manager: `-- --edge contour --hostnames 1000`, `-- --hostnames 10000 --stage certificates` */
  edge: () =>
    runChild({
      path: 'test/bench/edge/main.ts',
      args: process.argv.slice(3),
      flags: ['--disable-warning=ExperimentalWarning'],
    }),
  /** the whole API server beside bare Express, and its creates beside plain ones: `-- --slots 9 --rounds 9 --json figures.json` */
  api: () =>
    runChild({
      path: 'test/bench/api/main.ts',
      args: process.argv.slice(3),
      flags: ['--disable-warning=ExperimentalWarning'],
    }),
  /** for how long one request or one check keeps all others waiting, with inputs at their bounds: `-- --rounds 20 --seed 1` */
  hold: () =>
    runChild({
      path: 'test/bench/hold/main.ts',
      args: process.argv.slice(3),
      flags: ['--disable-warning=ExperimentalWarning'],
    }),
  /** what quotas cost a request, beside express-rate-limit and rate-limiter-flexible: `-- --slots 9 --json figures.json` */
  quota: () =>
    runChild({
      path: 'test/bench/quota/main.ts',
      args: process.argv.slice(3),
      flags: ['--disable-warning=ExperimentalWarning'],
    }),
  /** what asking the authorize endpoint costs a request through Traefik, nginx and Envoy: `-- --slots 9` */
  authorize: () =>
    runChild({
      path: 'test/bench/authorize/main.ts',
      args: process.argv.slice(3),
      flags: ['--disable-warning=ExperimentalWarning'],
    }),
  /**
   * from Add to Live, beside cert-manager's own issuer and Caddy: `-- --tries 50 --floor 12 --level 2`; or of very many domains at once, beside Caddy:
   * `-- --at-once 1000`
   */
  live: () =>
    runChild({
      path: process.argv.includes('--at-once') ? 'test/bench/live/at-once.ts' : 'test/bench/live/main.ts',
      args: process.argv.slice(3),
      flags: ['--disable-warning=ExperimentalWarning'],
    }),
};

async function jest(path: string): Promise<number> {
  const { passed, failed } = await runJest([path]);
  console.log(`${passed} passed, ${failed} failed, 0 skipped`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

const name = process.argv[2] ?? '';
const benchmark = benchmarks[name];
if (!benchmark) {
  console.error(`there is no benchmark '${name}'; there are: ${Object.keys(benchmarks).join(', ')}`);
  process.exit(3);
}
process.exit(await benchmark());
