import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestRedirector } from '../../support/redirector.ts';
import { destination, locationsIn, startTestRedirector, victim } from '../../support/redirector.ts';

/**
 * A link to a redirecting hostname is made to lead to the attacker. Host and destination come from the caches and the path
 * is appended to `https://DESTINATION` as it is, so whatever a browser makes of it, its origin is the destination's.
 */

let redirector: TestRedirector;

beforeAll(async () => {
  redirector = await startTestRedirector();
});

afterAll(() => redirector.stop());

const request = (line: string, host = `Host: ${victim}\r\n`) =>
  redirector.raw(`GET ${line} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);

describe('a link that is to lead to evil.example', () => {
  it.each([
    ['//evil.example', 'a path that is an authority'],
    ['///evil.example', 'three slashes'],
    ['/\\evil.example', 'a backslash, which browsers take for a slash'],
    ['/%2f%2fevil.example', 'escaped slashes'],
    ['/.evil.example', 'a dot that could lengthen the host'],
    ['/@evil.example', 'what could be a user'],
    ['/:443@evil.example', 'what could be a port and a user'],
    ['/..//evil.example', 'going up'],
    ['/?@evil.example', 'a query'],
    ['/%5cevil.example', 'an escaped backslash'],
    ['/%09//evil.example', 'an escaped tab'],
    [`http://${victim}//evil.example`, 'an absolute-form target with such a path'],
    [`http://${victim}?@evil.example`, 'an absolute-form target without a path'],
    [`HTTPS://${victim.toUpperCase()}/\\evil.example`, 'the same in capitals'],
  ])('by %s (%s) leads to the destination', async (target) => {
    const [location = ''] = locationsIn(await request(target));
    expect(new URL(location).origin).toBe(`https://${destination}`);
  });

  it.each([
    ['@evil.example/', 'no slash at its beginning'],
    ['.evil.example/', 'a dot at its beginning'],
    ['evil.example:443', 'authority-form'],
    ['javascript:alert(1)', 'another scheme'],
    [`ftp://${victim}/`, 'a scheme that is not of the web'],
    [`http://${victim}@evil.example/`, 'a user in the authority'],
    [`http://evil.example\\@${victim}/`, 'a backslash in the authority'],
    ['http:///evil.example', 'no authority'],
  ])('by %s (%s) is refused', async (target) => {
    const answer = await request(target);
    expect(locationsIn(answer)).toEqual([]);
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
  });

  it.each([
    ['X-Forwarded-Host: evil.example'],
    ['X-Original-URL: //evil.example'],
    ['X-Rewrite-URL: //evil.example'],
    ['Forwarded: host=evil.example'],
    ['X-Forwarded-Proto: javascript'],
    ['X-HTTP-Host-Override: evil.example'],
  ])('by the header %s leads to the destination', async (header) => {
    const answer = await request('/a', `Host: ${victim}\r\n${header}\r\n`);
    expect(locationsIn(answer)).toEqual([`https://${destination}/a`]);
  });
});
