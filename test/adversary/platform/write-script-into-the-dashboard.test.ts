import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AttackPlatform } from '../../support/attack-platform.ts';
import { attackPlatform } from '../../support/attack-platform.ts';
import type { Customer } from '../../support/customers.ts';
import { customer, domainIs } from '../../support/customers.ts';
import type { Visitor } from '../../support/dashboard.ts';
import { signedIn } from '../../support/dashboard.ts';
import { platformDeadlineMs } from '../../support/platform.ts';

/**
 * Whoever controls a zone, or the address that somebody is led to, writes markup where the dashboard shows it. Everything
 * that is shown is escaped, and the policy of every page forbids scripts and frames that are not the dashboard's own.
 */

let platform: AttackPlatform;
let who: Customer;
let ask: Visitor;
const hostname = 'script.example';
const markup = '<script>alert(1)</script><img src=x onerror=alert(2)>';

beforeAll(async () => {
  platform = await attackPlatform();
  who = await customer(platform.stage, 'script-writer');
  const zone = `@ A ${platform.facts.ingressAddress}\n_projectdomain-challenge TXT "projectdomain-verify=${markup}"`;
  await platform.stage.putZone(hostname, zone);
  await who.add(hostname);
  await domainIs(who, hostname, 'Unverified', 'TxtWrong');
  ask = await signedIn(platform.facts, who.account);
}, platformDeadlineMs);

afterAll(() => platform.close(), platformDeadlineMs);

const project = '/projects/shop';
const q = encodeURIComponent(markup);

describe('markup', () => {
  it('of a TXT record is shown as text', async () => {
    const { status, body } = await ask(`${project}/domains/${hostname}`);
    expect(status).toBe(200);
    expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(body).not.toContain(markup);
  });

  it.each<[string, string]>([
    ['in a path', `${project}/domains/${q}`],
    ['in the name of a project', `/projects/${q}`],
    ['in a query', `${project}?done=${q}&cursor=${q}&state=${q}&q=${q}`],
    ['in a page that is not there', `/${q}`],
  ])('%s comes back escaped or not at all', async (_, path) => {
    const { body } = await ask(path);
    expect(body).not.toContain('<script>alert');
    expect(body).not.toContain('<img src=x');
  });

  it.each<[string, string]>([
    ['the domain', `${project}/domains/${hostname}`],
    ['the list', project],
    ['the sign-in', '/sign-in'],
    ['what is not there', '/nothing'],
  ])('would not run or be framed on the page of %s', async (_, path) => {
    const { headers } = await ask(path);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|data:|https?:/);
    expect(headers['x-frame-options']).toBe('DENY');
    expect(headers['x-content-type-options']).toBe('nosniff');
  });
});
