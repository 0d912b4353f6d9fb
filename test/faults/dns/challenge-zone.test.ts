import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { takeCorner } from '../../../dev/platform/address.ts';
import type { Corner } from '../../../dev/platform/address.ts';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { temporaryFolder } from '../../../dev/lib/temporary.ts';
import type { ChallengeZone } from '../../../src/dns/challenge-zone.ts';
import type { ChallengeZoneOptions } from '../../../src/dns/update/challenge-zone.ts';
import { createChallengeZone, streamRequest } from '../../../src/dns/update/challenge-zone.ts';
import type { TsigKey } from '../../../src/dns/update/tsig.ts';
import { signMessage } from '../../../src/dns/update/tsig.ts';
import { encodeUpdate, updateCode } from '../../../src/dns/update/update-message.ts';
import type { ChallengeZoneServers } from '../../support/dns-servers/challenge-zone-servers.ts';
import { startChallengeZoneServers } from '../../support/dns-servers/challenge-zone-servers.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { fromNow } from '../../support/from-now.ts';

const zone = 'acme.projectdomain.test';

describe('the zone of challenges on a Knot and its secondary', () => {
  let corner: Corner;
  let servers: ChallengeZoneServers;
  let challenges: ChallengeZone;
  const zoneWith = (changed: Partial<ChallengeZoneOptions>): ChallengeZone =>
    createChallengeZone({
      zone,
      primary: servers.primary,
      servers: servers.servers,
      key: () => Promise.resolve(servers.key),
      now: systemClock.now,
      ...changed,
    });

  beforeAll(async () => {
    corner = await takeCorner();
    const net = corner.address.slice(0, corner.address.lastIndexOf('.'));
    const addresses = [`${net}.30`, `${net}.31`] as const;
    servers = await startChallengeZoneServers({ dir: temporaryFolder('challenge-zone'), zone, addresses });
    challenges = zoneWith({});
  }, 120_000);

  afterAll(async () => {
    await servers.stop();
    corner.release();
  });

  const isServedSoon = (label: string, texts: readonly string[]) =>
    eventually(`${texts.length} texts are served at ${label}`, 30_000, async () =>
      expectThat(await challenges.serves(label, 'order', texts), 'not yet'),
    );

  it('serves what was put there by all of its servers, the next texts in place of the former, and none in the end', async () => {
    await challenges.put('a', 'order', ['one']);
    await isServedSoon('a', ['one']);
    await challenges.put('a', 'order', ['two', 'three']);
    await isServedSoon('a', ['three', 'two']);
    expect(await challenges.serves('a', 'order', ['two'])).toBe(false);
    await challenges.put('a', 'order', []);
    await isServedSoon('a', []);
  });

  it('serves the texts of two orders at one label, and leaves those of one when the other has ended', async () => {
    await Promise.all([challenges.put('e', 'base', ['one']), challenges.put('e', 'wildcard', ['two'])]);
    const both = () =>
      Promise.all([challenges.serves('e', 'base', ['one']), challenges.serves('e', 'wildcard', ['two'])]);
    await eventually('both are served', 30_000, async () => expectThat((await both()).every(Boolean), 'not yet'));
    await challenges.put('e', 'base', []);
    await eventually('the other is left', 30_000, async () =>
      expectThat(await challenges.serves('e', 'wildcard', ['two']), 'not yet'),
    );
    await challenges.put('e', 'wildcard', []);
    await isServedSoon('e', []);
  });

  it('may be told the same twice, as whoever told it first may have ended before it knew', async () => {
    await challenges.put('b', 'order', ['same']);
    await challenges.put('b', 'order', ['same']);
    await isServedSoon('b', ['same']);
    await challenges.put('b', 'order', []);
    await challenges.put('b', 'order', []);
    await isServedSoon('b', []);
  });

  const other = Buffer.alloc(32, 1);
  it.each<readonly [title: string, Partial<TsigKey>, says: RegExp]>([
    ['another secret', { secret: other }, /BADSIG/],
    ['a name that it does not know', { name: 'nobody' }, /BADKEY/],
    ['another algorithm', { algorithm: 'hmac-sha512' }, /BADKEY/],
  ])('refuses %s, and says why', async (_title, changed, says) => {
    const strange = zoneWith({ key: () => Promise.resolve({ ...servers.key, ...changed }) });
    await expect(strange.put('c', 'order', ['no'])).rejects.toThrow(says);
    await isServedSoon('c', []);
  });

  it('refuses a clock that is an hour off', async () => {
    const late = zoneWith({ now: () => fromNow(3_600_000) });
    await expect(late.put('c', 'order', ['no'])).rejects.toThrow(/BADTIME/);
  });

  it('takes no change of a name of another zone', async () => {
    const elsewhere = zoneWith({ zone: 'projectdomain.test' });
    await expect(elsewhere.put('c', 'order', ['no'])).rejects.toThrow(/NOTAUTH/);
  });

  it('says so where the key cannot be read', async () => {
    const unreadable = zoneWith({ key: () => Promise.reject(new Error('no such file')) });
    await expect(unreadable.put('c', 'order', ['no'])).rejects.toThrow(/TSIG key cannot be read: no such file/);
  });

  it('does not count as served while one of its servers is away', async () => {
    await challenges.put('d', 'order', ['text']);
    await isServedSoon('d', ['text']);
    const away = { address: corner.address, port: 2 };
    const withOneAway = zoneWith({ servers: [...servers.servers, away] });
    expect(await withOneAway.serves('d', 'order', ['text'])).toBe(false);
  });

  it('rejects where nobody takes changes', async () => {
    const nobody = zoneWith({ primary: { address: corner.address, port: 2 } });
    await expect(nobody.put('c', 'order', ['no'])).rejects.toThrow(/ECONNREFUSED/);
  });

  interface Answered {
    readonly title: string;
    readonly answer: (request: Buffer) => Buffer;
    readonly says: RegExp;
  }

  const done = (request: Buffer): Buffer => {
    const header = Buffer.from(request.subarray(0, 12));
    header.writeUInt16BE(0xa800, 2);
    header.fill(0, 4);
    return header;
  };
  const answers: readonly Answered[] = [
    { title: 'an answer without a signature', answer: done, says: /not signed/ },
    {
      title: 'an answer that somebody else signed',
      answer: (request) => signMessage(done(request), { ...servers.key, secret: other }, fromNow(0)).bytes,
      says: /signature of its answer is wrong/,
    },
    {
      title: 'an answer that is signed without regard to the request',
      answer: (request) => signMessage(done(request), servers.key, fromNow(0)).bytes,
      says: /signature of its answer is wrong/,
    },
    {
      title: 'an answer that ends in the middle',
      answer: (request) => request.subarray(0, 20),
      says: /not one to an update/,
    },
    { title: 'an empty message', answer: () => Buffer.alloc(0), says: /not one to an update/ },
    {
      title: 'an answer to another update',
      answer: (request) => Buffer.concat([Buffer.from([0]), done(request).subarray(1)]),
      says: /not one to an update|not signed/,
    },
  ];

  it.each(answers)('takes $title for a fault', async ({ answer, says }) => {
    const forger = createServer((socket) => {
      socket
        .on('error', () => undefined)
        .once('data', (data: Buffer) => {
          const reply = answer(data.subarray(2));
          const length = Buffer.alloc(2);
          length.writeUInt16BE(reply.length);
          socket.end(Buffer.concat([length, reply]));
        });
    });
    await new Promise<void>((listening) => forger.listen(0, corner.address, listening));
    try {
      const { port } = forger.address() as AddressInfo;
      const forged = zoneWith({ primary: { address: corner.address, port } });
      await expect(forged.put('c', 'order', ['no'])).rejects.toThrow(says);
    } finally {
      forger.close();
    }
  });

  it('lets the key change texts alone, whatever is asked with it', async () => {
    const typeOfLast = 10;
    const message = (type: number) => {
      const removal = encodeUpdate({ zone, name: `ns1.${zone}`, texts: [], ttl: 10 });
      removal.writeUInt16BE(type, removal.length - typeOfLast);
      return removal;
    };
    const answerTo = async (update: Buffer) =>
      updateCode(await streamRequest(servers.primary, signMessage(update, servers.key, fromNow(0)).bytes), update);
    const [text, address] = [16, 1];
    expect(await answerTo(message(text))).toBe('NOERROR');
    expect(await answerTo(message(address))).toBe('NOTAUTH');
  });
});
