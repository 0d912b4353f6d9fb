import { isWithin } from '../../rules/hostname.ts';
import type { DnsCode } from '../../rules/verdict-codes.ts';
import { withNamesAbove } from '../observed-records.ts';
import type { DesiredDns } from './dns-verdict.ts';
import { isMistyped, typedText, withoutMarks } from './typed-text.ts';

/** How the value of a CNAME misses the target, though it was meant. */
export const targetSlips = [
  'ZoneInValue',
  'UrlInValue',
  'QuotedValue',
  'MistypedTarget',
] as const satisfies readonly DnsCode[];

export type TargetSlip = (typeof targetSlips)[number];

type Wanted = Pick<DesiredDns, 'hostname' | 'target' | 'platformDomains' | 'cnameDomain'>;

/**
 * What went wrong when somebody entered the target as the value of a record: null for any other name, and for the target itself. The form's own
 * doing and what was pasted along are told before the letters, as they would spoil the next try too.
 */
export function targetSlip(value: string, wanted: Wanted): TargetSlip | null {
  const text = typedText(value).replace(/^\s*(?:in\s+)?cname\s+/i, '');
  const unquoted = withoutMarks(text);
  const address = withoutUrl(unquoted);
  const name = withoutZones(address, wanted.hostname);
  const isNear = isNearTarget(name, wanted);
  if (name !== wanted.target && !isNear && !isOfPlatform(name, wanted)) return null;
  if (address !== unquoted) return 'UrlInValue';
  if (unquoted !== typedText(value)) return 'QuotedValue';
  if (name !== address) return 'ZoneInValue';
  return isNear ? 'MistypedTarget' : null;
}

const isOfPlatform = (name: string, { cnameDomain, platformDomains }: Wanted): boolean =>
  [cnameDomain, ...platformDomains].some((domain) => isWithin(name, domain));

/** `https://name:443/path` as `name`; a form may have appended the zone behind the path. */
const withoutUrl = (text: string): string =>
  text
    .replace(/^(?:[a-z][a-z0-9+.-]*:)?\/+/i, '')
    .replace(/[/?#].*$/s, '')
    .replace(/:\d{0,5}$/, '');

/** Without what forms append to a name that has no final dot: the zone, or any other name above the hostname; perhaps twice. */
function withoutZones(text: string, hostname: string): string {
  const zones = withNamesAbove(hostname).filter((zone) => zone.includes('.'));
  let name = text.replace(/\.+$/, '');
  for (let count = 0; count < mostAppended; count += 1) {
    const appended = zones.find((zone) => name.endsWith(`.${zone}`));
    if (appended === undefined) break;
    name = name.slice(0, -appended.length - 1).replace(/\.+$/, '');
  }
  return name;
}

const mostAppended = 3;

/**
 * Letters that differ, a part that is missing at the end, or something in front or behind. A target's first label is random, so that no other
 * project's is so near.
 */
function isNearTarget(name: string, { target }: Wanted): boolean {
  if (name === target) return false;
  const [label = ''] = target.split('.');
  const isCut = name.length >= label.length && target.startsWith(`${name}.`);
  const isLonger = name.endsWith(`.${target}`) || name.startsWith(`${target}.`);
  return isCut || isLonger || isMistyped(name, target, label);
}
