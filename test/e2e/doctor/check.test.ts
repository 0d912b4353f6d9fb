import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Authority } from '../../../dev/dns/authority.ts';
import { startAuthority } from '../../../dev/dns/authority.ts';
import type { Corner } from '../../../dev/platform/address.ts';
import { takeCorner } from '../../../dev/platform/address.ts';

/** The doctor as people call it, against a real authority: output, JSON and exit status. */

const root = join(import.meta.dirname, '../../..');
const target = 'p-mine.cname.apps.example.net';
const txt = 'projectdomain-verify=right';
const deadlineMs = 30_000;

let corner: Corner;
let dns: Authority;

beforeAll(async () => {
  corner = await takeCorner();
  dns = await startAuthority({ ...corner, port: 53 });
  dns.putZone('apps.example.net', `*.cname A ${corner.address}`);
  dns.putZone(
    'example.com',
    `www CNAME ${target}.
     stray A 198.51.100.7
     other CNAME p-other.cname.apps.example.net.
     doubled.example.com CNAME ${target}.
     xn--bcher-kva CNAME ${target}.
     @ A ${corner.address}
     _projectdomain-challenge TXT "${txt}"
     @ CAA 0 issue "ca.test; accounturi=https://ca.test/acct/1"`.replaceAll(/^ +/gm, ''),
  );
});

afterAll(async () => {
  await dns.stop();
  corner.release();
});

interface Ran {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

function doctor(...args: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['dev/projectdomain.mjs', 'check', ...args], { cwd: root });
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    child.on('close', (status) => resolve({ status, out, err }));
  });
}

const check = (hostname: string, ...more: readonly string[]) =>
  doctor(hostname, '--target', target, '--roots', `${corner.address}:53`, '--json', ...more);

interface Report {
  readonly hostname: string;
  readonly routing: { readonly verdict: string; readonly code: string };
  readonly ownership: { readonly verdict: string; readonly code: string };
  readonly caa: { readonly verdict: string; readonly code: string };
  readonly issues: readonly { readonly code: string; readonly fix: string }[];
  readonly records: { readonly desired: readonly object[]; readonly discovered: readonly object[] };
  readonly asked: readonly {
    readonly server: string;
    readonly question: string;
    readonly outcome: string;
    readonly ms: number;
  }[];
}

describe('what it finds', () => {
  const platform = () => ['--platform-address', corner.address];
  it.each<[string, () => readonly string[], number, Partial<Record<'routing' | 'ownership' | 'caa', string>>]>([
    ['the right CNAME', () => ['www.example.com'], 0, { routing: 'Verified', ownership: 'Verified', caa: 'NotAsked' }],
    ['a Unicode name', () => ['Bücher.example.com'], 0, { routing: 'Verified' }],
    ['a stray address', () => ['stray.example.com', ...platform()], 1, { routing: 'StrayAddress' }],
    ["another project's target", () => ['other.example.com'], 1, { routing: 'OtherProjectTarget' }],
    ['nothing', () => ['nothing.example.com'], 1, { routing: 'RecordMissing' }],
    [
      'an apex by address and TXT',
      () => ['example.com', ...platform(), '--txt', txt],
      0,
      { routing: 'Verified', ownership: 'Verified' },
    ],
    [
      'an apex by address without TXT',
      () => ['example.com', ...platform()],
      1,
      { routing: 'Verified', ownership: 'TxtMissing' },
    ],
    [
      'an apex with another TXT',
      () => ['example.com', ...platform(), '--txt', 'projectdomain-verify=new'],
      1,
      { ownership: 'TxtWrong' },
    ],
    ['CAA for another authority', () => ['www.example.com', '--ca', 'other.test'], 1, { caa: 'CaaForbidsAuthority' }],
    [
      'CAA for our account',
      () => ['www.example.com', '--ca', 'ca.test', '--account-uri', 'https://ca.test/acct/1'],
      0,
      { caa: 'Verified' },
    ],
    [
      'CAA for another account',
      () => ['www.example.com', '--ca', 'ca.test', '--account-uri', 'https://ca.test/acct/2'],
      1,
      { caa: 'CaaForbidsAccount' },
    ],
  ])(
    '%s',
    async (_, args, status, codes) => {
      const ran = await check(...(args() as [string]));
      expect(ran.err).toBe('');
      const report = JSON.parse(ran.out) as Report;
      for (const [verdict, code] of Object.entries(codes))
        expect([verdict, report[verdict as 'routing'].code]).toEqual([verdict, code]);
      expect(ran.status).toBe(status);
      expect(report.asked.length).toBeLessThanOrEqual(100);
    },
    deadlineMs,
  );

  it(
    'the zone appended twice is named, with the name to write instead',
    async () => {
      const report = JSON.parse((await check('doubled.example.com')).out) as Report;
      expect(report.issues[0]).toMatchObject({ code: 'DoubledZone' });
      expect(report.issues[0]?.fix).toContain("'doubled'");
    },
    deadlineMs,
  );

  it(
    'a root that does not answer is unknown',
    async () => {
      const ran = await doctor('www.example.com', '--target', target, '--roots', `${corner.address}:54`, '--json');
      expect([ran.status, (JSON.parse(ran.out) as Report).routing.verdict]).toEqual([2, 'unknown']);
    },
    deadlineMs,
  );

  it(
    'people get sentences: what is wanted, what is found, what to do',
    async () => {
      const { out } = await doctor(
        'stray.example.com',
        '--target',
        target,
        '--roots',
        corner.address,
        '--platform-address',
        corner.address,
      );
      expect(out).toContain('needed:');
      expect(out).toContain('stray.example.com  A  198.51.100.7');
      expect(out).toContain('to do: delete');
    },
    deadlineMs,
  );
});

describe('wrong usage says how to call it and ends with 3', () => {
  it.each<[string, readonly string[], string]>([
    ['no hostname', ['--target', target], 'exactly one hostname'],
    ['a root and no target', ['www.example.com', '--roots', '127.0.0.1'], '--target is missing'],
    ['an unknown option', ['www.example.com', '--target', target, '--colour'], '--colour'],
    ['a resolver that is no address', ['www.example.com', '--target', target, '--resolver', 'dns.test'], '--resolver'],
    ['an IP as hostname', ['192.0.2.1', '--target', target], 'IP address'],
    ['an account without an authority', ['www.example.com', '--target', target, '--account-uri', 'x'], 'need --ca'],
  ])(
    '%s',
    async (_, args, part) => {
      const ran = await doctor(...args);
      expect([ran.status, ran.out]).toEqual([3, '']);
      expect(ran.err).toContain(part);
      expect(ran.err).toContain('usage: projectdomain check');
    },
    deadlineMs,
  );
});
