import type { DerValue } from './der-value.ts';
import { contentOf, DerFault, derValue, tags, within } from './der-value.ts';
import { derBoolean, derFlags, derInteger, derOid, isNegative } from './der-types.ts';

/** One extension of a certificate. */
export interface DerExtension {
  /** OID */
  readonly id: string;
  readonly isCritical: boolean;
  readonly value: Buffer;
}

export const extensionIds = {
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  alternativeNames: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  nameConstraints: '2.5.29.30',
  crlDistributionPoints: '2.5.29.31',
  policies: '2.5.29.32',
  policyMappings: '2.5.29.33',
  authorityKeyIdentifier: '2.5.29.35',
  policyConstraints: '2.5.29.36',
  purposes: '2.5.29.37',
  inhibitAnyPolicy: '2.5.29.54',
  authorityAccess: '1.3.6.1.5.5.7.1.1',
  tlsFeature: '1.3.6.1.5.5.7.1.24',
} as const;

/** Those of authorities alone (RFC 5280, section 4.2.1). */
export const ofAuthorities: ReadonlySet<string> = new Set([
  extensionIds.nameConstraints,
  extensionIds.policyMappings,
  extensionIds.policyConstraints,
  extensionIds.inhibitAnyPolicy,
]);

/** Every extension that other programs look into, with how it has to be; Go's crypto/x509 (parser.go, processExtensions) reads no more. */
const forms: ReadonlyMap<string, (value: DerValue) => unknown> = new Map<string, (value: DerValue) => unknown>([
  [extensionIds.subjectKeyIdentifier, (value) => contentOf(value, tags.octetString)],
  [extensionIds.keyUsage, derFlags],
  [extensionIds.alternativeNames, (value) => within(value, tags.sequence)],
  [extensionIds.basicConstraints, basicConstraints],
  [extensionIds.nameConstraints, (value) => within(value, tags.sequence)],
  [extensionIds.crlDistributionPoints, (value) => within(value, tags.sequence).map(distributionPoint)],
  [extensionIds.policies, policies],
  [extensionIds.policyMappings, (value) => within(value, tags.sequence)],
  [extensionIds.authorityKeyIdentifier, (value) => within(value, tags.sequence)],
  [extensionIds.policyConstraints, (value) => within(value, tags.sequence)],
  [extensionIds.purposes, purposes],
  [extensionIds.inhibitAnyPolicy, derInteger],
  [extensionIds.authorityAccess, (value) => within(value, tags.sequence).map(access)],
  [extensionIds.tlsFeature, (value) => within(value, tags.sequence)],
]);

const neverCritical: ReadonlySet<string> = new Set([
  extensionIds.subjectKeyIdentifier,
  extensionIds.authorityKeyIdentifier,
  extensionIds.authorityAccess,
]);

/** Whether anybody looks into extensions of this kind; of all others it counts alone whether they are critical. */
export const isKnownExtension = (id: string): boolean => forms.has(id);

/** Reads Extensions (RFC 5280, section 4.1.2.9), each once, and what is known of them. Throws DerFault. */
export function derExtensions(value: DerValue): readonly DerExtension[] {
  const all = within(value, tags.sequence).map(extension);
  if (all.length === 0) throw new DerFault('its extensions are empty');
  if (new Set(all.map(({ id }) => id)).size < all.length) throw new DerFault('it has an extension twice');
  for (const { id, isCritical, value: bytes } of all) {
    if (isCritical && neverCritical.has(id)) throw new DerFault(`its extension ${id} must not be critical`);
    if (isKnownExtension(id)) forms.get(id)?.(derValue(bytes));
  }
  return all;
}

function extension(value: DerValue): DerExtension {
  const parts = within(value, tags.sequence);
  if (parts.length < 2 || parts.length > 3) throw new DerFault('an extension is not one');
  const isCritical = parts.length === 3 && derBoolean(parts[1]);
  return { id: derOid(parts[0]), isCritical, value: contentOf(parts.at(-1), tags.octetString) };
}

/** BasicConstraints: whether it is an authority, and how many may stand below it; null without a bound. Throws DerFault. */
export function basicConstraints(value: DerValue): { readonly isCa: boolean; readonly pathLength: number | null } {
  const parts = within(value, tags.sequence);
  const isCa = parts[0]?.tag === tags.boolean && derBoolean(parts[0]);
  const [length, ...others] = parts[0]?.tag === tags.boolean ? parts.slice(1) : parts;
  if (others.length > 0) throw new DerFault('its basic constraints are none');
  if (length === undefined) return { isCa, pathLength: null };
  const integer = derInteger(length);
  if (isNegative(integer) || integer.length > 2) throw new DerFault('its basic constraints have no such length');
  return { isCa, pathLength: integer.readUIntBE(0, integer.length) };
}

/** ExtKeyUsageSyntax: OIDs. Throws DerFault. */
export function purposes(value: DerValue): readonly string[] {
  const all = within(value, tags.sequence).map(derOid);
  if (all.length === 0) throw new DerFault('its purposes are empty');
  return all;
}

function policies(value: DerValue): void {
  const all = within(value, tags.sequence).map((policy) => derOid(within(policy, tags.sequence)[0]));
  if (new Set(all).size < all.length) throw new DerFault('it has a policy twice');
}

const access = (value: DerValue): string => derOid(within(value, tags.sequence)[0]);

const context = (number: number): number => 0xa0 | number;

/** Of the ways to name one, the one that everybody reads. */
function distributionPoint(value: DerValue): void {
  const [name] = within(value, tags.sequence);
  if (name?.tag === context(0)) within(derValue(name.content), context(0));
}
