import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Authority, Behaviour, TestIngress } from '../../support/ingress.ts';
import { drip } from '../../support/drip.ts';
import { answering, createAuthority, hostname } from '../../support/ingress.ts';
import { turnsOfLoop } from '../../support/turns-of-loop.ts';

/**
 * A tenant's Service answers the probe slowly, endlessly or not at all, to hold the operator's workers and memory. A probe has
 * a deadline whatever happens, reads a bounded head and no body, and never rejects.
 */

let authority: Authority;

beforeAll(() => {
  authority = createAuthority();
});

afterAll(() => authority.remove());

function flood(socket: Socket, bytes: string): void {
  const more = () => {
    while (!socket.destroyed && socket.write(bytes));
  };
  socket.on('drain', more);
  more();
}

const endless: readonly (readonly [string, Behaviour])[] = [
  ['accepts and says nothing', { plain: () => undefined }],
  ['answers nothing in TLS', { secure: () => undefined }],
  [
    'sends one header after another, slowly',
    {
      secure: (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        drip(socket, 'X: y\r\n', 20);
      },
    },
  ],
  [
    'sends hints without end',
    { secure: (socket) => flood(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(500)) },
  ],
  ['answers to go on, for ever', { secure: (socket) => drip(socket, 'HTTP/1.1 100 Continue\r\n\r\n', 20) }],
];

const decided: readonly (readonly [string, Behaviour, boolean])[] = [
  ['speaks garbage instead of TLS', { plain: (socket) => flood(socket, 'x'.repeat(65_536)) }, false],
  ['says one byte of its head at a time', { secure: (socket) => drip(socket, 'H', 20) }, false],
  [
    'sends headers without end',
    {
      secure: (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        flood(socket, `X: ${'y'.repeat(8_000)}\r\n`);
      },
    },
    false,
  ],
  [
    'sends a body without end',
    {
      secure: (socket) => {
        answering('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')(socket);
        socket.once('data', () => flood(socket, `10000\r\n${'x'.repeat(65_536)}\r\n`));
      },
    },
    true,
  ],
  ['has a certificate of another name', { secure: answering('HTTP/1.1 200 OK\r\n\r\n'), name: 'other.example' }, false],
  ['answers in time', { secure: answering('HTTP/1.1 200 OK\r\n\r\n') }, true],
];

/** The same, and when it is met: over TLS once that is agreed on. */
function metAt(behaviour: Behaviour): { readonly noted: Behaviour; readonly met: Promise<void> } {
  const { promise: met, resolve } = Promise.withResolvers<void>();
  const noting =
    <Kind extends Socket>(act: (socket: Kind) => void) =>
    (socket: Kind) => {
      act(socket);
      resolve();
    };
  const noted =
    'plain' in behaviour
      ? { plain: noting(behaviour.plain) }
      : { ...behaviour, secure: noting<TLSSocket>(behaviour.secure) };
  return { noted, met };
}

const probing = ({ probe, notAfter }: TestIngress) => probe.ask({ hostname, notAfter }, new AbortController().signal);

describe('an ingress', () => {
  it.concurrent.each(endless)('that %s holds a probe until its deadline and no longer', async (_, behaviour) => {
    const { noted, met } = metAt(behaviour);
    const late = new AbortController();
    const ingress = await authority.ingress(noted, { late: late.signal });
    let isAnswered = false;
    const result = probing(ingress).finally(() => (isAnswered = true));
    await met;
    await turnsOfLoop(50);
    expect(isAnswered).toBe(false);
    late.abort();
    expect((await result).ok).toBe(false);
    await ingress.stop();
  });

  it.concurrent(
    'that accepts and says nothing is waited for until the deadline that the probe has of its own',
    async () => {
      const ingress = await authority.ingress({ plain: () => undefined });
      expect((await probing(ingress)).ok).toBe(false);
      await ingress.stop();
    },
  );

  // Without a deadline: each of them holds a probe for ever if it is not decided by what it says.
  it.concurrent.each(decided)('that %s is decided by what it says', async (_, behaviour, ok) => {
    const ingress = await authority.ingress(behaviour, { late: new AbortController().signal });
    expect((await probing(ingress)).ok).toBe(ok);
    await ingress.stop();
  });

  it('that has only an address of IPv6 is asked too', async () => {
    const ingress = await authority.ingress({ secure: answering('HTTP/1.1 200 OK\r\n\r\n') }, { host: '::1' });
    const { signal } = new AbortController();
    expect(await ingress.probe.ask({ hostname, notAfter: ingress.notAfter }, signal)).toEqual({ ok: true });
    await ingress.stop();
  });

  it('with the certificate of an earlier issue does not count as the new one', async () => {
    const ingress = await authority.ingress({ secure: answering('HTTP/1.1 200 OK\r\n\r\n') });
    const { signal } = new AbortController();
    const result = await ingress.probe.ask({ hostname, notAfter: '2020-01-01T00:00:00Z' }, signal);
    expect(result).toMatchObject({ ok: false, code: 'WrongCertificate' });
    await ingress.stop();
  });
});
