import { afterEach, describe, expect, it } from '@jest/globals';
import type { HostileDns, Said } from '../../support/hostile-dns.ts';
import { a, cname, delegates, hostileDns, hostname, platformZone, serves, target } from '../../support/hostile-dns.ts';

/**
 * A packet that comes to the right port with the right id, but does not repeat the question as it was asked, or is no
 * answer to a query at all, or hides another name behind characters that look or fold alike. None of them is read.
 */

const right = serves([cname(hostname, target)]);
const header = 12;
const nameEnd = header + hostname.length + 2;

/** A copy of the answer with some of its bytes changed. */
const changed = (change: (message: Buffer) => void) => (message: Buffer) => {
  const copy = Buffer.from(message);
  change(copy);
  return [copy];
};

const withoutQuestion = (message: Buffer): readonly Buffer[] => {
  const copy = Buffer.concat([message.subarray(0, header), message.subarray(nameEnd + 4)]);
  copy.writeUInt16BE(0, 4);
  return [copy];
};

let dnsServers: HostileDns | undefined;
afterEach(() => dnsServers?.stop());

const attack = (lie: (said: Said) => Said) =>
  hostileDns((at) => [
    delegates({ 'example.com': { 'ns1.dns.test': at(1) }, 'apps.example.net': { 'ns.apps.example.net': at(2) } }),
    (asked) => {
      const said = right(asked);
      return said && asked.name === hostname && asked.type !== 'NS' ? lie(said) : said;
    },
    platformZone,
  ]);

describe('an answer that does not fit the question', () => {
  it.each<[string, Required<Said>['bytes']]>([
    ['repeats no question', withoutQuestion],
    ['repeats another type', changed((message) => void message.writeUInt16BE(16, nameEnd))],
    ['is of class CHAOS', changed((message) => void message.writeUInt16BE(3, nameEnd + 2))],
    ['has the opcode of a notification', changed((message) => void message.writeUInt8((message[2] ?? 0) | 0x20, 2))],
    ['is itself a question', changed((message) => void message.writeUInt8((message[2] ?? 0) & 0x7f, 2))],
    ['has another id', changed((message) => void message.writeUInt16BE(message.readUInt16BE(0) ^ 1, 0))],
    ['is about a name with a dot inside a label', changed((message) => void message.writeUInt8(0x2e, header + 4))],
    ['has a header and nothing else', (message) => [message.subarray(0, header)]],
    ['is cut off inside the question', (message) => [message.subarray(0, header + 6)]],
  ])('%s: it is not read', async (_, bytes) => {
    dnsServers = await attack((said) => ({ ...said, bytes }));
    expect((await dnsServers.look({ ca: null })).routing.verdict).toBe('unknown');
  });

  it('carries a response code in the bits of EDNS: BADVERS is no answer', async () => {
    const opt = { type: 'OPT', name: '.', udpPayloadSize: 1232, extendedRcode: 1, flags: 0, options: [] } as const;
    dnsServers = await attack((said) => ({
      ...said,
      additionals: [{ ...opt, options: [], ednsVersion: 0, flag_do: false }],
    }));
    expect((await dnsServers.look({ ca: null })).routing.verdict).toBe('unknown');
  });

  it('holds the records of a name that only looks the same (KELVIN SIGN for k)', async () => {
    const name = 'kiosk.example.com';
    dnsServers = await hostileDns((at) => [
      delegates({ 'example.com': { 'ns1.dns.test': at(1) }, 'apps.example.net': { 'ns.apps.example.net': at(2) } }),
      (asked) => (asked.type === 'A' ? { answers: [cname('\u212aiosk.example.com', target)] } : {}),
      platformZone,
    ]);
    expect((await dnsServers.look({ hostname: name, ca: null })).routing.verdict).not.toBe('yes');
  });

  it('has the records of a label with a dot in it for those of two labels', async () => {
    dnsServers = await hostileDns((at) => [
      delegates({ 'example.com': { 'ns1.dns.test': at(1) }, 'apps.example.net': { 'ns.apps.example.net': at(2) } }),
      (asked) =>
        asked.type === 'A'
          ? {
              answers: [cname(hostname, target)],
              bytes: (message) => {
                const copy = Buffer.from(message);
                const owner = copy.indexOf(Buffer.from('\u0003www\u0007example', 'latin1'), nameEnd + 4);
                copy.write('\u000bwww.example', owner, 'latin1');
                return [copy];
              },
            }
          : {},
      platformZone,
    ]);
    expect((await dnsServers.look({ ca: null })).routing.verdict).not.toBe('yes');
  });
});

describe('the case of the name', () => {
  it.each<[string, (text: string) => string]>([
    ['folds to lower case', (text) => text.toLowerCase()],
    ['folds to upper case', (text) => text.toUpperCase()],
  ])('a server that %s is asked once more, and believed', async (_, fold) => {
    const folding = (message: Buffer): readonly Buffer[] => {
      const copy = Buffer.from(message);
      copy.write(fold(copy.toString('latin1', header, nameEnd)), header, 'latin1');
      return [copy];
    };
    dnsServers = await attack((said) => ({ ...said, bytes: folding }));
    expect((await dnsServers.look({ ca: null })).routing).toMatchObject({ verdict: 'yes', by: 'target' });
    expect(dnsServers.packets[1]).toBeGreaterThan(4);
  });

  it('answers of addresses are those of the name that was asked', async () => {
    dnsServers = await attack(() => ({ answers: [a('other.example.com', '203.0.113.10')] }));
    expect((await dnsServers.look({ ca: null })).routing).toMatchObject({ verdict: 'no', code: 'RecordMissing' });
  });
});
