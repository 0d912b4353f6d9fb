import { signZone } from '../../support/dns-servers/signed-zone.ts';
import type { SignedZone } from '../../support/dns-servers/signed-zone.ts';
import type { ZoneFile } from '../../support/dns-servers/zone-file.ts';
import { zoneText } from '../../support/dns-servers/zone-file.ts';
import { cnameDomain, ownershipValue, platformAddresses, target } from '../platform.ts';
import type { BuiltZones, SignedName, ZonePlan } from './signed-name.ts';

export interface SignedAddresses {
  readonly root: string;
  readonly registry: string;
  readonly customers: readonly [string, string];
}

/** Everything that is served, and the trust anchor to validate it with. */
export interface SignedHierarchy {
  readonly root: readonly ZoneFile[];
  readonly registry: readonly ZoneFile[];
  readonly customers: readonly ZoneFile[];
  /** DS line of the root */
  readonly trustAnchor: string;
  readonly zones: ReadonlyMap<SignedName, BuiltZones>;
}

const hosts = ['ns1.dns-host.net.', 'ns2.dns-host.net.'] as const;

/** A signed root and `com`, and `net` without DNSSEC, where the platform is; the customers are below `com`. */
export async function signedHierarchy(
  dir: string,
  names: readonly SignedName[],
  at: SignedAddresses,
): Promise<SignedHierarchy> {
  const built = await Promise.all(names.map((name, index) => buildName(dir, name, index)));
  const com = await signZone(dir, {
    apex: 'com',
    lines: ['@ NS a.registry.net.', ...built.flatMap(({ delegations }) => delegations)],
  });
  const glue = `a.registry.net. A ${at.registry}`;
  const root = await signZone(dir, {
    apex: '',
    lines: [
      '@ NS a.root.',
      `a.root. A ${at.root}`,
      'com. NS a.registry.net.',
      `com. DS ${com.ds}`,
      'net. NS a.registry.net.',
      glue,
    ],
  });
  const hosted = ['dns-host.net', 'apps.platform.net'].flatMap((zone) => hosts.map((ns) => `${zone}. NS ${ns}`));
  const addresses = hosts.map((ns, index) => `${ns} A ${at.customers[index]}`);
  const nameServers = hosts.map((ns) => `@ NS ${ns}`);
  const targets = [target, `p-other.${cnameDomain}`].map((name) => `${name}. A ${platformAddresses[0]}`);
  return {
    root: [root.file],
    registry: [com.file, { apex: 'net', lines: ['@ NS a.registry.net.', glue, ...hosted, ...addresses] }],
    customers: [
      { apex: 'dns-host.net', lines: [...nameServers, ...addresses] },
      { apex: 'apps.platform.net', lines: [...nameServers, ...targets] },
      ...built.flatMap(({ files }) => files),
    ],
    trustAnchor: `. DS ${root.ds}`,
    zones: new Map(
      names.map((name, index) => [name, built[index]?.zones ?? { apex: '', other: '', signed: new Map() }]),
    ),
  };
}

interface Built {
  readonly files: readonly ZoneFile[];
  /** lines of the parent zone */
  readonly delegations: readonly string[];
  readonly signed: ReadonlyMap<string, SignedZone>;
}

async function buildName(dir: string, name: SignedName, index: number) {
  const [apex, other] = [`s${index}.com`, `s${index}-other.com`];
  const own = await buildZone(dir, apex, { plan: name, other });
  const second = name.other ? await buildZone(dir, other, { plan: name.other, other }) : null;
  const signed = new Map([...own.signed, ...(second?.signed ?? [])]);
  return {
    files: [...own.files, ...(second?.files ?? [])],
    delegations: [...own.delegations, ...(second?.delegations ?? [])],
    zones: { apex, other, signed },
  };
}

/** The zone with what is below it, and its delegation. */
async function buildZone(
  dir: string,
  apex: string,
  { plan, other }: { readonly plan: ZonePlan; readonly other: string },
): Promise<Built> {
  const below = await Promise.all(
    Object.entries(plan.below ?? {}).map(([label, child]) =>
      buildZone(dir, `${label}.${apex}`, { plan: child, other }),
    ),
  );
  const lines = [...hosts.map((ns) => `@ NS ${ns}`), ...plan.lines, ...below.flatMap(({ delegations }) => delegations)];
  const filled = { apex, lines: lines.map((line) => fill(line, other)) };
  const signed = plan.signing === null ? null : await signZone(dir, filled, plan.signing);
  const { edit = (all: readonly string[]) => all } = plan;
  const served: ZoneFile = signed
    ? { ...signed.file, lines: edit(signed.file.lines).map((line) => fill(line, other)) }
    : { apex, lines: zoneText(filled).split('\n'), isWhole: true };
  const ds = plan.ds === undefined ? (signed?.ds ?? null) : plan.ds;
  return {
    files: [served, ...below.flatMap(({ files }) => files)],
    delegations: [...hosts.map((ns) => `${apex}. NS ${ns}`), ...(ds === null ? [] : [`${apex}. DS ${ds}`])],
    signed: new Map([...(signed ? [[apex, signed] as const] : []), ...below.flatMap((one) => [...one.signed])]),
  };
}

const fill = (line: string, other: string): string =>
  line
    .replace('{target}', `${target}.`)
    .replace('{ours}', platformAddresses[0])
    .replace('{right}', `"${ownershipValue}"`)
    .replace('{other}', `${other}.`);
