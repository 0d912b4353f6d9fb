import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { findTools } from '../../../dev/platform/tools.ts';
import { takeCorner } from '../../../dev/platform/address.ts';
import { startPart } from '../../../dev/platform/process.ts';
import { dnsServerProgram } from '../../support/dns-servers/programs.ts';
import { answersOnce } from '../../support/dns-servers/ready.ts';
import type { Manifest } from './rendering.ts';
import { render } from './rendering.ts';
import { base, merged } from './values.ts';

/** The validating resolvers that the chart can bring. */

const clusterIPs = ['10.96.0.201', 'fd00:10:96::202'];
const values = merged(base, {
  validatingResolvers: { enabled: true, image: 'registry.example.net/unbound:1.19', clusterIPs },
  networkPolicy: { apiServerRanges: ['203.0.113.7/32'], deniedRanges: ['100.64.0.0/10', 'fd00:10::/32'] },
});
let manifests: readonly Manifest[] = [];
beforeAll(async () => {
  const { helm } = await findTools((line) => process.stderr.write(`${line}\n`));
  manifests = await render(helm, values);
});

const named = (kind: string, name: string): Manifest => {
  const found = manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  if (!found) throw new Error(`there is no ${kind} ${name}`);
  return found;
};

describe('resolvers of the installation', () => {
  it('are what the operator asks, at the addresses of their Services', () => {
    const config = JSON.parse(named('ConfigMap', 'projectdomain-operator').data?.['config.json'] ?? '') as {
      resolvers: readonly string[];
    };
    expect(config.resolvers).toEqual(['10.96.0.201:53', '[fd00:10:96::202]:53']);
    const services = [1, 2].map((number) => named('Service', `projectdomain-resolver-${number}`).spec?.clusterIP);
    expect(services).toEqual(clusterIPs);
  });

  it('are asked by the operator alone, and ask on the Internet only', () => {
    const policy = named('NetworkPolicy', 'projectdomain-resolver-2').spec as {
      ingress: readonly { from: readonly { podSelector: { matchLabels: Record<string, string> } }[] }[];
      egress: readonly { to: readonly { ipBlock: { cidr: string; except: readonly string[] } }[]; ports: unknown }[];
    };
    const [from] = policy.ingress.flatMap((rule) => rule.from);
    expect(from?.podSelector.matchLabels['app.kubernetes.io/component']).toBe('operator');
    expect(policy.egress).toHaveLength(1);
    expect(policy.egress[0]?.ports).toEqual([{ port: 53, protocol: 'UDP' }, { port: 53 }]);
    const excepted = policy.egress[0]?.to.flatMap(({ ipBlock }) => ipBlock.except) ?? [];
    expect(excepted).toEqual(expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16', 'fc00::/7', 'fd00:10::/32']));
    expect(new Set(excepted).size).toBe(excepted.length);
  });

  it('may be reached by an operator that is kept from ranges of the cluster', () => {
    const { egress } = named('NetworkPolicy', 'projectdomain-operator').spec as { egress: readonly object[] };
    expect(JSON.stringify(egress)).toContain('"app.kubernetes.io/component":"resolver-1"');
  });

  it('run a configuration that Unbound takes, as nobody in particular and without writing a file', async () => {
    const program = await dnsServerProgram('unbound');
    const corner = await takeCorner();
    const dir = mkdtempSync(join(tmpdir(), 'projectdomain-resolver-'));
    const text = named('ConfigMap', 'projectdomain-resolver').data?.['unbound.conf'] ?? '';
    const here = text.replace('interface: 0.0.0.0', `interface: ${corner.address}`).replace('  interface: ::0\n', '');
    writeFileSync(join(dir, 'unbound.conf'), here.replace('port: 5353', 'port: 53'));
    await promisify(execFile)('unbound-checkconf', [join(dir, 'unbound.conf')]);
    const args = ['-d', '-c', join(dir, 'unbound.conf')];
    // A name that Unbound answers on its own: nothing is sent to the Internet.
    const ready = answersOnce(corner.address, 'localhost');
    const part = await startPart({ name: 'unbound', program, args, dir, ready });
    await part.stop();
    corner.release();
    rmSync(dir, { recursive: true });
  });
});
