import { runJest } from '../lib/jest.ts';

/** `npm run bench:<name>`: prints figures. Fails when what is measured does not work, never for being slow. */
const benchmarks: Readonly<Record<string, readonly string[]>> = {
  /** what DNS checks cost: packets, round trips, rates per server */
  dns: ['test/bench/dns.test.ts'],
  /** what the dashboard costs a browser: bytes of a first view, interactions to their next paint, a look at DNS */
  dashboard: ['test/bench/dashboard.test.ts'],
  /** what a write costs the kube-apiserver, by verb: processor time and latency */
  writes: ['test/bench/writes.test.ts'],
};

const name = process.argv[2] ?? '';
const paths = benchmarks[name];
if (!paths) {
  console.error(`there is no benchmark '${name}'; there are: ${Object.keys(benchmarks).join(', ')}`);
  process.exit(3);
}
const { passed, failed } = await runJest(paths, 1);
console.log(`${passed} passed, ${failed} failed, 0 skipped`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
