import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { AttackName, HonestClient, ServersApart } from '../../support/socket-attacks.ts';
import { attackNames, startHonestClient, startServersApart } from '../../support/socket-attacks.ts';
import type { ServerName, SocketServer } from '../../support/socket-servers.ts';
import { serverNames } from '../../support/socket-servers.ts';
import { startRedis } from '../../support/redis.ts';

/**
 * `npm run campaign:sockets -- --sockets 10000`: every kind of server with the number of places that is shipped, held by so many sockets of every
 * kind, beside an honest client. Says what the client's 99th percentile is before, while the sockets are opened and once they are open: the
 * median of the rounds, each of which begins and ends without an attacker. Fails where the client was not answered once. `--server` and `--attack`,
 * as often as wanted, choose cases.
 */
const { values } = parseArgs({
  options: {
    sockets: { type: 'string', default: '10000' },
    requests: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '3' },
    server: { type: 'string', multiple: true },
    attack: { type: 'string', multiple: true },
  },
});
const [sockets, requests, rounds] = [Number(values.sockets), Number(values.requests), Number(values.rounds)];

interface Asked {
  readonly count: number;
  readonly unanswered: number;
  readonly p99: number;
}

/** Asks on a new and on the kept connection in turn, until `enough` says so. */
async function ask(client: HonestClient, status: number, enough: (count: number) => boolean): Promise<Asked> {
  const ms: number[] = [];
  let unanswered = 0;
  while (!enough(ms.length)) {
    const startedAt = performance.now();
    const got = await (ms.length % 2 === 0 ? client.askAnew() : client.askAgain());
    ms.push(performance.now() - startedAt);
    if (got !== status) unanswered += 1;
  }
  const p99 = ms.toSorted((a, b) => a - b)[Math.floor(ms.length * 0.99)] ?? 0;
  return { count: ms.length, unanswered, p99 };
}

const enough = (count: number): boolean => count >= requests;
const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

interface Round {
  readonly before: Asked;
  readonly opening: Asked;
  readonly held: Asked;
}

async function round(server: SocketServer, attack: AttackName): Promise<Round> {
  const client = startHonestClient(server);
  const before = await ask(client, server.status, enough);
  const attacker = fork(
    join(import.meta.dirname, 'attacker-main.ts'),
    [attack, JSON.stringify(server), String(sockets)],
    { execArgv: ['--disable-warning=ExperimentalWarning'] },
  );
  let isOpen = false;
  attacker.once('message', () => (isOpen = true));
  attacker.once('exit', () => (isOpen = true));
  const opening = await ask(client, server.status, () => isOpen);
  const held = await ask(client, server.status, enough);
  const ended = once(attacker, 'exit');
  attacker.kill('SIGKILL');
  await ended;
  client.end();
  return { before, opening, held };
}

/** Says what the client waited for; whether every request was answered. */
async function run(apart: ServersApart, name: ServerName, attack: AttackName): Promise<boolean> {
  const rss = await apart.rss();
  const all: Round[] = [];
  for (let nth = 0; nth < rounds; nth += 1) all.push(await round(apart.servers[name], attack));
  const grown = (await apart.rss()) - rss;
  const of = (when: keyof Round) => median(all.map((each) => each[when].p99)).toFixed(1);
  const times = (when: keyof Round) => median(all.map((each) => each[when].p99 / each.before.p99)).toFixed(1);
  const asked = all.flatMap(({ before, opening, held }) => [before, opening, held]);
  const unanswered = asked.reduce((sum, each) => sum + each.unanswered, 0);
  process.stdout.write(
    `${name}, ${attack}: p99 ${of('before')} ms before, ${of('opening')} (${times('opening')} times) while ${sockets} sockets were opened, ` +
      `${of('held')} (${times('held')} times) beside them; ` +
      `${unanswered} of ${asked.reduce((sum, { count }) => sum + count, 0)} unanswered; ${Math.round(grown / 1_048_576)} MiB more\n`,
  );
  return unanswered === 0;
}

/** All of them unless some are named. Ends with status 3 where a name is not one of them. */
function chosen<Name extends string>(names: readonly Name[], wanted: readonly string[] = names): readonly Name[] {
  const unknown = wanted.filter((name) => !names.some((each) => each === name));
  if (unknown.length === 0) return names.filter((name) => wanted.includes(name));
  process.stderr.write(`there is no '${unknown.join("', '")}'; there are: ${names.join(', ')}\n`);
  process.exit(3);
}

const servers = chosen(serverNames, values.server);
const attacks = chosen(attackNames, values.attack);
const redis = await startRedis();
let isRight = true;
for (const name of servers) {
  // A process for each, so that what one attack leaves is not the next one's.
  const apart = await startServersApart(redis.url, null);
  for (const attack of attacks) isRight = (await run(apart, name, attack)) && isRight;
  await apart.stop();
}
await redis.stop();
process.exit(isRight ? 0 : 1);
