import { afterEach, describe, expect, it } from '@jest/globals';
import type { Question } from '../../../src/dns/wire/dns-message.ts';
import { decodeResponse } from '../../../src/dns/wire/dns-message.ts';
import { createNameReader, stepsPerByte } from '../../../src/dns/wire/wire-name.ts';
import { answerTo, floods } from '../../support/dns-floods.ts';
import type { HostileDns } from '../../support/hostile-dns.ts';
import { delegates, hostileDns, platformZone } from '../../support/hostile-dns.ts';

/**
 * Name servers of the customer's own answer over TCP with messages that are made to take long to read: chains of thousands of pointers, names
 * that overlap, the longest names. One answer of 21 KB took 20 to 48 ms of the processor, and forty such domains 40 % of it.
 */

const servers = ['ns1.dns.test', 'ns2.dns.test'];
/** one label */
const more = 64;

let dnsServers: HostileDns | undefined;
afterEach(() => dnsServers?.stop());

/** Says over UDP that the answer is too long, and the flood over TCP; keeps what it has sent. */
async function attack(family: string) {
  const sent: { readonly bytes: Buffer; readonly question: Question }[] = [];
  const flood = (name: string, type: Question['type']) => (message: Buffer) => {
    const question: Question = { name, type, recursive: false };
    const bytes = answerTo(question, message.readUInt16BE(0), floods[family]?.(question, 0) ?? {});
    sent.push({ bytes, question });
    return [bytes];
  };
  dnsServers = await hostileDns((at) => {
    const delegation = Object.fromEntries(servers.map((name, index) => [name, at(index + 1)]));
    const hostile = ({ name, type, overTcp }: { name: string; type: string; overTcp: boolean }) =>
      overTcp ? { bytes: flood(name, type as Question['type']) } : { truncated: true };
    const platform = { 'ns.apps.example.net': at(3) };
    return [delegates({ 'example.com': delegation, 'apps.example.net': platform }), hostile, hostile, platformZone];
  });
  const { routing, facts } = await dnsServers.look();
  return { sent, verdict: routing.verdict, outcomes: facts.asked.map(({ outcome }) => outcome) };
}

describe('answers that are made to take long to read', () => {
  it.each(['chains of 8,000 pointers', 'labels that overlap'])('of %s are malformed', async (family) => {
    const { sent, verdict, outcomes } = await attack(family);
    expect(sent.length).toBeGreaterThan(1);
    expect(verdict).not.toBe('yes');
    expect(outcomes).toContain('malformed');
  });

  it.each(Object.keys(floods))('of %s take no more steps than their bytes are worth', async (family) => {
    const { sent, verdict } = await attack(family);
    expect(sent.length).toBeGreaterThan(1);
    for (const { bytes, question } of sent) {
      const names = createNameReader(bytes);
      decodeResponse(bytes, bytes.readUInt16BE(0), question, names);
      expect(names.steps()).toBeLessThanOrEqual(stepsPerByte * bytes.length + more);
    }
    expect(verdict).not.toBe('yes');
  });
});
