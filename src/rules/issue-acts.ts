import { challengePath, tokenPath } from './domain-token.ts';
import { refusalActs } from './refusal-acts.ts';
import type { ActRecord, ActRecords, ActRow, IssueActor, IssuePlace } from './codes/code-rows.ts';
import { nowhere } from './codes/code-rows.ts';
import type { IssueParams } from './issue-params.ts';

/** What an act's sentence is built from. */
export interface ActSubject extends ActRecords {
  readonly params: IssueParams;
}

/** How long the change may take to be seen everywhere, at worst; null for those that are seen within their TTL. */
export const hoursUntilSeen = (actor: IssueActor): number | null => (actor === 'Registrar' ? 48 : null);

/** Issues of older versions have no severity, and are errors. */
export const isWarning = ({ severity }: { readonly severity?: string }): boolean => severity === 'Warning';

/** Who acts, and what the sentence mentions, of acts that are alike. */
const atRegistrar = { actor: 'Registrar', params: ['zone'] } as const;
const atDnsHost = { actor: 'DnsHost', params: ['zone'] } as const;
const atCdn = { actor: 'Cdn', params: ['name', 'cdn'] } as const;

/** The customer has no part in it. */
const forPlatform = 'nothing to change in your records: the platform has to';

const cdnName = (cdn: string): string => cdn || 'the CDN or proxy';

/** Everything that can have to be done about an issue: one act, and who can do it. */
export const issueActs = {
  ChangeRecords: { actor: 'Owner', params: ['addresses'], sentence: changeSentence },
  EnterShortName: {
    actor: 'Owner',
    params: [],
    sentence: (_, records) =>
      [
        `delete ${records.delete.map(recordText).join(' and ')}`,
        ...records.create.map(({ name, value }) => `create one with the name '${name}' and the value ${value}`),
      ].join(' and '),
  },
  EnterFinalDot: {
    actor: 'Owner',
    params: [],
    sentence: (_, records) =>
      [
        ...records.delete.map((record) => `delete ${recordText(record)}`),
        ...records.create.map(
          ({ name, value }) =>
            `create one with the name '${name}' and the value ${value}. with the dot at the end, so that the form appends nothing`,
        ),
      ].join(' and '),
  },
  RemoveHttpsHints: {
    actor: 'Owner',
    params: ['name'],
    sentence: ({ name }) =>
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
    sentence: ({ name }) =>
      `leave ${name} as it is, or the present host can no longer renew its certificate; switch the hostname without preparing it, or remove the record once the present host does not need it any more`,
  },
  WaitForServers: {
    actor: 'DnsHost',
    params: ['behind', 'zone'],
    sentence: ({ behind, zone }) =>
      `leave the records as they are: ${behind} ${behind.includes(',') ? 'do' : 'does'} not have them yet. If it stays like this, ask your DNS provider to update it, or remove it from the name servers of ${zone}`,
  },
  MakeServersAgree: {
    ...atDnsHost,
    sentence: ({ zone }) => `make all name servers of ${zone} give the same answer`,
  },
  AskDnsHost: {
    ...atDnsHost,
    sentence: ({ zone }) =>
      `nothing to change in the records: ask the DNS provider of ${zone} why its name servers do not answer; we try again automatically`,
  },
  AskAboutType: {
    actor: 'DnsHost',
    params: ['zone', 'types'],
    sentence: ({ zone, types }) =>
      `nothing to change in the records: ask the DNS provider of ${zone} to have its name servers answer questions for ${types} records, with NOERROR where there are none; we try again automatically`,
  },
  AskAboutSilence: {
    ...atDnsHost,
    sentence: ({ zone }) =>
      `ask the DNS provider of ${zone} why they do not answer, or remove them from its name servers`,
  },
  AskAboutCaa: {
    actor: 'DnsHost',
    params: ['name', 'authority'],
    sentence: ({ name, authority }) =>
      `ask whoever manages ${name} to add CAA 0 issue "${authority}" there, or remove the alias that leads to it from your DNS`,
  },
  AlignDelegations: {
    ...atDnsHost,
    sentence: ({ zone }) =>
      `make every name server above ${zone} give the same NS records for it, and remove name servers that are no longer yours`,
  },
  AlignRegistration: {
    ...atRegistrar,
    sentence: ({ zone }) =>
      `at your registrar, check the name servers of ${zone} and remove those that are no longer yours; a registry may take 48 hours to show a change`,
  },
  EnterNameServers: {
    ...atRegistrar,
    sentence: ({ zone }) =>
      `at your registrar, enter the name servers of the DNS provider of ${zone}, or add ${zone} there: the present ones do not serve it`,
  },
  UsePublicAddresses: {
    ...atRegistrar,
    sentence: ({ zone }) =>
      `give the name servers of ${zone} public addresses, or enter those of your DNS provider at your registrar`,
  },
  CheckRegistration: {
    ...atRegistrar,
    sentence: ({ zone }) => `check at your registrar that ${zone} is registered, paid for and has name servers`,
  },
  ReplaceDs: {
    ...atRegistrar,
    sentence: ({ zone }) =>
      `at your registrar, replace the DS record of ${zone} (often under DNSSEC) with the one that its DNS provider shows, or delete it`,
  },
  DeleteDs: {
    ...atRegistrar,
    sentence: ({ zone }) =>
      `at your registrar, delete the DS record of ${zone} (often under DNSSEC), or turn on DNSSEC at its DNS provider and enter the DS record shown there`,
  },
  ReplaceDsAbove: {
    actor: 'Owner',
    params: ['zone'],
    sentence: ({ zone }) =>
      `in the zone above ${zone}, replace the DS record of ${zone} with the one that its DNS provider shows, or delete it`,
  },
  DeleteDsAbove: {
    actor: 'Owner',
    params: ['zone'],
    sentence: ({ zone }) =>
      `in the zone above ${zone}, delete the DS record of ${zone}, or turn on DNSSEC at the DNS provider of ${zone} and enter the DS record shown there`,
  },
  SignAgain: {
    ...atDnsHost,
    sentence: ({ zone }) =>
      `ask the DNS provider of ${zone} to sign the zone again; until then deleting its DS record helps too`,
  },
  WaitForResolvers: {
    actor: 'Platform',
    params: [],
    sentence: () => 'nothing to do: it is checked again automatically, and always before a certificate is ordered',
  },
  RouteThroughCdn: {
    actor: 'Cdn',
    params: ['name', 'target', 'cdn'],
    sentence: ({ name, target, cdn }) =>
      `at ${cdnName(cdn)}, make ${target} the origin of ${name}, pass the Host header on as ${name}, and cache nothing below ${tokenPath}; if that is not possible, switch the proxy off for ${name} (DNS only) and create ${name}. CNAME ${target}.`,
  },
  AllowRequests: {
    ...atCdn,
    sentence: ({ name, cdn }) =>
      `at ${cdnName(cdn)}, let requests for ${name}${tokenPath} and ${name}${challengePath} pass its firewall and bot protection`,
  },
  UseHttpsToOrigin: {
    ...atCdn,
    sentence: ({ name, cdn }) =>
      `at ${cdnName(cdn)}, connect to the origin of ${name} by https whenever visitors use https (mode "Full"), or stop redirecting ${tokenPath} there`,
  },
  SkipOriginVerification: {
    ...atCdn,
    sentence: ({ name, cdn }) =>
      `at ${cdnName(cdn)}, do not verify the origin's certificate of ${name} (mode "Full") until this domain is Live; then its certificate is there, and "Full (strict)" works`,
  },
  AnswerAlikeEverywhere: {
    actor: 'DnsHost',
    params: ['name'],
    sentence: ({ name }) =>
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
    sentence: ({ target, addresses }) => `${forPlatform} lead ${target} to ${addresses}`,
  },
  RemoveOtherListener: {
    actor: 'Platform',
    params: ['name', 'edge'],
    sentence: ({ name, edge }) =>
      `${forPlatform} remove the listener for ${name} that another object gives ${edge}; nobody but the operator should have one`,
  },
  GrantReference: {
    actor: 'Platform',
    params: ['edge'],
    sentence: ({ edge }) =>
      `${forPlatform} find out who changed the route, as the operator refers to nothing outside its namespace, or allow ${edge} the reference by a ReferenceGrant`,
  },
  CheckCertificate: {
    actor: 'Platform',
    params: ['secret'],
    sentence: ({ secret }) =>
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
    sentence: ({ service }) =>
      `deploy the project, so that there is a Service ${service}, or let spec.service of the project name another`,
  },
  AllowAttachment: {
    actor: 'Platform',
    params: ['edge'],
    sentence: ({ edge }) =>
      `${forPlatform} let allowedListeners and allowedRoutes of ${edge} select the namespaces of accounts, and see what its controller says of the objects`,
  },
  GiveListener: {
    actor: 'Platform',
    params: ['name', 'edge'],
    sentence: ({ name, edge }) =>
      `${forPlatform} give ${edge} a listener that ${name} matches and whose allowedRoutes select the namespaces of accounts, and see what its controller says of the objects`,
  },
  GiveAnotherEdge: {
    actor: 'Platform',
    params: ['name', 'edge'],
    sentence: ({ name, edge }) =>
      `${forPlatform} have ${name} served by a routing class of its own or by an ingress controller, which has no such limit; it gets a listener of ${edge} once another hostname leaves it`,
  },
  CheckController: {
    actor: 'Platform',
    params: ['edge'],
    sentence: ({ edge }) =>
      `${forPlatform} see whether ${edge} and its GatewayClass exist, whether its controller runs, and what that says of the objects`,
  },
  ...refusalActs,
  RemoveOtherIngress: {
    actor: 'Platform',
    params: ['name', 'object'],
    sentence: ({ name, object }) =>
      `${forPlatform} take ${name} out of ${object || 'the other Ingress, which the Events of the HostnameClaim name'}, or the ingress controller decides which of the two visitors get`,
  },
  AcceptOverlap: {
    actor: 'Platform',
    params: [],
    sentence: () =>
      'nothing to do: the hostname is served, though perhaps without HTTP/2, so that connections for one hostname are not used for the other',
  },
} as const satisfies Readonly<Record<string, ActRow>>;

export type IssueAct = keyof typeof issueActs;

/** What has to be done, as a sentence without a full stop: the only place where it is built. */
export const actSentence = (act: IssueAct, { params, ...records }: ActSubject): string =>
  issueActs[act].sentence({ ...nowhere, ...params }, records);

/** A record without its TTL, as in a master file; but no quotation marks are around a text, as people would copy them into a form. */
export function recordText({ fqdn, type, value }: Omit<ActRecord, 'name'>): string {
  if (value === '*') return `every ${type} record of ${fqdn}.`;
  const data = type === 'CNAME' || type === 'NS' ? `${value}.` : value;
  return `${fqdn}. ${type} ${data}`;
}

function changeSentence({ addresses }: IssuePlace, records: ActRecords): string {
  const deletions = records.delete.map(recordText).join(' and ');
  const creations = records.create.map((record) => creation(record, addresses)).join(' and create ');
  return [deletions && `delete ${deletions}`, creations && `create ${creations}`].filter(Boolean).join(' and ');
}

function creation(record: ActRecord, addresses: string): string {
  if (record.type !== 'ALIAS') return recordText(record);
  const or = addresses === '' ? '' : ` (or address records ${addresses})`;
  return `an ALIAS or ANAME record at ${record.fqdn} with value ${record.value}${or}`;
}
