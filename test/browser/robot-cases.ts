import { caDomain } from '../../dev/platform/services.ts';
import { cnameDomain } from '../../dev/platform/ours.ts';

/** What a zone can begin with depends on where the platform is. */
export interface CasePlace {
  /** CNAME target of the project */
  readonly target: string;
  /** address of the platform's ingress */
  readonly address: string;
}

/** A domain that is not Live, and that whoever follows its page brings to Live. */
export interface RobotCase {
  readonly name: string;
  /** a reason or the code of an issue, seen before the robot begins */
  readonly code: string;
  /** where the customer manages DNS; `<name>.com` unless said */
  readonly zone: string;
  readonly hostname: string;
  /** `name type value` each, as a DNS host's form has them */
  readonly lines: (place: CasePlace) => readonly string[];
  /** Removed: where nothing can ever come of the domain, its page leads out. */
  readonly ends: 'Live' | 'Removed';
}

type Draft = Pick<RobotCase, 'name' | 'code'> & Partial<RobotCase>;

/** Below a suffix that there is: other names are not looked up while somebody types. */
function withDefaults(draft: Draft): RobotCase {
  const zone = draft.zone ?? `${draft.name}.com`;
  return Object.freeze({ zone, hostname: `shop.${zone}`, lines: () => [], ends: 'Live' as const, ...draft });
}

const elsewhere = 'pages.elsewhere.com';

/** A zone that customers' aliases lead to, and that is nobody's here. */
export const elsewhereZone = { zone: 'elsewhere.com', lines: ['pages A 198.51.100.9'] } as const;

const atApex = (name: string): Partial<RobotCase> => ({ hostname: `${name}.com` });
const withCaa =
  (...values: readonly string[]) =>
  () =>
    values.map((value) => `@ CAA ${value}`);
const long = (zone: string) => [62, 62, 62, 30].map((count) => 'a'.repeat(count)).join('.') + `.${zone}`;

const drafts: readonly Draft[] = [
  { name: 'missing', code: 'RecordMissing' },
  { name: 'wrong', code: 'WrongTarget', lines: () => [`shop CNAME ${elsewhere}`] },
  { name: 'dangling', code: 'WrongTarget', lines: () => ['shop CNAME gone.elsewhere.com'] },
  { name: 'other-project', code: 'OtherProjectTarget', lines: () => [`shop CNAME p-${'a'.repeat(26)}.${cnameDomain}`] },
  { name: 'bare', code: 'BareCnameDomain', lines: () => [`shop CNAME ${cnameDomain}`] },
  {
    name: 'stray',
    code: 'StrayAddress',
    lines: () => ['shop A 198.51.100.7', 'shop AAAA 2001:db8::7', '@ MX 10 mail.stray.com'],
  },
  { name: 'private', code: 'StrayAddress', lines: () => ['shop A 10.0.0.7'] },
  {
    name: 'several',
    code: 'StrayAddress',
    lines: ({ address }) => [`shop A ${address}`, 'shop A 198.51.100.7', 'shop A 198.51.100.8'],
  },
  { name: 'wildcard', code: 'StrayAddress', lines: () => ['* A 198.51.100.7'] },
  { name: 'wildcard-own', code: 'NotByCname', lines: ({ address }) => [`* A ${address}`] },
  { name: 'wildcard-alias', code: 'WrongTarget', lines: () => [`* CNAME ${elsewhere}`] },
  { name: 'beside', code: 'StrayAddress', lines: () => ['shop A 198.51.100.7', 'shop CAA 0 issue "other.com"'] },
  { name: 'loop', code: 'AliasLoop', lines: () => ['shop CNAME www.loop.com', 'www CNAME shop.loop.com'] },
  { name: 'chain', code: 'TooManyAliases', lines: ({ target }) => chain(target) },
  { name: 'doubled', code: 'DoubledZone', lines: ({ target }) => [`shop.doubled.com CNAME ${target}`] },
  { name: 'apex', code: 'RecordMissing', ...atApex('apex') },
  { name: 'plain-apex', code: 'RecordMissing', ...atApex('plain-apex') },
  {
    name: 'apex-mail',
    code: 'StrayAddress',
    ...atApex('apex-mail'),
    lines: () => ['@ A 198.51.100.7', '@ MX 10 mail.apex-mail.com', '@ TXT v=spf1 mx -all'],
  },
  { name: 'apex-alias', code: 'CnameAtApex', ...atApex('apex-alias'), lines: ({ target }) => [`@ CNAME ${target}`] },
  { name: 'unproved', code: 'NotByCname', lines: ({ address }) => [`shop A ${address}`] },
  {
    name: 'proved-once',
    code: 'TxtWrong',
    lines: ({ address }) => [`shop A ${address}`, '_projectdomain-challenge.shop TXT projectdomain-verify=older'],
  },
  {
    name: 'too-long',
    code: 'HostnameTooLongForTxt',
    hostname: long('too-long.com'),
    lines: ({ address }) => [`* A ${address}`],
  },
  { name: 'caa-other', code: 'CaaForbidsAuthority', lines: withCaa('0 issue "other.com"') },
  {
    name: 'caa-account',
    code: 'CaaForbidsAccount',
    lines: withCaa(`0 issue "${caDomain}; accounturi=https://other.com/1"`),
  },
  { name: 'caa-method', code: 'CaaForbidsMethod', lines: withCaa(`0 issue "${caDomain}; validationmethods=dns-01"`) },
  { name: 'caa-malformed', code: 'CaaMalformed', lines: withCaa('0 issue "%%%"') },
  { name: 'caa-critical', code: 'CaaCriticalUnknown', lines: withCaa('128 future "unknown"') },
  {
    name: 'caa-harmless',
    code: 'RecordMissing',
    lines: withCaa('0 iodef "mailto:a@caa-harmless.com"', `0 issue "${caDomain}"`),
  },
  { name: 'held', code: 'HeldElsewhere' },
  { name: 'lame', code: 'LameDelegation' },
  { name: 'silent', code: 'NoUsableAnswer' },
];

/** Added by the form of the project's page. */
export const formCases: readonly RobotCase[] = drafts.map(withDefaults);

/** Nine aliases that lead there in the end. */
const chain = (target: string): readonly string[] => [
  'shop CNAME a1.chain.com',
  ...Array.from({ length: 9 }, (_, index) => `a${index + 1} CNAME a${index + 2}.chain.com`),
  `a10 CNAME ${target}`,
];

/** A domain's spec as a customer's own configuration has it, which no form would have taken. */
export interface AppliedCase extends RobotCase {
  readonly spec: object;
}

const to = (hostname: string) => ({ role: 'Redirect', redirect: { to: hostname } });

const applied: readonly (Draft & Pick<AppliedCase, 'spec'>)[] = [
  { name: 'second', code: 'PrimaryExists', spec: { role: 'Primary' } },
  { name: 'self', code: 'RedirectToSelf', spec: to('shop.self.com') },
  { name: 'foreign', code: 'RedirectToForeign', spec: to(elsewhere) },
  { name: 'onward', code: 'RedirectToRedirect', spec: to('shop.missing.com') },
  {
    name: 'suffix',
    code: 'PublicSuffix',
    hostname: 'co.uk',
    zone: 'uk',
    ends: 'Removed',
    spec: to('shop.missing.com'),
  },
  {
    name: 'platforms',
    code: 'PlatformHostname',
    hostname: 'x.apps.example.net',
    zone: 'net',
    ends: 'Removed',
    spec: to('shop.missing.com'),
  },
];

/** Applied with kubectl. */
export const appliedCases: readonly AppliedCase[] = applied.map(({ spec, ...draft }) =>
  Object.freeze({ ...withDefaults(draft), spec }),
);

/** What becomes of domains that are Live, or of accounts whose plan has no room for one. */
export const laterCases = ['plan', 'cap', 'deploy', 'degraded', 'suspended', 'overdue', 'pair'] as const;
