import { caaCodes } from './codes/caa-codes.ts';
import type { VerdictCodeRow } from './codes/code-rows.ts';
import { ownershipCodes } from './codes/ownership-codes.ts';
import { routingCodes } from './codes/routing-codes.ts';
import { serverCodes } from './codes/server-codes.ts';

/**
 * Every code that a verdict on DNS can have: stable, shown to people and programs. Of several views with the same
 * verdict, usually the one with the first code in this table is reported.
 */
export const verdictCodes: Readonly<Record<DnsCode, VerdictCodeRow>> = {
  ...routingCodes,
  ...serverCodes,
  ...ownershipCodes,
  ...caaCodes,
};

export type DnsCode = keyof typeof routingCodes | keyof typeof serverCodes | keyof typeof ownershipCodes | CaaCode;

export const isVerdictCode = (code: string): code is DnsCode => Object.hasOwn(verdictCodes, code);

/** Codes that only the CAA verdict can have. */
export type CaaCode = keyof typeof caaCodes;

/** Codes about what stands between visitors and the platform. */
export type ProxyCode = 'BehindCdn' | Extract<DnsCode, `Cdn${string}`>;

const proxyCodes: ReadonlySet<string> = new Set<ProxyCode>([
  'CdnNeedsOriginCertificate',
  'CdnRedirectLoop',
  'CdnForbids',
  'BehindCdn',
]);

export const isProxyCode = (code: string): code is ProxyCode => proxyCodes.has(code);
