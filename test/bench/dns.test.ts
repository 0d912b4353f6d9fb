import { expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDnsChecker } from '../../src/dns/lookup/dns-checker.ts';
import { customerAt, dnsHosts, dnsOfHosts, roots, target } from '../support/dns-hosts.ts';

/**
 * What checks cost, printed as tables: packets and time of a check by DNS host and round-trip time, packets to the busiest
 * servers at many domains, and checks per second of one process. Fails only when a check did not work.
 */

const roundTrips = [5, 20, 50, 100];
const repetitions = 7;
const endpoints = roots.map((address) => ({ address, port: 53 }));
const isRoot = (address: string): boolean => roots.includes(address);
const isRegistry = (address: string): boolean => /^8\.1\d\./.test(address);

function checkerAt(roundTripMs: number, permitted: readonly string[] = []) {
  const dns = dnsOfHosts();
  const checker = createDnsChecker({ roots: endpoints, resolvers: [], permitted }, async (...query) => {
    if (roundTripMs > 0) await sleep(roundTripMs);
    return dns.exchange(...query);
  });
  return async (hostname: string) => {
    const [before, startedAt] = [dns.sent.length, performance.now()];
    const txtName = `_projectdomain-challenge.${hostname}`;
    const request = { hostname, target, txtName, txtRequired: false, caa: true };
    const facts = await checker.check(request, new AbortController().signal);
    expect(JSON.stringify(facts.names[hostname])).toContain(target);
    return { ms: performance.now() - startedAt, sent: dns.sent.slice(before) };
  };
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;

const print = (line: string) => void process.stderr.write(`${line}\n`);

it('packets and time of a check', async () => {
  print('| DNS host | check | packets | root | registry | ' + roundTrips.map((ms) => `${ms} ms`).join(' | ') + ' |');
  for (const [host, { name }] of dnsHosts.entries()) {
    const first: (readonly number[])[] = [];
    const later: (readonly number[])[] = [];
    const sent: Record<'first' | 'later', readonly string[]> = { first: [], later: [] };
    for (const roundTripMs of roundTrips) {
      const runs = await Promise.all(
        Array.from({ length: repetitions }, async () => {
          const check = checkerAt(roundTripMs);
          const firstCheck = await check(customerAt(host, 0));
          const laterCheck = await check(customerAt(host, 1));
          sent.first = firstCheck.sent;
          sent.later = laterCheck.sent;
          return [firstCheck.ms, laterCheck.ms] as const;
        }),
      );
      first.push(runs.map(([ms]) => ms));
      later.push(runs.map(([, ms]) => ms));
    }
    for (const [which, times] of [
      ['first', first],
      ['later', later],
    ] as const) {
      const to = (is: (address: string) => boolean) => sent[which].filter(is).length;
      const shown = times.map((values) => `${Math.round(median(values))} ms`).join(' | ');
      print(`| ${name} | ${which} | ${sent[which].length} | ${to(isRoot)} | ${to(isRegistry)} | ${shown} |`);
    }
  }
});

const driftIntervalSeconds = 900;

it('packets per second at many domains, each checked every fifteen minutes', async () => {
  const sample = 300;
  const dns = checkerAt(0);
  const sent: string[] = [];
  for (let customer = 0; customer < sample; customer += 1)
    sent.push(...(await dns(customerAt(customer % 3, customer))).sent);
  print('| domains | packets/s | root | registries | busiest registry server | busiest DNS host server |');
  for (const domains of [10_000, 100_000]) {
    const rate = (count: number) => ((count / sample) * (domains / driftIntervalSeconds)).toFixed(1);
    const busiest = (is: (address: string) => boolean) =>
      Math.max(...[...Map.groupBy(sent.filter(is), (address) => address).values()].map((packets) => packets.length));
    const hosted = (address: string) => address.startsWith('8.2.');
    const row = [
      sent.length,
      sent.filter(isRoot).length,
      sent.filter(isRegistry).length,
      busiest(isRegistry),
      busiest(hosted),
    ];
    print(`| ${domains} | ${row.map(rate).join(' | ')} |`);
  }
});

const atATime = 64;

it.each([
  ['three DNS hosts, each server at the rate that one may be sent', []],
  ['no limit per server: the processor alone', ['0.0.0.0/0']],
])('checks per second of one process: %s', async (what, permitted) => {
  const check = checkerAt(0, permitted);
  const count = 3_000;
  const startedAt = performance.now();
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const customer = next;
      next += 1;
      await check(customerAt(customer % 3, customer));
    }
  };
  await Promise.all(Array.from({ length: atATime }, worker));
  const perSecond = Math.round((count * 1_000) / (performance.now() - startedAt));
  print(`checks per second, answers at once, ${atATime} at a time, ${what}: ${perSecond}`);
});
