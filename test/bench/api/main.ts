import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { findDebian } from '../../../dev/platform/debian.ts';
import { startRedis } from '../../../dev/platform/services.ts';
import { pin } from '../../scale/processors.ts';
import { startScaleCluster } from '../../scale/scale-cluster.ts';
import { costsTable, createsTable, listTable } from './api-tables.ts';
import { measureCreates } from './create-rounds.ts';
import { measureList, profileList } from './list-slots.ts';
import { startApi } from './measured-api.ts';
import { makeAccounts } from './served-account.ts';

/**
 * `npm run bench:api`: the whole API server beside bare Express that answers with the same object, and its creates beside the same creates sent straight
 * to a real kube-apiserver. The operator has ended. Prints tables, and all figures as JSON to the file of `--json`. Fails when something
 * does not work, never for being slow.
 */
const { values } = parseArgs({
  options: {
    slots: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '9' },
    creates: { type: 'string', default: '400' },
    json: { type: 'string' },
  },
});
const [slots, seconds, rounds, creates] = [values.slots, values.seconds, values.rounds, values.creates].map(Number) as [
  number,
  number,
  number,
  number,
];
const isWhole = (value: number, most: number) => Number.isInteger(value) && value >= 1 && value <= most;
if (!isWhole(slots, 50) || !isWhole(seconds, 30) || !isWhole(rounds, 50) || !isWhole(creates, 4_000)) {
  process.stderr.write('--slots and --rounds are from 1 to 50, --seconds from 1 to 30, --creates from 1 to 4000\n');
  process.exit(3);
}

const accounts = 8;
const tell = (line: string) => void process.stderr.write(`${line}\n`);
const print = (text: string) => void process.stdout.write(`${text}\n\n`);
const [wrk = ''] = await findDebian([{ file: 'wrk', package: 'wrk' }], tell);
const bare = await startScaleCluster({ tell });
try {
  const redis = await startRedis(bare.around);
  bare.onStop(() => redis.part.stop());
  const cluster = { ...bare, context: { ...bare.context, redisUrl: redis.url } };
  tell(`${accounts} accounts are made`);
  const served = await makeAccounts(cluster, accounts);
  const [account] = served;
  if (!account) throw new Error('no account');
  for (const { pid } of [...Object.values(cluster.controlPlane.parts), redis.part]) pin(pid, 1);
  pin(process.pid, 0);
  const api = await startApi(cluster);
  const options = { cluster, account, wrk, slots, seconds };
  const list = await measureList(api, options);
  print(listTable(list));
  const created = await measureCreates(api, { cluster, accounts: served, rounds, creates });
  print(createsTable(created));
  await api.part.stop();
  const costs = await profileList(options);
  print(costsTable(costs));
  const micros = Object.fromEntries(costs.micros);
  if (values.json !== undefined)
    writeFileSync(values.json, JSON.stringify({ list, creates: created, costs: { ...costs, micros } }, null, 2));
} finally {
  await bare.stop();
}
