import { afterEach, describe, expect, it } from '@jest/globals';
import type { HostileDns } from '../../support/hostile-dns.ts';
import { delegates, hostileDns, platformZone, txt, txtName } from '../../support/hostile-dns.ts';

/**
 * A customer's name server sends its answer over TCP a few bytes at a time, or never ends it, so that a check (and the
 * worker that runs it) waits for ever. The whole exchange has a deadline and a buffer of the announced length.
 */

let dnsServers: HostileDns | undefined;
afterEach(() => dnsServers?.stop());

describe('an answer over TCP that does not come to its end', () => {
  it.each([
    ['byte by byte', 1],
    ['ten bytes at a time', 10],
  ])(
    '%s is unknown, and the check ends',
    async (_, drip) => {
      const large = Array.from({ length: 200 }, (_, index) => txt(txtName, `${index}${'x'.repeat(800)}`.slice(0, 250)));
      dnsServers = await hostileDns((at) => [
        delegates({
          'example.com': { 'ns1.example.com': at(1) },
          'apps.example.net': { 'ns.apps.example.net': at(2) },
        }),
        ({ overTcp }) => (overTcp ? { answers: large, drip } : { truncated: true }),
        platformZone,
      ]);
      const { routing, ownership } = await dnsServers.look({ txtRequired: true });
      expect([routing.verdict, ownership.verdict]).toEqual(['unknown', 'unknown']);
    },
    20_000,
  );
});
