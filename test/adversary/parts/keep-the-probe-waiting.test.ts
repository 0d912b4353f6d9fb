import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Authority, Behaviour } from '../../support/ingress.ts';
import { answering, createAuthority, hostname } from '../../support/ingress.ts';

/**
 * A tenant's Service answers the probe slowly, endlessly or not at all, to hold the operator's workers and memory. A probe has
 * five seconds whatever happens, reads a bounded head and no body, and never rejects.
 */

let authority: Authority;

beforeAll(() => {
  authority = createAuthority();
});

afterAll(() => authority.remove());

function drip(socket: Socket, bytes: string, everyMs: number): void {
  const timer = setInterval(() => socket.write(bytes), everyMs);
  socket.on('close', () => clearInterval(timer));
}

function flood(socket: Socket, bytes: string): void {
  const more = () => {
    while (!socket.destroyed && socket.write(bytes));
  };
  socket.on('drain', more);
  more();
}

const behaviours: readonly (readonly [string, Behaviour, boolean])[] = [
  ['accepts and says nothing', { plain: () => undefined }, false],
  ['speaks garbage instead of TLS', { plain: (socket) => flood(socket, 'x'.repeat(65_536)) }, false],
  ['answers nothing in TLS', { secure: () => undefined }, false],
  ['says one byte of its head at a time', { secure: (socket) => drip(socket, 'H', 200) }, false],
  [
    'sends one header after another, slowly',
    {
      secure: (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        drip(socket, 'X: y\r\n', 100);
      },
    },
    false,
  ],
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
    'sends hints without end',
    { secure: (socket) => flood(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(500)) },
    false,
  ],
  ['answers to go on, for ever', { secure: (socket) => drip(socket, 'HTTP/1.1 100 Continue\r\n\r\n', 100) }, false],
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

describe('an ingress', () => {
  it.concurrent.each(behaviours)(
    'that %s holds a probe for five seconds at most',
    async (_, behaviour, ok) => {
      const ingress = await authority.ingress(behaviour);
      const began = performance.now();
      const { signal } = new AbortController();
      const result = await ingress.probe.ask({ hostname, notAfter: ingress.notAfter }, signal);
      const tookMs = performance.now() - began;
      await ingress.stop();
      expect(result.ok).toBe(ok);
      expect(tookMs).toBeLessThan(12_000);
    },
    30_000,
  );

  it('that has only an address of IPv6 is asked too', async () => {
    const ingress = await authority.ingress({ secure: answering('HTTP/1.1 200 OK\r\n\r\n') }, '::1');
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
