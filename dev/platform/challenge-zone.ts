import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { updateAlgorithm } from '../dns/update-message.ts';
import { startUpdateServer } from '../dns/update-server.ts';
import type { ChallengeZonePlace, ServedChallengeZone } from './platform.ts';

const zone = 'acme.projectdomain.test';
const keyName = 'challenges';

/** A zone for challenges by the platform's own DNS, so that hostnames can be prepared and wildcards added without another server. */
export async function serveOwnChallengeZone({ dir, corner, dns }: ChallengeZonePlace): Promise<ServedChallengeZone> {
  const primary = `${corner.address.slice(0, corner.address.lastIndexOf('.'))}.30`;
  const secret = randomBytes(32);
  const secretFile = join(dir, 'challenge-zone-key');
  writeFileSync(secretFile, secret.toString('base64'), { mode: 0o600 });
  const server = await startUpdateServer({
    address: primary,
    port: 53,
    zone,
    key: { name: keyName, secret },
    serve: (text) => dns.putZone(zone, text),
    now: Date.now,
  });
  return {
    settings: {
      zone,
      primary: `${primary}:53`,
      servers: [`${corner.zoneAddress}:53`],
      tsig: { keyName, algorithm: updateAlgorithm, secretFile },
    },
    resolver: `${corner.address}:53`,
    stop: () => server.stop(),
  };
}
