import { afterEach, describe, expect, it } from '@jest/globals';
import { printReport } from '../../../src/cli/check/check-command.ts';
import { explain } from '../../../src/cli/check/explanation.ts';
import type { HostileDns } from '../../support/hostile-dns.ts';
import {
  a,
  caa,
  cname,
  delegates,
  hostileDns,
  hostname,
  ns,
  platformZone,
  serves,
  txt,
  txtName,
  wanted,
} from '../../support/hostile-dns.ts';

/**
 * A record holds what a terminal obeys (OSC 52 writes the clipboard) or what turns the direction of text, for whoever
 * reads an issue in a status, a log, a page or the doctor's output. What comes from DNS is made printable ASCII where its
 * bytes become text, so no later place has to remember it.
 */

const osc52 = '\u001b]52;c;cm0gLXJmIC8=\u0007';
const c1 = '\u009b31m';
const bidi = '\u202e\u2066\u200f\u061c';
const all = `${osc52}${c1}${bidi}\u007f\r\n`;
const unprintable = /[^\x20-\x7e\n]/;

let dnsServers: HostileDns | undefined;
afterEach(() => dnsServers?.stop());

describe('a record with control characters and bidi marks', () => {
  it.each([
    ['an alias to such a name', [cname(hostname, `${osc52}${bidi}.example.com`)]],
    ['an address behind such an alias', [cname(hostname, `${c1}.example.com`), a(`${c1}.example.com`, '198.51.100.1')]],
    ['an ownership record', [a(hostname, '203.0.113.10'), txt(txtName, `projectdomain-verify=${all}`)]],
    ['a CAA record', [a(hostname, '203.0.113.10'), caa(hostname, `evil.test; a=${all}`)]],
    ['a name server', [a(hostname, '198.51.100.1'), ns('example.com', `${osc52}.example.com`)]],
  ])('%s is printed escaped everywhere', async (_, records) => {
    dnsServers = await hostileDns((at) => [
      delegates({ 'example.com': { 'ns1.dns.test': at(1) }, 'apps.example.net': { 'ns.apps.example.net': at(2) } }),
      serves(records),
      platformZone,
    ]);
    const verdict = await dnsServers.look({ txtRequired: true });
    const texts = [
      ...verdict.issues.flatMap(({ message, record, fix }) => [message, record, fix]),
      ...verdict.nameServers,
      ...verdict.discovered.flatMap(({ name, value }) => [name, value]),
      printReport(
        {
          ...verdict,
          hostname: wanted.hostname,
          records: { desired: [], discovered: verdict.discovered },
          notes: [],
          explanation: explain(verdict.facts),
          asked: verdict.facts.asked,
        },
        true,
      ),
    ];
    expect(verdict.routing.verdict).not.toBe('unknown');
    expect(texts.filter((text) => unprintable.test(text))).toEqual([]);
    expect(texts.some((text) => /\\(027|155|226|194)/.test(text))).toBe(true);
  });
});
