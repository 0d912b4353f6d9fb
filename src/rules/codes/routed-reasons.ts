import { certificateReasons } from './certificate-reasons.ts';
import type { DomainCodeRow } from './code-rows.ts';
import { refusedReasons } from './refusal-codes.ts';
import { verifiedReasons } from './verified-reasons.ts';

/** ProjectDomain and Project, Routed. */
export const routedReasons = {
  ...refusedReasons,
  Routed: {
    definition: 'The hostname answers with its certificate.',
    title: 'Live',
    meaning: 'Your domain is connected and has a valid certificate.',
    todo: 'Nothing to do: keep the records as they are.',
    step: { kind: null, actor: 'Nobody' },
  },
  Waiting: {
    ...verifiedReasons.Waiting,
    definition: 'An earlier step is blocked.',
  },
  ReadyToSwitch: {
    definition:
      'Certificate and route are there, and the hostname still leads to its former server: it can be switched at any time.',
    sentence: ({ hostname, look }: { readonly hostname: string; readonly look: string }) =>
      `the certificate is there and ${hostname} is served here: switch it whenever you like, by the record shown for it${look}`,
    title: 'Ready to switch',
    meaning: 'Your certificate is here and we serve this domain already; visitors still go to your former host.',
    todo: 'Point the domain here whenever you like, by the record shown. Nobody will notice.',
    step: { kind: 'records', actor: 'Owner' },
  },
  NotAnswering: {
    definition: 'The route is in place, but the hostname does not answer with the expected certificate yet.',
    title: 'Almost there',
    meaning: 'Your certificate has been issued; the domain starts to use it within seconds.',
    todo: 'Nothing to do. If it takes longer than ten minutes, contact support.',
    symptom: 'connection-not-private',
    step: { kind: null, actor: 'Platform' },
  },
  ForeignCertificate: certificateReasons.ForeignCertificate,
  HeldBack: {
    definition: 'The platform serves no new hostname until only the operator can attach them to its Gateway.',
    title: 'New hostnames are not served yet',
    meaning: 'The platform has to change something of its own first.',
    todo: 'Nothing to do: it continues automatically once the platform has.',
    step: { kind: null, actor: 'Platform' },
  },
  Withdrawn: {
    ...certificateReasons.Withdrawn,
    definition: 'The route was withdrawn: the domain is suspended or moves to another account.',
  },
} as const satisfies Readonly<Record<string, DomainCodeRow>>;

/** ProjectDomain, Ready of one that is Suspended: why, where Routed and CertificateIssued say Withdrawn. */
export const withdrawnReasons = {
  SuspendedByAdministrator: {
    definition: 'An administrator suspended the hostname; the message has their words.',
    title: 'No longer served',
    meaning: 'An administrator of the platform has taken this domain offline.',
    todo: 'Nothing to do in your DNS: contact the people who run the platform, as only they can bring it back.',
    step: { kind: null, actor: 'Platform' },
  },
  LedElsewhere: {
    definition: 'The hostname has pointed somewhere else for seven days.',
    sentence: ({ dns }: { readonly dns: string }) => `the hostname has pointed somewhere else for seven days: ${dns}`,
    title: 'No longer served',
    meaning: 'It had pointed somewhere else for seven days, so we stopped serving it.',
    todo: 'Point it here again with the records shown, then verify again. It comes back with the certificate it had.',
    symptom: 'verification-keeps-failing',
    step: { kind: 'verify', actor: 'Owner' },
  },
  NotAllowed: {
    definition: 'The domain has not been accepted for seven days.',
    sentence: ({ accepted }: { readonly accepted: string }) => `not allowed for seven days: ${accepted}`,
    title: 'No longer served',
    meaning: 'Your plan or your project hadn’t allowed it for seven days, so we stopped serving it.',
    todo: 'Once they do, it comes back with the certificate it had; you can also verify again.',
    step: { kind: 'verify', actor: 'Owner' },
  },
  ParentDeleted: {
    definition: 'What the domain stands on, such as its project, is being deleted.',
    title: 'No longer served',
    meaning: 'The project or account that it belongs to is being deleted.',
    todo: 'Nothing to do if you wanted that. If not, contact the people who run the platform.',
    step: { kind: null, actor: 'Platform' },
  },
  ProvenElsewhere: {
    definition: 'Another account has proved the hostname.',
    sentence: () => 'another account proved this hostname',
    title: 'No longer served',
    meaning: 'Another account has proved that this domain is theirs.',
    todo: 'If it’s yours, add the TXT record shown, then verify again. If not, remove it here.',
    symptom: 'verification-keeps-failing',
    step: { kind: 'verify', actor: 'Owner' },
  },
} as const satisfies Readonly<Record<string, DomainCodeRow>>;
