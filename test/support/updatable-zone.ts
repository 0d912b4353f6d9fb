import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cluster } from '../../dev/platform/node/cluster.ts';
import type { UpdateServer } from './conformance-facts.ts';
import { startKnot } from './dns-servers/knot.ts';

export interface UpdatableZone {
  readonly zone: string;
  readonly updates: UpdateServer;
  stop(): Promise<void>;
}

/** A zone of its own in the cluster's world, on a Knot DNS that takes dynamic updates of whoever has the key. */
export async function startUpdatableZone(
  { corner, dns }: Pick<Cluster, 'corner' | 'dns'>,
  zone: string,
): Promise<UpdatableZone> {
  const dir = mkdtempSync(join(tmpdir(), 'projectdomain-zone-'));
  const address = corner.zoneAddress.replace(/\d+$/, '3');
  // It goes with the link.
  execFileSync('ip', ['address', 'add', `${address}/24`, 'dev', corner.link], { stdio: ['ignore', 'ignore', 'pipe'] });
  const key = { name: 'conformance.', secret: randomBytes(32).toString('base64') };
  const keyFile = join(dir, 'key');
  writeFileSync(keyFile, `key "${key.name}" { algorithm hmac-sha256; secret "${key.secret}"; };\n`, { mode: 0o600 });
  const server = await startKnot({
    name: 'primary',
    dir,
    addresses: [address],
    zones: [{ apex: zone, lines: ['@ NS ns1', `ns1 A ${address}`] }],
    sections: [
      'key:',
      `  - id: "${key.name}"`,
      '    algorithm: hmac-sha256',
      `    secret: "${key.secret}"`,
      'acl:',
      '  - id: updates',
      `    key: "${key.name}"`,
      '    action: update',
    ],
    perZone: ['    acl: updates'],
  });
  dns.delegate(zone, [address]);
  return {
    zone,
    updates: { address: `${address}:53`, keyFile },
    async stop() {
      dns.endDelegation(zone);
      await server.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
