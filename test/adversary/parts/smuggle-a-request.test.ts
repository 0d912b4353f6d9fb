import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestRedirector } from '../../support/redirector.ts';
import { answersIn, locationsIn, startTestRedirector, victim } from '../../support/redirector.ts';

/**
 * Over a connection that the ingress shares among visitors, a body is made to count as the next visitor's request: by two
 * lengths, by an encoding that is read differently, by an upgrade. What is ambiguous is 400, and whatever had a body is the
 * last of its connection.
 */

let redirector: TestRedirector;

beforeAll(async () => {
  redirector = await startTestRedirector();
});

afterAll(() => redirector.stop());

const smuggled = `GET /smuggled HTTP/1.1\r\nHost: ${victim}\r\n\r\n`;
const size = smuggled.length;
const chunk = `${size.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`;

describe('a request whose body is a request', () => {
  it.each<[string, readonly string[], string]>([
    [
      'Content-Length and Transfer-Encoding',
      ['Content-Length: 4', 'Transfer-Encoding: chunked'],
      `0\r\n\r\n${smuggled}`,
    ],
    ['Transfer-Encoding first', ['Transfer-Encoding: chunked', `Content-Length: ${size}`], `0\r\n\r\n${smuggled}`],
    ['two lengths', ['Content-Length: 0', `Content-Length: ${size}`], smuggled],
    ['two lengths in one field', [`Content-Length: 0, ${size}`], smuggled],
    ['a length with a sign', [`Content-Length: +${size}`], smuggled],
    ['a length in hexadecimal', [`Content-Length: 0x${size.toString(16)}`], smuggled],
    ['a negative length', ['Content-Length: -1'], smuggled],
    ['an encoding twice', ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], chunk],
    ['an encoding with a space before its colon', ['Transfer-Encoding : chunked'], chunk],
    ['an encoding that is unknown', ['Transfer-Encoding: xchunked'], chunk],
    ['an encoding hidden by a tab', ['Transfer-Encoding:\tchunked', 'Content-Length: 3'], chunk],
    ['chunks with an extension and a lone line feed', ['Transfer-Encoding: chunked'], `0;a\n\n${smuggled}`],
    ['a chunk that is longer than it says', ['Transfer-Encoding: chunked'], `1\r\nab\r\n0\r\n\r\n${smuggled}`],
    ['a body of a known length', [`Content-Length: ${size}`], smuggled],
    ['a body in chunks', ['Transfer-Encoding: chunked'], chunk],
    [
      'an upgrade to HTTP/2',
      [
        'Connection: Upgrade, HTTP2-Settings',
        'Upgrade: h2c',
        'HTTP2-Settings: AAMAAABkAAQAAP__',
        `Content-Length: ${size}`,
      ],
      smuggled,
    ],
  ])('by %s is answered once at most, and never for /smuggled', async (_, fields, body) => {
    const head = [`POST /first HTTP/1.1`, `Host: ${victim}`, ...fields].join('\r\n');
    const answer = await redirector.raw(`${head}\r\n\r\n${body}`);
    expect(answersIn(answer).length).toBeLessThanOrEqual(1);
    expect(locationsIn(answer).filter((location) => location.includes('smuggled'))).toEqual([]);
  });

  it('by a protocol switch gets none', async () => {
    const upgrades = ['h2c', 'websocket', 'TLS/1.0'];
    for (const upgrade of upgrades) {
      const answer = await redirector.raw(
        `GET / HTTP/1.1\r\nHost: ${victim}\r\nConnection: Upgrade\r\nUpgrade: ${upgrade}\r\n\r\n`,
      );
      expect(answer).not.toMatch(/^HTTP\/1\.1 101 /m);
    }
  });

  it('by the preface of HTTP/2 is refused', async () => {
    const answer = await redirector.raw(`PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${smuggled}`);
    expect(locationsIn(answer)).toEqual([]);
  });
});
