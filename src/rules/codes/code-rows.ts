/**
 * What there is to say of a code, whether it is the reason of a condition or of an issue: one row of a table in this folder has all of it, and conditions,
 * REST, dashboard, help, docs/reference and command line read it there.
 */
export interface CodeRow extends HelpText {
  /** one line in the field's own terms, for docs/reference */
  readonly definition: string;
  /** the message of a condition with this reason, of what is to be known for it; absent where what decides has to say more */
  readonly sentence?: (known: never) => string;
}

/** Of a domain. */
export interface DomainCodeRow extends CodeRow {
  /** for the code alone; an issue is more exact */
  readonly step: Step;
}

/** Of an issue. */
export interface IssueCodeRow extends DomainCodeRow {
  /** what its sentence mentions */
  readonly params: readonly (keyof IssuePlace)[];
  /** what was found, for the message of an issue or condition; without a full stop, as a fix follows */
  readonly sentence: (place: IssuePlace) => string;
}

/** Of an issue that was found in DNS. */
export interface VerdictCodeRow extends IssueCodeRow {
  /** it compares with one project's records, or tells to create them: nothing that can be said of a hostname before it is added to a project */
  readonly aboutTarget: boolean;
  /** a served hostname with it leads elsewhere, and is suspended after seven days */
  readonly leadsElsewhere?: true;
}

/** What a state or code is called, what it means, and what to do, for a customer who has never heard of DNS. */
export interface HelpText {
  readonly title: string;
  readonly meaning: string;
  /** what to do now; begins with "Nothing to do" where nothing is */
  readonly todo: string;
  /** the help chapter with more about it, if there is one */
  readonly symptom?: Symptom;
}

/** The four problems that people report; anchors in docs/troubleshooting.md and in the dashboard's help. */
export const symptoms = [
  'verification-keeps-failing',
  'no-certificate',
  'connection-not-private',
  'redirects-misbehave',
] as const;
export type Symptom = (typeof symptoms)[number];

/**
 * Owner: whoever edits the records of the zone. DnsHost: the company that runs its name servers. Cdn: whoever sets up the
 * CDN or proxy in front of the hostname.
 */
export const issueActors = ['Owner', 'DnsHost', 'Registrar', 'Cdn', 'Platform'] as const;
export type IssueActor = (typeof issueActors)[number];

/**
 * What the customer has to do next, one at a time:
 * - records: create the records shown, and delete what is in their way; then check
 * - delete-records: delete the records shown; then check
 * - caa: create the CAA record shown; then check
 * - verify: change something that is not a record, such as the setup of a CDN, where anything is to be changed; then check
 * - upgrade, deploy, make-redirect, change-destination: what the acceptance rules ask for
 * - remove: this domain can never be served as it is
 * - replace-certificate: send another certificate of one's own, or go back to automatic ones
 */
export const stepKinds = [
  'records',
  'delete-records',
  'caa',
  'verify',
  'upgrade',
  'deploy',
  'make-redirect',
  'change-destination',
  'remove',
  'replace-certificate',
] as const;
export type StepKind = (typeof stepKinds)[number];

/** What the customer has to do next, or whose turn it is. */
export interface Step {
  /** null where the customer cannot do anything */
  readonly kind: StepKind | null;
  /** Authority: the certificate authority. Nobody: everything is done. */
  readonly actor: IssueActor | 'Authority' | 'Nobody';
}

/** What rows have in common whose todo is the same kind of work, and for which one help chapter has more. */
export const changeRecords = {
  symptom: 'verification-keeps-failing',
  step: { kind: 'records', actor: 'Owner' },
} as const satisfies Partial<DomainCodeRow>;
export const askDnsHost = {
  symptom: 'verification-keeps-failing',
  step: { kind: null, actor: 'DnsHost' },
} as const satisfies Partial<DomainCodeRow>;
export const askRegistrar = {
  symptom: 'verification-keeps-failing',
  step: { kind: 'verify', actor: 'Registrar' },
} as const satisfies Partial<DomainCodeRow>;
/** Nobody but the people who run the platform can do anything. */
export const leftToPlatform = {
  todo: 'Nothing to do: the people who run the platform take care of this. Contact support if it lasts.',
  step: { kind: null, actor: 'Platform' },
} as const satisfies Partial<DomainCodeRow>;
export const allIsFine = 'Nothing to do: everything is fine.';

/** What a code's sentence, or the sentence of an act, can mention: nothing of it. */
export const nowhere = Object.freeze({
  /** the name that was queried */
  name: '',
  /** apex of the zone that contains the name, or the name itself while that is unknown */
  zone: '',
  /** the domain all targets lie under */
  cnameDomain: '',
  /** the certificate authority's CAA issuer domain */
  authority: '',
  /** the platform's addresses, for hosts without ALIAS; separated by commas, empty if unknown */
  addresses: '',
  /** what the record has as its value, as it was typed */
  value: '',
  /** another name, at which the record is */
  elsewhere: '',
  /** types of records, such as `CAA`; separated by commas */
  types: '',
  /** servers that are wrong while others of the zone are right; separated by commas */
  behind: '',
  /** name of the CDN in front of it; empty if unknown */
  cdn: '',
  /** the project's CNAME target */
  target: '',
  /** what is wrong with DNSSEC: a DnssecFaultKind (dnssec-sentences.ts), whose parameters the next six are */
  fault: '',
  /** `ns1.example.com (192.0.2.1)` */
  server: '',
  /** record sets, such as `www.example.com A`; separated by commas */
  records: '',
  /** keys that DS records name or that signed, as `tag/algorithm`; separated by spaces */
  signers: '',
  /** keys that the zone has, likewise */
  keys: '',
  /** RFC 3339 */
  at: '',
  /** codes of RFC 8914, separated by spaces */
  codes: '',
  /** the Gateway that is to serve it, as `Gateway namespace/name` */
  edge: '',
  /** the reason that the Gateway's controller gives, as one word */
  said: '',
  /** name of the Service that it leads to */
  service: '',
  /** name of the Secret with its certificate */
  secret: '',
  /** the object whose write was refused, as `Kind namespace/name` */
  object: '',
  /** what refused it: a ResourceQuota, a policy or a webhook, by its name; empty if unknown */
  by: '',
});

/** What is known of the place that an issue is about; empty where it is not. */
export type IssuePlace = { readonly [Name in keyof typeof nowhere]: string };

/** A record as a sentence mentions it: DnsRecordRef, in verdicts. */
export interface ActRecord {
  /** relative to the zone */
  readonly name: string;
  readonly fqdn: string;
  readonly type: string;
  readonly value: string;
}

/** The records that an issue tells to delete and to create. */
export interface ActRecords {
  readonly delete: readonly ActRecord[];
  readonly create: readonly ActRecord[];
}

/** What can have to be done about an issue. */
export interface ActRow {
  readonly actor: IssueActor;
  /** what its sentence mentions of the issue's place */
  readonly params: readonly (keyof IssuePlace)[];
  readonly sentence: (place: IssuePlace, records: ActRecords) => string;
}
