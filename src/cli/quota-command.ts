import type { Account } from '../generated/account.ts';
import type { ApiKey } from '../generated/api-key.ts';
import type { Plan } from '../generated/plan.ts';
import { printable } from '../lib/printable.ts';
import { liftBanAnnotation } from '../resources/object-metadata.ts';
import { AccountKind, ApiKeyKind, PlanKind } from '../resources/kinds.ts';
import { effectiveLimits } from '../rules/plan-limits.ts';
import { clusterUsage, optionsOf } from './cluster-options.ts';
import { table, writeResult } from './terminal-output.ts';
import { CommandFailure, UsageError, didYouMean } from './usage-errors.ts';
import { withCluster } from './with-cluster.ts';

export const usage = `usage: projectdomain quota [ACCOUNT] [options]

Shows an account's limits, and which of its keys were limited or banned. Without an account: the keys of all accounts that are banned
or were limited within the hour.

${clusterUsage}
Accounts and keys belong to the cluster, not to namespaces, so --namespace has no effect here.

exit status: 0 shown, 1 not found or refused, 3 wrong usage`;

type Status = NonNullable<ApiKey['status']>;

/** A key and how the quota dealt with it. Times are RFC 3339. */
export interface KeyQuota {
  readonly account: string;
  /** of the ApiKey object */
  readonly name: string;
  readonly displayName: string | null;
  /** accurate to five minutes, as `limited` is */
  readonly lastUsedAt: string | null;
  readonly limited: NonNullable<Status['limited']> | null;
  /** null when no ban is in force */
  readonly bannedUntil: string | null;
  /** the newest first */
  readonly bans: NonNullable<Status['bans']>;
}

export interface AccountQuota {
  readonly account: string;
  readonly plan: string;
  readonly requestsPerMinute: number;
  readonly requestsPerDay: number;
}

interface QuotaReport {
  /** null without an account */
  readonly limits: AccountQuota | null;
  readonly keys: readonly KeyQuota[];
}

const recentMs = 3_600_000;

/** Prints who is limited and who is banned. */
export async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = optionsOf(args, {});
  const [account, ...rest] = positionals;
  if (rest.length > 0) throw new UsageError('give one account, or none');
  const found = await withCluster(values, async ({ cluster }) => ({
    accounts: await cluster.list(AccountKind),
    plans: await cluster.list(PlanKind),
    keys: await cluster.list(ApiKeyKind),
  }));
  const now = Date.now();
  const report = reportOf(found, account ?? null, now);
  writeResult(report, values.json, (shown) => printQuota(shown, now));
  return 0;
}

interface Found {
  readonly accounts: readonly Account[];
  readonly plans: readonly Plan[];
  readonly keys: readonly ApiKey[];
}

function reportOf({ accounts, plans, keys }: Found, name: string | null, now: number): QuotaReport {
  const known = keys.map((key) => keyQuota(key, now)).toSorted(byName);
  if (name === null) return { limits: null, keys: known.filter((key) => isOfInterest(key, now)) };
  const account = accounts.find(({ metadata }) => metadata.name === name);
  const names = accounts.map(({ metadata }) => metadata.name);
  if (!account) throw new CommandFailure(`there is no Account ${name}.${didYouMean(name, names)}`);
  const plan = plans.find(({ metadata }) => metadata.name === account.spec.plan);
  if (!plan)
    throw new CommandFailure(
      `Account ${name} is on plan ${printable(account.spec.plan)}, and there is no Plan of that name`,
    );
  const { rateLimit } = effectiveLimits(plan.spec, account.spec.overrides);
  const limits = { account: name, plan: account.spec.plan, ...rateLimit };
  return { limits, keys: known.filter((key) => key.account === name) };
}

function keyQuota({ metadata, spec, status = {} }: ApiKey, now: number): KeyQuota {
  const { lastUsedAt = null, limited = null, bannedUntil, bans = [] } = status;
  return {
    account: spec.account,
    name: metadata.name,
    displayName: spec.displayName ?? null,
    lastUsedAt,
    limited,
    bannedUntil: bannedUntil !== undefined && Date.parse(bannedUntil) > now ? bannedUntil : null,
    bans,
  };
}

const byName = (one: KeyQuota, two: KeyQuota): number =>
  one.account.localeCompare(two.account) || one.name.localeCompare(two.name);

const isOfInterest = ({ bannedUntil, limited }: KeyQuota, now: number): boolean =>
  bannedUntil !== null || now - Date.parse(limited?.at ?? '') < recentMs;

/** The limits, one line per key, and a sentence for each ban that is in force. */
export function printQuota({ limits, keys }: QuotaReport, now: number): string {
  const parts = [
    ...(limits ? [heading(limits)] : []),
    keys.length > 0
      ? printKeys(keys)
      : limits
        ? 'It has no keys.'
        : 'No key is banned, and none was limited within the hour.',
    ...keys.flatMap((key) => why(key, now)),
  ];
  return parts.join('\n\n');
}

const heading = ({ account, plan, requestsPerMinute, requestsPerDay }: AccountQuota): string =>
  `Account ${account}, plan ${plan}: ${requestsPerMinute} requests a minute and ${requestsPerDay} a day, over all of its keys.`;

const printKeys = (keys: readonly KeyQuota[]): string =>
  table(
    ['Account', 'Key', 'Display name', 'Last used', 'Limited', 'Limited by', 'Banned until', 'Bans'],
    keys.map(({ account, name, displayName, lastUsedAt, limited, bannedUntil, bans }) => [
      account,
      name,
      displayName ?? '-',
      lastUsedAt ?? 'never',
      limited?.at ?? 'never',
      limited?.window ?? '-',
      bannedUntil ?? '-',
      String(bans.length),
    ]),
  );

function why({ name, bannedUntil, bans: [last] }: KeyQuota, now: number): readonly string[] {
  if (bannedUntil === null) return [];
  const step = last?.until === bannedUntil ? `, step ${last.step} of 5` : '';
  const lifted = new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');
  return [
    [
      `Key ${name} is banned until ${bannedUntil}${step}: its client kept sending requests after 429, before Retry-After had passed.`,
      `To lift the ban: kubectl annotate apikey ${name} --overwrite ${liftBanAnnotation}=${lifted}`,
    ].join('\n'),
  ];
}
