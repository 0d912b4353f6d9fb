import { describe, expect, it } from '@jest/globals';
import type { UnknownCause } from '../../../../src/dns/dns-facts.ts';
import type { DnsClient } from '../../../../src/dns/lookup/dns-client.ts';
import { createDnsClient } from '../../../../src/dns/lookup/dns-client.ts';
import type { Exchange } from '../../../../src/dns/wire/dns-exchange.ts';
import type { Response } from '../../../../src/dns/wire/dns-message.ts';
import { createServerMemory } from '../../../../src/dns/lookup/server-memory.ts';
import { createSilence } from '../../../../src/dns/lookup/silent-servers.ts';
import { empty } from '../../../support/scripted-exchange.ts';

/** Which packets a server gets where it does not answer, or not with EDNS, and what is remembered of that. */

const server = { address: '8.0.0.1', port: 53 };

/** What the server does with the packet of this number, counted from 0. */
type Server = (number: number, edns: boolean) => Response | UnknownCause;

interface Lookups {
  /** a check of its own, on what earlier ones learned of the server */
  client(): DnsClient;
  /** `e` for a packet with EDNS, `-` for one without, in order */
  readonly sent: () => string;
  wait(ms: number): void;
}

function lookups(behaviour: Server): Lookups {
  let [now, sent] = [0, ''];
  const exchange: Exchange = (_, __, { edns, timeoutMs, allowance }) => {
    const received = behaviour(sent.length, edns);
    sent += edns ? 'e' : '-';
    now += received === 'timeout' ? timeoutMs : 10;
    if (received !== 'timeout') allowance.answered();
    return Promise.resolve(received);
  };
  const memory = createServerMemory();
  return {
    client: () =>
      createDnsClient({
        exchange,
        allowed: () => true,
        unbounded: () => false,
        rates: { waitFor: () => 0, answered: () => undefined },
        silence: createSilence(),
        memory,
        signal: new AbortController().signal,
        now: () => now,
      }),
    sent: () => sent,
    wait: (ms) => void (now += ms),
  };
}

const question = (label: string) => ({ name: `${label}.example.com`, type: 'A', recursive: false }) as const;
const ask = (client: DnsClient, ...labels: readonly string[]) =>
  Promise.all(labels.map((label) => client.query(server, question(label))));

const losing =
  (...numbers: readonly number[]): Server =>
  (number) =>
    numbers.includes(number) ? 'timeout' : empty;
const dropsEdns: Server = (_, edns) => (edns ? 'timeout' : empty);
const failsEdns: Server = (_, edns) => (edns ? { ...empty, rcode: 'RCODE1' } : empty);

/** Fails when lost packets leave a server without EDNS for a quarter of an hour, or one without EDNS costs a try each time. */
describe('a server', () => {
  it('of which one packet was lost is asked with EDNS again', async () => {
    const { client, sent } = lookups(losing(0));
    expect(await ask(client(), 'a')).toEqual([empty]);
    await ask(client(), 'b');
    expect(sent()).toBe('e-e');
  });

  it('of which two packets were lost at once is asked with EDNS again', async () => {
    const { client, sent } = lookups(losing(0, 1));
    await ask(client(), 'a', 'b');
    expect(sent()).toBe('ee--');
    await ask(client(), 'c');
    expect(sent()).toBe('ee--e');
  });

  it('that drops EDNS is asked without it once it dropped it again after it was heard', async () => {
    const { client, sent } = lookups(dropsEdns);
    await ask(client(), 'a');
    await ask(client(), 'b');
    await ask(client(), 'c', 'd');
    expect(sent()).toBe('e-e---');
  });

  it('that drops EDNS is asked with it again after a quarter of an hour', async () => {
    const { client, sent, wait } = lookups(dropsEdns);
    for (const label of ['a', 'b']) await ask(client(), label);
    wait(900_001);
    await ask(client(), 'c');
    await ask(client(), 'd');
    expect(sent()).toBe('e-e-e--');
  });

  it('that fails EDNS is asked without it from then on', async () => {
    const { client, sent } = lookups(failsEdns);
    await ask(client(), 'a');
    await ask(client(), 'b');
    expect(sent()).toBe('e--');
  });

  it('that has answered with EDNS is asked with it however many packets are lost', async () => {
    const { client, sent } = lookups(losing(1, 3, 5));
    for (const label of ['a', 'b', 'c', 'd']) await ask(client(), label);
    expect(sent()).toBe('eeeeeee');
  });

  it('of which a packet without EDNS was lost is not held to be without it for longer', async () => {
    const { client, sent, wait } = lookups((number, edns) => (edns || number === 4 ? 'timeout' : empty));
    for (const label of ['a', 'b', 'c']) await ask(client(), label);
    expect(sent()).toBe('e-e---');
    wait(899_800);
    await ask(client(), 'd');
    expect(sent().slice(6)).toBe('e-');
  });
});

/** Fails when an answer that only helps, and was lost, is missing where it is needed. */
describe('a query that was optional and timed out', () => {
  it('has its own tries where it is needed, and one answer for all who need it', async () => {
    const { client, sent } = lookups(losing(0, 1));
    const check = client();
    expect(await check.query(server, question('a'), null)).toBe('timeout');
    expect(await check.query(server, question('a'), null)).toBe('timeout');
    expect(await ask(check, 'a', 'a')).toEqual([empty, empty]);
    expect(await check.query(server, question('a'), null)).toEqual(empty);
    expect(sent()).toHaveLength(3);
  });

  it('is waited for where it is needed while it is on its way', async () => {
    const { client, sent } = lookups(losing());
    const check = client();
    expect(await Promise.all([check.query(server, question('a'), null), check.query(server, question('a'))])).toEqual([
      empty,
      empty,
    ]);
    expect(sent()).toBe('e');
  });
});
