import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createPki } from '../../../dev/platform/pki.ts';
import type { CheckRequest, DnsFacts } from '../../../src/dns/dns-facts.ts';
import { writeFacts } from '../../../src/dns/vantage/check-documents.ts';
import { createVantageDns } from '../../../src/dns/vantage/vantage-dns.ts';
import { createVantagePoint } from '../../../src/dns/vantage/vantage-point.ts';
import { evaluateDns } from '../../../src/dns/verdict/evaluate-dns.ts';
import { addresses, facts, name } from '../../support/dns-facts.ts';
import { fullCheck, hostname, target, token } from '../../support/vantage.ts';

/**
 * Who has broken into a remote vantage point, or into the network between, answers in its place: everything that he
 * wants to be true. It stays the word of one place, about the hostname that was asked about.
 */

let dir: string;
let server: Server;
let url: string;
let says: (request: CheckRequest) => string;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'projectdomain-lying-'));
  const pki = createPki(dir);
  const { certFile, keyFile } = pki.issue('lying', { commonName: 'lying', san: 'DNS:localhost' });
  writeFileSync(join(dir, 'token'), token);
  server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, (request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => response.end(says(JSON.parse(body) as CheckRequest)));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `https://localhost:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(dir, { recursive: true, force: true });
});

const evil = '198.51.100.66';
const everything = () =>
  facts(hostname, [
    name(hostname, [addresses(`-> ${target}`), addresses(`-> ${target}`)]),
    name(target, [addresses([evil]), addresses([evil])]),
    name(fullCheck.txtName ?? '', [{ TXT: ['projectdomain-verify=right'] }]),
  ]);
const nothing = facts(hostname, [name(hostname, [addresses('NX'), addresses('NX')])]);
const right = facts(hostname, [name(hostname, [addresses(`-> ${target}`), addresses(`-> ${target}`)])]);

beforeEach(() => {
  says = () => writeFacts(everything());
});

/** The verdict of places that see this, the first of them here, and of the lying one. */
async function look(local: DnsFacts, ...honest: readonly DnsFacts[]) {
  const point = { name: 'lying', url, tokenFile: join(dir, 'token'), caFile: join(dir, 'ca.crt') };
  const others = honest.map((found, index) => ({
    name: `honest-${index}`,
    ask: () => Promise.resolve({ facts: found, silence: null }),
  }));
  const dns = createVantageDns({
    local: { check: () => Promise.resolve(local) },
    points: [createVantagePoint(point), ...others],
  });
  return evaluateDns(await dns.check(fullCheck, new AbortController().signal), {
    hostname,
    target,
    cnameDomain: 'cname.apps.example.net',
    platformDomains: ['apps.example.net'],
    platformAddresses: [],
    txt: { name: fullCheck.txtName ?? '', value: 'projectdomain-verify=right' },
    txtRequired: false,
    ca: null,
  });
}

describe('a vantage point that says what an attacker wants', () => {
  it('makes no yes of a no: of two places unknown, of three no', async () => {
    const [two, three] = [await look(nothing), await look(nothing, nothing)];
    expect([two.routing.verdict, two.ownership.verdict, two.corroborated]).toEqual(['unknown', 'unknown', false]);
    expect([three.routing.verdict, three.ownership.verdict, three.corroborated]).toEqual(['no', 'no', false]);
  });

  it('makes no address the platform’s', async () => {
    expect((await look(right)).targetAddresses).toEqual([]);
  });

  it('cannot answer for another hostname', async () => {
    says = () => writeFacts({ ...everything(), hostname: 'www.example.org' });
    expect((await look(right)).routing.code).toBe('VantagePointSilent');
  });

  it('makes no no of a yes: of two places unknown, of three yes', async () => {
    says = () => writeFacts(nothing);
    expect((await look(right)).routing.verdict).toBe('unknown');
    expect((await look(right, right)).routing.verdict).toBe('yes');
  });

  it('shows people nothing but printable ASCII', async () => {
    says = () => writeFacts(facts(hostname, [name(hostname, [{ A: ['\u001b[2J<script>'], AAAA: 'NODATA' }])]));
    const { issues, routing } = await look(right);
    expect(routing.code).toBe('VantagePointSilent');
    expect(JSON.stringify(issues)).not.toContain('script');
  });
});
