import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dnsServerProgram } from './programs.ts';
import type { ZoneFile } from './zone-file.ts';
import { zoneFileName, zoneText } from './zone-file.ts';

/** A zone that Knot has signed, with one key. */
export interface SignedZone {
  readonly file: ZoneFile;
  /** data of the DS record that belongs at the parent */
  readonly ds: string;
  readonly keyTag: number;
}

export interface Signing {
  /** signed as if at this time, valid for two weeks; by default now */
  readonly at?: Date;
  /** NSEC3 instead of NSEC */
  readonly hashes?: true;
  readonly algorithm?: 'ecdsap256sha256' | 'rsasha256' | 'ed25519';
}

/** Signs the zone with kzonesign and a new key, in a folder of its own below `dir`. */
export async function signZone(dir: string, zone: ZoneFile, signing: Signing = {}): Promise<SignedZone> {
  const program = await dnsServerProgram('kzonesign');
  mkdirSync(dir, { recursive: true });
  const home = mkdtempSync(join(dir, 'signed-'));
  const file = zoneFileName(zone.apex);
  writeFileSync(join(home, file), zoneText(zone));
  writeFileSync(join(home, 'knot.conf'), configuration(home, zone.apex, signing).join('\n'));
  const time = signing.at ? ['-t', stamp(signing.at)] : [];
  const out = join(home, 'out');
  await promisify(execFile)(program, ['-c', join(home, 'knot.conf'), '-o', out, ...time, `${zone.apex}.`]);
  const lines = readFileSync(join(out, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(';'))
    .map((line) => line.replaceAll(/\s+/g, ' '));
  const ds = lines.map((line) => / CDS (.*)$/.exec(line)?.[1]).find((data) => data !== undefined) ?? '';
  return { file: { apex: zone.apex, lines, isWhole: true }, ds, keyTag: Number(ds.split(' ')[0]) };
}

const stamp = (at: Date): string => String(Math.floor(at.getTime() / 1_000));

const configuration = (home: string, apex: string, { hashes, algorithm = 'ecdsap256sha256' }: Signing) => [
  'server:',
  `  rundir: "${home}"`,
  'database:',
  `  storage: "${home}"`,
  'policy:',
  '  - id: signed',
  `    algorithm: ${algorithm}`,
  '    single-type-signing: on',
  '    cds-cdnskey-publish: always',
  '    rrsig-lifetime: 14d',
  `    nsec3: ${hashes ? 'on' : 'off'}`,
  'zone:',
  `  - domain: "${apex}."`,
  `    storage: "${home}"`,
  `    file: "${zoneFileName(apex)}"`,
  '    dnssec-signing: on',
  '    dnssec-policy: signed',
  '    semantic-checks: off',
  '    journal-content: none',
  '',
];
