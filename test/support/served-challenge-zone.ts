import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChallengeZonePlace, ServedChallengeZone } from '../../dev/platform/platform.ts';
import { startChallengeZoneServers } from './dns-servers/challenge-zone-servers.ts';
import { startUnbound } from './dns-servers/unbound.ts';

const zone = 'acme.projectdomain.test';

/** For a platform: the zone on two Knots, delegated to them, and an Unbound that finds it as the authority's resolver does. */
export async function serveChallengeZone({ dir, corner, dns }: ChallengeZonePlace): Promise<ServedChallengeZone> {
  const net = corner.address.slice(0, corner.address.lastIndexOf('.'));
  const addresses = [`${net}.30`, `${net}.31`] as const;
  const resolver = `${net}.32`;
  const servers = await startChallengeZoneServers({ dir, zone, addresses });
  dns.delegate(zone, addresses);
  const unbound = await startUnbound({
    name: 'authority-resolver',
    dir,
    address: resolver,
    rootAddress: corner.address,
    trustAnchor: null,
    isForwarder: true,
    stub: { zone, addresses },
    keepsFor: 1,
  });
  const secretFile = join(dir, 'challenge-zone-key');
  writeFileSync(secretFile, servers.key.secret.toString('base64'), { mode: 0o600 });
  const { name: keyName, algorithm } = servers.key;
  return {
    settings: { zone, primary: addresses[0], servers: addresses, tsig: { keyName, algorithm, secretFile } },
    resolver: `${resolver}:53`,
    async stop() {
      await unbound.stop();
      await servers.stop();
    },
  };
}
