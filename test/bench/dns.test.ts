import { it } from '@jest/globals';
import { customerAt, dnsHosts, roots } from '../support/dns-hosts.ts';
import { checkerAt } from './distant-dns.ts';
import { startStopwatch } from './stopwatch.ts';

/**
 * What checks cost, printed as tables: packets and time of a check by DNS host and round-trip time, packets to the busiest
 * servers at many domains, and checks per second of one process. Fails only when a check did not work.
 */

const roundTrips = [5, 20, 50, 100];
const repetitions = 7;
const isRoot = (address: string): boolean => roots.includes(address);
const isRegistry = (address: string): boolean => /^8\.1\d\./.test(address);

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

const [confirmationSeconds, fullCheckSeconds, delegationSeconds] = [900, 86_400, 43_200];

it('packets per second for Live domains', async () => {
  const sample = 300;
  const check = checkerAt(0);
  const hostnames = Array.from({ length: sample }, (_, customer) => customerAt(customer % 3, customer));
  const full: string[] = [];
  const confirming: string[] = [];
  for (const hostname of hostnames) full.push(...(await check(hostname)).sent);
  for (const hostname of hostnames) confirming.push(...(await check(hostname, true)).sent);
  print('| Live domains | packets/s | root | registries | busiest registry server | busiest DNS host server |');
  for (const domains of [10_000, 100_000]) {
    const rate = (is: (address: string) => boolean) =>
      (confirming.filter(is).length / sample) * (domains / confirmationSeconds) +
      (full.filter(is).length / sample) * (domains / fullCheckSeconds);
    const renewals = domains / delegationSeconds;
    const busiest = (is: (address: string) => boolean) =>
      Math.max(...[...new Set(full.filter(is))].map((busy) => rate((address) => address === busy)));
    const all = rate(() => true) + renewals;
    const registries = rate(isRegistry) + renewals;
    const busiestRegistry = busiest(isRegistry) + renewals / 13;
    const row = [all, rate(isRoot), registries, busiestRegistry, busiest((address) => address.startsWith('8.2.'))];
    print(`| ${domains} | ${row.map((value) => value.toFixed(1)).join(' | ')} |`);
  }
});

const atATime = 64;

it.each([
  ['three DNS hosts, each server at the rate that one may be sent', []],
  ['no limit per server: the processor alone', ['0.0.0.0/0']],
])('checks per second of one process: %s', async (what, permitted) => {
  const check = checkerAt(0, permitted);
  const count = 3_000;
  const watch = startStopwatch();
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const customer = next;
      next += 1;
      await check(customerAt(customer % 3, customer));
    }
  };
  await Promise.all(Array.from({ length: atATime }, worker));
  const perSecond = Math.round((count * 1_000) / watch.ms());
  const perCpuSecond = Math.round((count * 1_000) / watch.cpuMs());
  const rates = `${perSecond}; per second of the main thread's processor time: ${perCpuSecond}`;
  print(`checks per second, answers at once, ${atATime} at a time, ${what}: ${rates}`);
});
