import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeCorner } from '../../dev/platform/address.ts';
import { startKnot } from '../support/dns-servers/knot.ts';
import { dnsServerProgram } from '../support/dns-servers/programs.ts';
import { startUnbound } from '../support/dns-servers/unbound.ts';
import type { ZoneFile } from '../support/dns-servers/zone-file.ts';
import { zoneFileName, zoneText } from '../support/dns-servers/zone-file.ts';

/** A root, a registry and one authority for all zones below it, with caching resolvers of their own. */
export interface ChangingZones {
  readonly root: string;
  readonly authority: string;
  readonly resolvers: readonly string[];
  /** Puts these zones in the place of those of the same names. They are served a moment later. */
  change(zones: readonly ZoneFile[]): void;
  stop(): Promise<void>;
}

/** `apexes` lie directly below `net`; each change needs a higher serial. */
export async function startChangingZones(zones: readonly ZoneFile[], resolvers: number): Promise<ChangingZones> {
  const corner = await takeCorner();
  const dir = mkdtempSync(join(tmpdir(), 'projectdomain-clock-'));
  const net = corner.address.slice(0, corner.address.lastIndexOf('.'));
  const at = { root: `${net}.10`, registry: `${net}.11`, hosts: [`${net}.20`, `${net}.21`] } as const;
  const delegations = zones.map(({ apex }) => `${apex}. NS ns1.dns-host.net.\n${apex}. NS ns2.dns-host.net.`);
  const glue = at.hosts.map((address, index) => `ns${index + 1}.dns-host.net. A ${address}`);
  const host = {
    apex: 'dns-host.net',
    lines: ['@ NS ns1', '@ NS ns2', ...at.hosts.map((to, n) => `ns${n + 1} A ${to}`)],
  };
  await dnsServerProgram('knotd');
  const knot = (name: string, addresses: readonly string[], served: readonly ZoneFile[]) =>
    startKnot({ name, dir, addresses, zones: served });
  const [authority, ...others] = await Promise.all([
    knot('hosts', at.hosts, [host, ...zones]),
    knot('root', [at.root], [{ apex: '', lines: rootLines(at) }]),
    knot(
      'registry',
      [at.registry],
      [
        {
          apex: 'net',
          lines: ['@ NS a.registry.net.', `a.registry.net. A ${at.registry}`, ...delegations, dnsHostCut, ...glue],
        },
      ],
    ),
    ...Array.from({ length: resolvers }, (_, index) =>
      startUnbound({
        name: `resolver-${index}`,
        dir,
        address: `${net}.${40 + index}`,
        rootAddress: at.root,
        trustAnchor: null,
      }),
    ),
  ]);
  return {
    root: at.root,
    authority: at.hosts[0],
    resolvers: Array.from({ length: resolvers }, (_, index) => `${net}.${40 + index}`),
    change(changed) {
      for (const zone of changed) writeFileSync(join(dir, 'hosts', zoneFileName(zone.apex)), zoneText(zone));
      authority.signal('SIGHUP');
    },
    async stop() {
      await Promise.all([authority, ...others].map((part) => part.stop()));
      corner.release();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

const dnsHostCut = 'dns-host.net. NS ns1.dns-host.net.\ndns-host.net. NS ns2.dns-host.net.';

const rootLines = ({ root, registry }: { readonly root: string; readonly registry: string }): readonly string[] => [
  '@ NS a.root.',
  `a.root. A ${root}`,
  'net. NS a.registry.net.',
  `a.registry.net. A ${registry}`,
];
