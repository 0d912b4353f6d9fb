import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { adminToken } from '../../../dev/campaigns/bulk.ts';
import { chartValues } from '../../../dev/platform/chart.ts';
import { testPlatform, testStage } from '../../support/platform.ts';
import { addAtOnce } from './add-at-once.ts';
import { atOnceLines } from './at-once-lines.ts';
import { startCaddy } from './caddy.ts';
import { crowdOf } from './crowd-of-projects.ts';
import { handshakesAtOnce } from './handshakes-at-once.ts';

/**
 * `npm run bench:live -- --at-once 1000`: so many domains with right DNS are added at once, until all are Live, and what objects that makes;
 * beside it Caddy's TLS on demand with as many names, at the same Pebble, one after the other. Fails where a domain does not become
 * Live, or an order costs an object.
 */
const { values } = parseArgs({
  options: {
    'at-once': { type: 'string', default: '1000' },
    minutes: { type: 'string', default: '15' },
    caddy: { type: 'string', default: 'yes' },
  },
});
const [count, minutes] = [Number(values['at-once']), Number(values.minutes)];
if (!Number.isInteger(count) || count < 1 || count > 2_000 || !(minutes >= 1 && minutes <= 60)) {
  process.stderr.write('--at-once is a whole number from 1 to 2000, --minutes how long each may take, from 1 to 60\n');
  process.exit(3);
}

const zone = 'live.example';
/** Pebble has no limits, and what is measured is no limit: as many as may be configured, in a short time. */
const orderLimits = {
  ...chartValues().issuer.limits,
  orders: { count: 3_000, seconds: 60 },
  registeredDomain: { count: 100_000, seconds: 60 },
};
const undo: (() => Promise<void> | void)[] = [];
try {
  const platform = await testPlatform(true, { issuer: 'AcmeIssuer', platformTls: 'Default', orderLimits });
  undo.push(() => platform.stop());
  const { facts, kubectl, controlPlane, acme } = platform;
  const stage = testStage(platform, 300_000);
  undo.push(() => stage.close());
  const caddyAddress = facts.ingressAddress.replace(/\d+$/, '5');
  const kubeApi = { ...controlPlane, token: await adminToken(kubectl) };
  const crowd = await crowdOf(stage, kubeApi, count);
  const records = crowd.map(({ target }, index) => `d${index}.ours CNAME ${target}.`);
  await stage.putZone(zone, [...records, `*.caddy A ${caddyAddress}`].join('\n'));
  const wanted = crowd.map(({ rest, project }, index) => ({ rest, project, hostname: `d${index}.ours.${zone}` }));
  const ours = await addAtOnce(kubeApi, wanted, minutes * 60_000);
  process.stderr.write(`ours: ${ours.live.length} of ${count} Live\n`);
  const ca = readFileSync(facts.acmeRoot);
  if (values.caddy === 'yes')
    undo.push(await startCaddy({ address: caddyAddress, directory: acme.directory, caFile: acme.caFile }));
  const sites = values.caddy === 'yes' ? wanted : [];
  const caddy = await handshakesAtOnce(
    sites.map((_, index) => ({ address: caddyAddress, ca, hostname: `d${index}.caddy.${zone}` })),
    minutes * 60_000,
  );
  process.stdout.write(`${atOnceLines(count, { ours, caddy }).join('\n')}\n`);
  const perOrder = ['Pod', 'Service', 'Order', 'Challenge'].filter((kind) => (ours.added.get(kind) ?? 0) > 0);
  // cert-manager asks for a certificate twice at times, which costs an order and leaves no object.
  const one = ['Ingress', 'Certificate', 'Secret'];
  const more = one.filter((kind) => (ours.added.get(kind) ?? 0) > count);
  const wrongs = [...perOrder, ...more];
  if (ours.live.length < count || wrongs.length > 0) {
    process.stderr.write(`not all are Live, or too many objects: ${wrongs.join(', ')}\n`);
    process.exitCode = 1;
  }
} finally {
  for (const step of undo.reverse()) await step();
}
