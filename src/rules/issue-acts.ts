import { challengePath } from './challenge-path.ts';
import { tokenPath } from './domain-token.ts';
import { refusalActs } from './refusal-acts.ts';
import type { IssueParams } from './issue-params.ts';
import type { IssueActor, IssuePlace } from './codes/code-rows.ts';

/** A record as a sentence mentions it: DnsRecordRef, in verdicts. */
export interface ActRecord {
  /** relative to the zone */
  readonly name: string;
  readonly fqdn: string;
  readonly type: string;
  readonly value: string;
}

/** What an act's sentence is built from. */
export interface ActSubject {
  readonly params: IssueParams;
  readonly delete: readonly ActRecord[];
  readonly create: readonly ActRecord[];
}

interface Act {
  readonly actor: IssueActor;
  /** what its sentence mentions of the issue's place */
  readonly params: readonly (keyof IssuePlace)[];
  readonly sentence: (subject: ActSubject) => string;
}

/** How long the change may take to be seen everywhere, at worst; null for those that are seen within their TTL. */
export const hoursUntilSeen = (actor: IssueActor): number | null => (actor === 'Registrar' ? 48 : null);

/** Issues of older versions have no severity, and are errors. */
export const isWarning = ({ severity }: { readonly severity?: string }): boolean => severity === 'Warning';

const zone = ['zone'] as const;

/** The customer has no part in it. */
const forPlatform = 'nothing to change in your records: the platform has to';

const cdnName = (cdn: string | undefined): string => cdn || 'the CDN or proxy';

/** Everything that can have to be done about an issue: one act, and who can do it. */
export const issueActs = {
  ChangeRecords: { actor: 'Owner', params: ['addresses'], sentence: changeSentence },
  EnterShortName: {
    actor: 'Owner',
    params: [],
    sentence: ({ create, ...subject }) =>
      [
        `delete ${subject.delete.map(recordText).join(' and ')}`,
        ...create.map(({ name, value }) => `create one with the name '${name}' and the value ${value}`),
      ].join(' and '),
  },
  EnterFinalDot: {
    actor: 'Owner',
    params: [],
    sentence: ({ create, ...subject }) =>
      [
        ...subject.delete.map((record) => `delete ${recordText(record)}`),
        ...create.map(
          ({ name, value }) =>
            `create one with the name '${name}' and the value ${value}. with the dot at the end, so that the form appends nothing`,
        ),
      ].join(' and '),
  },
  RemoveHttpsHints: {
    actor: 'Owner',
    params: ['name'],
    sentence: ({ params: { name = '' } }) =>
      `delete the HTTPS record of ${name} (type 65), or take the hints and the name of the other server out of it`,
  },
  UseShorterName: {
    actor: 'Owner',
    params: [],
    sentence: () => 'use a shorter hostname: this one needs an ownership record, and there is no room for its name',
  },
  SwitchWithoutPreparing: {
    actor: 'Owner',
    params: ['name'],
    sentence: ({ params: { name = '' } }) =>
      `leave ${name} as it is, or the present host can no longer renew its certificate; switch the hostname without preparing it, or remove the record once the present host does not need it any more`,
  },
  WaitForServers: {
    actor: 'DnsHost',
    params: ['behind', 'zone'],
    sentence: ({ params: { behind = '', zone: of = '' } }) =>
      `leave the records as they are: ${behind} ${behind.includes(',') ? 'do' : 'does'} not have them yet. If it stays like this, ask your DNS provider to update it, or remove it from the name servers of ${of}`,
  },
  MakeServersAgree: {
    actor: 'DnsHost',
    params: zone,
    sentence: ({ params: { zone: of = '' } }) => `make all name servers of ${of} give the same answer`,
  },
  AskDnsHost: {
    actor: 'DnsHost',
    params: zone,
    sentence: ({ params: { zone: of = '' } }) =>
      `nothing to change in the records: ask the DNS provider of ${of} why its name servers do not answer; we try again automatically`,
  },
  AskAboutType: {
    actor: 'DnsHost',
    params: ['zone', 'types'],
    sentence: ({ params: { zone: of = '', types = '' } }) =>
      `nothing to change in the records: ask the DNS provider of ${of} to have its name servers answer questions for ${types} records, with NOERROR where there are none; we try again automatically`,
  },
  AskAboutSilence: {
    actor: 'DnsHost',
    params: zone,
    sentence: ({ params: { zone: of = '' } }) =>
      `ask the DNS provider of ${of} why they do not answer, or remove them from its name servers`,
  },
  AskAboutCaa: {
    actor: 'DnsHost',
    params: ['name', 'authority'],
    sentence: ({ params: { name = '', authority = '' } }) =>
      `ask whoever manages ${name} to add CAA 0 issue "${authority}" there, or remove the alias that leads to it from your DNS`,
  },
  AlignDelegations: {
    actor: 'DnsHost',
    params: zone,
    sentence: ({ params: { zone: of = '' } }) =>
      `make every name server above ${of} give the same NS records for it, and remove name servers that are no longer yours`,
  },
  AlignRegistration: {
    actor: 'Registrar',
    params: zone,
    sentence: ({ params: { zone: of = '' } }) =>
      `at your registrar, check the name servers of ${of} and remove those that are no longer yours; a registry may take 48 hours to show a change`,
  },
  EnterNameServers: {
    actor: 'Registrar',
    params: zone,
    sentence: ({ params: { zone: of = '' } }) =>
      `at your registrar, enter the name servers of the DNS provider of ${of}, or add ${of} there: the present ones do not serve it`,
  },
  UsePublicAddresses: {
    actor: 'Registrar',
    params: zone,
    sentence: ({ params: { zone: of = '' } }) =>
      `give the name servers of ${of} public addresses, or enter those of your DNS provider at your registrar`,
  },
  CheckRegistration: {
    actor: 'Registrar',
    params: zone,
    sentence: ({ params: { zone: of = '' } }) =>
      `check at your registrar that ${of} is registered, paid for and has name servers`,
  },
  ReplaceDs: {
    actor: 'Registrar',
    params: zone,
    sentence: ({ params: { zone: of = '' } }) =>
      `at your registrar, replace the DS record of ${of} (often under DNSSEC) with the one that its DNS provider shows, or delete it`,
  },
  DeleteDs: {
    actor: 'Registrar',
    params: zone,
    sentence: ({ params: { zone: of = '' } }) =>
      `at your registrar, delete the DS record of ${of} (often under DNSSEC), or turn on DNSSEC at its DNS provider and enter the DS record shown there`,
  },
  ReplaceDsAbove: {
    actor: 'Owner',
    params: zone,
    sentence: ({ params: { zone: of = '' } }) =>
      `in the zone above ${of}, replace the DS record of ${of} with the one that its DNS provider shows, or delete it`,
  },
  DeleteDsAbove: {
    actor: 'Owner',
    params: zone,
    sentence: ({ params: { zone: of = '' } }) =>
      `in the zone above ${of}, delete the DS record of ${of}, or turn on DNSSEC at the DNS provider of ${of} and enter the DS record shown there`,
  },
  SignAgain: {
    actor: 'DnsHost',
    params: zone,
    sentence: ({ params: { zone: of = '' } }) =>
      `ask the DNS provider of ${of} to sign the zone again; until then deleting its DS record helps too`,
  },
  WaitForResolvers: {
    actor: 'Platform',
    params: [],
    sentence: () => 'nothing to do: it is checked again automatically, and always before a certificate is ordered',
  },
  RouteThroughCdn: {
    actor: 'Cdn',
    params: ['name', 'target', 'cdn'],
    sentence: ({ params: { name = '', target = '', cdn } }) =>
      `at ${cdnName(cdn)}, make ${target} the origin of ${name}, pass the Host header on as ${name}, and cache nothing below ${tokenPath}; if that is not possible, switch the proxy off for ${name} (DNS only) and create ${name}. CNAME ${target}.`,
  },
  AllowRequests: {
    actor: 'Cdn',
    params: ['name', 'cdn'],
    sentence: ({ params: { name = '', cdn } }) =>
      `at ${cdnName(cdn)}, let requests for ${name}${tokenPath} and ${name}${challengePath} pass its firewall and bot protection`,
  },
  UseHttpsToOrigin: {
    actor: 'Cdn',
    params: ['name', 'cdn'],
    sentence: ({ params: { name = '', cdn } }) =>
      `at ${cdnName(cdn)}, connect to the origin of ${name} by https whenever visitors use https (mode "Full"), or stop redirecting ${tokenPath} there`,
  },
  SkipOriginVerification: {
    actor: 'Cdn',
    params: ['name', 'cdn'],
    sentence: ({ params: { name = '', cdn } }) =>
      `at ${cdnName(cdn)}, do not verify the origin's certificate of ${name} (mode "Full") until this domain is Live; then its certificate is there, and "Full (strict)" works`,
  },
  AnswerAlikeEverywhere: {
    actor: 'DnsHost',
    params: ['name'],
    sentence: ({ params: { name = '' } }) =>
      `if the records were changed within the last hour, wait; otherwise ask your DNS provider to give the same answer for ${name} everywhere`,
  },
  WaitForPlatform: {
    actor: 'Platform',
    params: [],
    sentence: () => 'nothing to change in the records: this is for the platform to fix; we try again automatically',
  },
  AskPlatform: {
    actor: 'Platform',
    params: [],
    sentence: () => 'nothing to change in your records: the platform has to change its own',
  },
  MoveTarget: {
    actor: 'Platform',
    params: ['target', 'addresses'],
    sentence: ({ params: { target = '', addresses = '' } }) => `${forPlatform} lead ${target} to ${addresses}`,
  },
  RemoveOtherListener: {
    actor: 'Platform',
    params: ['name', 'edge'],
    sentence: ({ params: { name = '', edge = '' } }) =>
      `${forPlatform} remove the listener for ${name} that another object gives ${edge}; nobody but the operator should have one`,
  },
  GrantReference: {
    actor: 'Platform',
    params: ['edge'],
    sentence: ({ params: { edge = '' } }) =>
      `${forPlatform} find out who changed the route, as the operator refers to nothing outside its namespace, or allow ${edge} the reference by a ReferenceGrant`,
  },
  CheckCertificate: {
    actor: 'Platform',
    params: ['secret'],
    sentence: ({ params: { secret = '' } }) =>
      `${forPlatform} look at Secret ${secret}; a new certificate is served as soon as it is there`,
  },
  SendCertificate: {
    actor: 'Owner',
    params: [],
    sentence: () => 'send another certificate of your own, or use automatic certificates',
  },
  DeployProject: {
    actor: 'Owner',
    params: ['service'],
    sentence: ({ params: { service = '' } }) =>
      `deploy the project, so that there is a Service ${service}, or let spec.service of the project name another`,
  },
  AllowAttachment: {
    actor: 'Platform',
    params: ['edge'],
    sentence: ({ params: { edge = '' } }) =>
      `${forPlatform} let allowedListeners and allowedRoutes of ${edge} select the namespaces of accounts, and see what its controller says of the objects`,
  },
  GiveListener: {
    actor: 'Platform',
    params: ['name', 'edge'],
    sentence: ({ params: { name = '', edge = '' } }) =>
      `${forPlatform} give ${edge} a listener that ${name} matches and whose allowedRoutes select the namespaces of accounts, and see what its controller says of the objects`,
  },
  GiveAnotherEdge: {
    actor: 'Platform',
    params: ['name', 'edge'],
    sentence: ({ params: { name = '', edge = '' } }) =>
      `${forPlatform} have ${name} served by a routing class of its own or by an ingress controller, which has no such limit; it gets a listener of ${edge} once another hostname leaves it`,
  },
  CheckController: {
    actor: 'Platform',
    params: ['edge'],
    sentence: ({ params: { edge = '' } }) =>
      `${forPlatform} see whether ${edge} and its GatewayClass exist, whether its controller runs, and what that says of the objects`,
  },
  ...refusalActs,
  RemoveOtherIngress: {
    actor: 'Platform',
    params: ['name', 'object'],
    sentence: ({ params: { name = '', object = '' } }) =>
      `${forPlatform} take ${name} out of ${object || 'the other Ingress, which the Events of the HostnameClaim name'}, or the ingress controller decides which of the two visitors get`,
  },
  AcceptOverlap: {
    actor: 'Platform',
    params: [],
    sentence: () =>
      'nothing to do: the hostname is served, though perhaps without HTTP/2, so that connections for one hostname are not used for the other',
  },
} as const satisfies Readonly<Record<string, Act>>;

export type IssueAct = keyof typeof issueActs;

/** What has to be done, as a sentence without a full stop: the only place where it is built. */
export const actSentence = (act: IssueAct, subject: ActSubject): string => issueActs[act].sentence(subject);

/** A record without its TTL, as in a master file; but no quotation marks are around a text, as people would copy them into a form. */
export function recordText({ fqdn, type, value }: Omit<ActRecord, 'name'>): string {
  if (value === '*') return `every ${type} record of ${fqdn}.`;
  const data = type === 'CNAME' || type === 'NS' ? `${value}.` : value;
  return `${fqdn}. ${type} ${data}`;
}

function changeSentence({ params: { addresses = '' }, ...records }: ActSubject): string {
  const deletions = records.delete.map(recordText).join(' and ');
  const creations = records.create.map((record) => creation(record, addresses)).join(' and create ');
  return [deletions && `delete ${deletions}`, creations && `create ${creations}`].filter(Boolean).join(' and ');
}

function creation(record: ActRecord, addresses: string): string {
  if (record.type !== 'ALIAS') return recordText(record);
  const or = addresses === '' ? '' : ` (or address records ${addresses})`;
  return `an ALIAS or ANAME record at ${record.fqdn} with value ${record.value}${or}`;
}
