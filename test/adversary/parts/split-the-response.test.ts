import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestRedirector } from '../../support/redirector.ts';
import { answersIn, startTestRedirector, victim } from '../../support/redirector.ts';

/**
 * Line breaks are sent so that the answer gets a header, a cookie or a second answer of the attacker's. What no request line
 * may hold is refused before it is read, and what is escaped stays escaped in the Location.
 */

let redirector: TestRedirector;

beforeAll(async () => {
  redirector = await startTestRedirector();
});

afterAll(() => redirector.stop());

const mine =
  /^(date|connection|keep-alive|content-length|content-type|cache-control|location|retry-after|transfer-encoding):/i;

describe('a request with a line break', () => {
  it.each([
    ['escaped, in its path', '/%0d%0aSet-Cookie:%20a=b', ''],
    ['escaped twice', '/%250d%250aSet-Cookie:%20a=b', ''],
    ['escaped, as a whole answer', '/%0d%0a%0d%0aHTTP/1.1%20200%20OK%0d%0a%0d%0a<script>', ''],
    ['in Unicode that latin1 cuts to one', '/\u010d\u010aSet-Cookie:a=b', ''],
    ['raw, in its path', '/\r\nSet-Cookie: a=b\r\nX:', ''],
    ['a lone line feed in its path', '/\nSet-Cookie: a=b\nX:', ''],
    ['a lone carriage return in its path', '/\rSet-Cookie: a=b', ''],
    ['NUL in its path', '/\u0000Set-Cookie: a=b', ''],
    ['tab in its path', '/\tSet-Cookie: a=b', ''],
    ['in its host', '/', 'Host: victim.example\rSet-Cookie: a=b\r\n'],
    ['in a folded header', '/', `Host: ${victim}\r\nX: a\r\n Set-Cookie: a=b\r\n`],
  ])('%s gets no header that is not ours and no second answer with content', async (_, target, host) => {
    const text = await redirector.raw(
      `GET ${target} HTTP/1.1\r\n${host || `Host: ${victim}\r\n`}Connection: close\r\n\r\n`,
    );
    const answers = answersIn(text);
    expect(answers.length).toBeLessThanOrEqual(1);
    for (const { head } of answers) expect(head.filter((line) => !mine.test(line))).toEqual([]);
    expect(text).not.toMatch(/^set-cookie:/im);
    expect(text).not.toMatch(/^HTTP\/1\.1 200 /m);
  });
});
