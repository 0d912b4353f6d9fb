import { describe, expect, it } from '@jest/globals';
import { handoverPath, pathWithoutToken } from '../../../src/rules/handover-path.ts';

/** What is kept of a request's path: never what opens a link, however its address was mistyped, cut or encoded. */

const token = 'Ab-_'.repeat(17);

describe('a path that is kept', () => {
  it.each<[string, string]>([
    ['of a link', handoverPath(token)],
    ['of a link and more', `${handoverPath(token)}/more`],
    ['of a link with a slash too many', `/dashboard/records//${token}`],
    ['of half a link', handoverPath(token.slice(0, 40))],
    ['of a link in percent-encoding', handoverPath(token.replaceAll('A', '%41'))],
    ['of a link in double percent-encoding', handoverPath(token.replaceAll('A', '%2541'))],
    ['of a link in capitals', handoverPath(token).replace('records', 'Records')],
    ['with a token elsewhere', `/dashboard/${token}`],
    ['with a token below another path', `/dashboard/record/${token}/x`],
    ['with a token behind an encoded prefix', `/dashboard/%72ecords/${token}`],
    ['with a token and a character less', `/${token.slice(1)}`],
  ])('has no token: %s', (_, path) => {
    const kept = pathWithoutToken(path);
    expect(kept).toContain('[hidden]');
    for (const part of ['Ab-_Ab-_', '%41b-_', '%2541b']) expect(kept).not.toContain(part);
  });

  it.each([
    '/v1/projects/shop/domains/www.example.com',
    `/v1/projects/shop/domains/${'a'.repeat(63)}.${'b'.repeat(63)}.example.com`,
    `/v1/projects/${'p'.repeat(63)}`,
    '/dashboard/assets/0123456789ab/style.css',
    '/dashboard/records',
  ])('is what it was: %s', (path) => {
    expect(pathWithoutToken(path)).toBe(path);
  });
});
