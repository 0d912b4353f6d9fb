import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { adminToken, createBulkApi } from '../../../dev/campaigns/bulk.ts';
import { customer } from '../../support/customers.ts';
import { shareOf } from '../share-of.ts';
import { platformOfLevel } from './bench-platform.ts';
import { startCaddy } from './caddy.ts';
import { measureFloor } from './measure-floor.ts';
import { measureOurs } from './measure-ours.ts';
import { untilServed } from './until-served.ts';

/**
 * `npm run bench:live`: how long a hostname with right DNS takes from Add to Live where the operator orders, beside cert-manager's ACME
 * issuer by hand and beside Caddy's TLS on demand, with the same Pebble, in turns; with `--level 2` on a node with real Pods. Fails when something does not work, never for being slow.
 */
const { values } = parseArgs({
  options: {
    tries: { type: 'string', default: '50' },
    floor: { type: 'string', default: '12' },
    level: { type: 'string', default: '1' },
  },
});
const start = platformOfLevel[values.level];
const [tries, floorTries] = [Number(values.tries), Number(values.floor)];
if (!start || ![tries, floorTries].every((count) => Number.isInteger(count) && count >= 1 && count <= 150)) {
  process.stderr.write('--tries and --floor are whole numbers from 1 to 150, --level is 1 or 2\n');
  process.exit(3);
}

/** Milliseconds of each try. */
type Times = Readonly<Record<'ours' | 'floor' | 'caddy', number[]>>;

const zone = 'live.example';
const undo: (() => Promise<void> | void)[] = [];
try {
  const platform = await start();
  undo.push(() => platform.stop());
  const { facts, kubectl, controlPlane, acme, stage, caddyAddress } = platform;
  const owner = await customer(stage, 'live');
  await stage.putZone(
    zone,
    `*.ours CNAME ${owner.target}.\n*.floor A ${facts.ingressAddress}\n*.caddy A ${caddyAddress}`,
  );
  undo.push(await startCaddy({ address: caddyAddress, directory: acme.directory, caFile: acme.caFile }));
  const token = await adminToken(kubectl);
  const api = createBulkApi(controlPlane.server, { caFile: controlPlane.caFile, token });
  undo.push(() => api.close());
  const ca = readFileSync(facts.acmeRoot);
  const site = (kind: string, index: number, address = facts.ingressAddress) => ({
    address,
    ca,
    hostname: `d${index}.${kind}.${zone}`,
  });
  const backend = { namespace: owner.account, service: `${owner.account}-web` };
  const times: Times = { ours: [], floor: [], caddy: [] };
  for (let index = 0; index < tries; index += 1) {
    times.ours.push(await measureOurs(api, owner, site('ours', index)));
    const first = site('caddy', index, caddyAddress);
    const begunAt = performance.now();
    await untilServed(first);
    times.caddy.push(performance.now() - begunAt);
    if (index < floorTries) times.floor.push(await measureFloor(api, backend, site('floor', index)));
    process.stderr.write(
      `${index + 1}: ${Object.values(times)
        .map((all) => ((all[index] ?? 0) / 1_000).toFixed(2))
        .join(' ')}\n`,
    );
  }
  print(times);
} finally {
  for (const step of undo.reverse()) await step();
}

function print({ ours, floor, caddy }: Times): void {
  const seconds = (ms: number) => (ms / 1_000).toFixed(2);
  const row = (what: string, all: readonly number[]) =>
    `| ${[what, all.length, seconds(shareOf(all, 0.5)), seconds(shareOf(all, 0.95)), seconds(Math.max(...all))].join(' | ')} |`;
  const rows = [
    '| from Add to Live, s | domains | median | 95 of 100 | longest |',
    '|---|---|---|---|---|',
    row('ours, by an AcmeIssuer', ours),
    row("cert-manager's ACME issuer, Certificate and Ingress by hand", floor),
    row('Caddy, TLS on demand, from the first handshake', caddy),
    '',
    `ours is ${(shareOf(ours, 0.5) / shareOf(floor, 0.5)).toFixed(2)} of cert-manager's, ${(shareOf(ours, 0.5) / shareOf(caddy, 0.5)).toFixed(2)} of Caddy's`,
  ];
  process.stdout.write(`${rows.join('\n')}\n`);
}
