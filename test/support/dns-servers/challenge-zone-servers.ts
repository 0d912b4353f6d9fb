import { randomBytes } from 'node:crypto';
import type { Endpoint } from '../../../src/dns/wire/dns-endpoint.ts';
import type { TsigKey } from '../../../src/dns/update/tsig.ts';
import type { Part } from '../../../dev/platform/process.ts';
import { startKnot } from './knot.ts';
import { dnsServerProgram } from './programs.ts';

export interface ChallengeZoneServers {
  readonly zone: string;
  readonly primary: Endpoint;
  readonly servers: readonly Endpoint[];
  /** may change TXT records of the zone, and nothing else */
  readonly key: TsigKey;
  /** in the order of `servers` */
  readonly parts: readonly Part[];
  stop(): Promise<void>;
}

export interface ChallengeZoneServersOptions {
  readonly dir: string;
  readonly zone: string;
  /** of loopback, port 53 of each: the primary's and the secondary's */
  readonly addresses: readonly [string, string];
}

/** A zone that is changed by updates on one Knot and transferred to another one. */
export async function startChallengeZoneServers({
  dir,
  zone,
  addresses,
}: ChallengeZoneServersOptions): Promise<ChallengeZoneServers> {
  await dnsServerProgram('knotd');
  const key: TsigKey = { name: 'challenges', algorithm: 'hmac-sha256', secret: randomBytes(32) };
  const [primary, secondary] = addresses;
  const lines = ['@ NS ns1', '@ NS ns2', `ns1 A ${primary}`, `ns2 A ${secondary}`];
  /** Asked from the own address, as the other one knows it. */
  const remote = (id: string, address: string, from: string) => [
    `  - id: ${id}`,
    `    address: ${address}@53`,
    `    via: ${from}`,
  ];
  const first = await startKnot({
    name: 'challenges-primary',
    dir,
    addresses: [primary],
    zones: [{ apex: zone, lines }],
    sections: [
      'key:',
      `  - id: ${key.name}`,
      `    algorithm: ${key.algorithm}`,
      `    secret: ${key.secret.toString('base64')}`,
      'remote:',
      ...remote('secondary', secondary, primary),
      'acl:',
      '  - id: texts',
      `    key: ${key.name}`,
      '    action: update',
      '    update-type: TXT',
      '  - id: copies',
      `    address: ${secondary}`,
      '    action: transfer',
    ],
    perZone: ['    journal-content: changes', '    acl: [texts, copies]', '    notify: secondary'],
  });
  const second = await startKnot({
    name: 'challenges-secondary',
    dir,
    addresses: [secondary],
    zones: [{ apex: zone, lines: ['@ NS ns1'] }],
    sections: [
      'remote:',
      ...remote('primary', primary, secondary),
      'acl:',
      '  - id: told',
      `    address: ${primary}`,
      '    action: notify',
    ],
    perZone: ['    journal-content: changes', '    master: primary', '    acl: told'],
  });
  return {
    zone,
    primary: { address: primary, port: 53 },
    servers: addresses.map((address) => ({ address, port: 53 })),
    key,
    parts: [first, second],
    stop: async () => {
      await Promise.all([first, second].map((part) => part.stop()));
    },
  };
}
