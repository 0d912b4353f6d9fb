import { forbiddenByCaa } from './caa-codes.ts';
import type { DomainCodeRow } from './code-rows.ts';
import { refusedReasons } from './refusal-codes.ts';
import { verifiedReasons } from './verified-reasons.ts';

const waitForAuthority = { symptom: 'no-certificate', step: { kind: null, actor: 'Authority' } } as const;
const askAboutServers = { symptom: 'no-certificate', step: { kind: null, actor: 'DnsHost' } } as const;

interface OrderAccounts {
  /** names of the issuer's accounts that CAA records leave; null where they restrict nothing */
  readonly permitted: readonly string[] | null;
}

const waits =
  (why: string) =>
  ({ permitted }: OrderAccounts): string =>
    permitted === null
      ? why
      : `${why}; the CAA records of the hostname permit no other authority than that of ${permitted.join(', ')}`;

/** ProjectDomain, CertificateIssued. */
export const certificateReasons = {
  ...refusedReasons,
  Issued: {
    definition: 'The certificate is issued.',
    sentence: () => 'the certificate is issued',
    title: 'Certificate issued',
    meaning: 'Browsers trust this domain. The certificate renews automatically.',
    todo: 'Nothing to do: the domain goes live automatically.',
    step: { kind: null, actor: 'Platform' },
  },
  Waiting: {
    ...verifiedReasons.Waiting,
    definition: 'An earlier step is blocked, or cert-manager does not answer.',
  },
  Issuing: {
    definition: 'The certificate is being issued.',
    title: 'Issuing your certificate',
    meaning: 'DNS is set up correctly. The certificate usually arrives within a couple of minutes.',
    todo: 'Nothing to do: keep the records as they are.',
    step: { kind: null, actor: 'Authority' },
  },
  IssuanceFailed: {
    ...waitForAuthority,
    definition: 'The certificate authority refused; the message quotes its answer.',
    sentence: ({ said }: { readonly said: string | undefined }) => `the certificate authority refused: ${said}`,
    title: 'Your certificate was refused',
    meaning: 'The certificate authority couldn’t confirm the domain, usually because it saw old or other records.',
    todo: 'Nothing to do: we try again automatically. If it’s refused again, delete records for this domain that aren’t shown.',
  },
  IssuanceOverdue: {
    definition: 'Half an hour has passed without a certificate; Verify makes a new attempt.',
    sentence: ({ progress }: { readonly progress: string }) =>
      `no certificate after 30 minutes: ${progress}; Verify makes a new attempt`,
    title: 'Your certificate is taking longer than expected',
    meaning: 'Most arrive within a couple of minutes; 30 have passed.',
    todo: 'Select Re-verify: we check DNS again and make a new attempt.',
    symptom: 'no-certificate',
    step: { kind: 'verify', actor: 'Owner' },
  },
  CAAForbids: {
    ...forbiddenByCaa,
    definition: 'A CAA record forbids the order.',
  },
  CAAUnknown: {
    ...askAboutServers,
    definition: 'The CAA records could not be read, so nothing is ordered.',
    sentence: () => 'the CAA records of the hostname could not be read',
    title: 'We can’t read your CAA records',
    meaning: 'They say who may issue your certificate, and your name servers gave no usable answer.',
    todo: 'Ask your DNS provider whether its servers answer CAA queries. We try again automatically.',
  },
  DNSWrongNow: {
    definition: 'The last DNS check found wrong records: the route stays for a while, but nothing is ordered.',
    sentence: ({ problem }: { readonly problem: string }) =>
      `the last DNS check found other records, so no certificate is ordered: ${problem}`,
    title: 'Your DNS records have changed',
    meaning: 'We can only get a certificate while the domain points here, and it no longer does.',
    todo: 'Add the records shown and delete any others for this domain. Then select Re-verify.',
    symptom: 'no-certificate',
    step: { kind: 'records', actor: 'Owner' },
  },
  DNSUnknownNow: {
    ...askAboutServers,
    definition: 'The last DNS check was inconclusive, so nothing is ordered.',
    sentence: () =>
      'the last check could not tell whether the hostname points here and belongs to the account; no certificate is ordered until it can',
    title: 'Your name servers don’t answer',
    meaning: 'We can only get a certificate while the domain points here, and we couldn’t check that.',
    todo: 'Ask your DNS provider whether its servers answer. We try again automatically.',
  },
  DNSSECBroken: {
    definition: 'The DNSSEC signatures are not valid, so the authority would refuse; a renewal that is due waits too.',
    sentence: ({ problem }: { readonly problem: string }) =>
      `the DNSSEC signatures are not valid, so the certificate authority would refuse${problem && `: ${problem}`}`,
    title: 'Broken DNSSEC blocks your certificate',
    meaning: 'The DNSSEC signatures of your domain aren’t valid, so nobody may issue a certificate.',
    todo: 'At your registrar, replace the DS record with the one your DNS provider shows, or delete it.',
    symptom: 'no-certificate',
    step: { kind: 'verify', actor: 'Registrar' },
  },
  NotCorroborated: {
    ...askAboutServers,
    definition: 'Only one name server confirmed the records, although the zone has others.',
    sentence: () => 'only one of the name servers answered; the certificate is ordered once two of them agree',
    title: 'Only one of your name servers answered',
    meaning: 'Two of them have to give the same answer before we can get a certificate.',
    todo: 'Ask your DNS provider why the others don’t answer. We try again automatically.',
  },
  NotSwitched: {
    definition:
      'The hostname was prepared thirty days ago and still leads to its former server, so nothing is ordered any more.',
    sentence: () =>
      'the hostname was prepared thirty days ago and still leads elsewhere, so no further certificate is ordered; switch it, or remove the domain',
    title: 'Your prepared domain was never switched',
    meaning: 'We keep a prepared certificate for 30 days, and your domain still points to your former host.',
    todo: 'Point the domain here by the record shown, or remove it.',
    symptom: 'no-certificate',
    step: { kind: 'records', actor: 'Owner' },
  },
  RequestMismatch: {
    definition: 'The CertificateRequest does not match what our Certificate asks for.',
    title: 'Your certificate is on hold',
    meaning: 'The request for it was changed by someone else, so we don’t approve it.',
    todo: 'Nothing to do here: contact support and quote the code shown.',
    symptom: 'no-certificate',
    step: { kind: null, actor: 'Platform' },
  },
  IssuanceLimited: {
    ...waitForAuthority,
    definition: 'Too many failed authorizations of this hostname, in an hour or in a row.',
    sentence: waits('too many failed authorizations of this hostname; the next order waits'),
    title: 'Your next certificate has to wait',
    meaning: 'Too many attempts for this domain failed, and the wait grows with each one.',
    todo: 'Nothing to do: we try again automatically after the wait. Keep your records as shown.',
  },
  LedgerNameFull: {
    ...waitForAuthority,
    definition: 'As many certificates as the authority allows were issued for this hostname.',
    sentence: waits('as many certificates as the authority allows were issued for this hostname; the next order waits'),
    title: 'Your next certificate has to wait',
    meaning: 'This domain has had as many certificates this week as the certificate authority allows.',
    todo: 'Nothing to do: the next one is issued automatically after the wait.',
  },
  LedgerDomainFull: {
    ...waitForAuthority,
    definition: 'As many certificates as the authority allows were issued below the registered domain.',
    sentence: waits(
      'as many certificates as the authority allows were issued below the same registered domain; the next order waits',
    ),
    title: 'Your next certificate has to wait',
    meaning:
      'Your domain and its subdomains have had as many certificates this week as the certificate authority allows.',
    todo: 'Nothing to do: the next one is issued automatically after the wait.',
  },
  LedgerIssuerFull: {
    ...waitForAuthority,
    definition: "Every order of the issuer's window is used.",
    sentence: waits('the authority allows no more orders for now; the next one waits for its turn'),
    title: 'Your certificate is in the queue',
    meaning: 'The certificate authority allows a limited number of certificates every few hours.',
    todo: 'Nothing to do: yours is issued automatically when it’s its turn.',
  },
  LedgerShareUsed: {
    ...waitForAuthority,
    definition: "The account's share of the issuer's window is used.",
    sentence: waits("the account has used its share of the authority's orders for now; the next one waits"),
    title: 'Your certificate is in the queue',
    meaning: 'Your account has used its share of the certificates that can be issued every few hours.',
    todo: 'Nothing to do: the next ones are issued automatically.',
  },
  AuthoritySaysWait: {
    ...waitForAuthority,
    definition: 'The certificate authority itself named a time before which it accepts no order.',
    sentence: waits('the certificate authority asked us to wait; the next order follows after that'),
    title: 'The certificate authority asked us to wait',
    meaning: 'It told us when it accepts the next request.',
    todo: 'Nothing to do: your certificate is issued automatically after the wait.',
  },
  AuthorityUnavailable: {
    ...waitForAuthority,
    definition:
      'No account can be ordered with: its authority does not answer, or does not accept it, and no other one may issue.',
    sentence: waits('the certificate authority does not answer; the order follows when it does'),
    title: 'The certificate authority does not answer',
    meaning: 'Your certificate is requested as soon as it does, or from another one if your CAA records allow that.',
    todo: 'Nothing to do: your certificate is issued automatically.',
  },
  OwnCertificate: {
    definition: "A certificate of the customer's own is in place. It is not renewed automatically.",
    sentence: () => 'the certificate is of the customer’s own',
    title: 'Your own certificate',
    meaning: 'Visitors see the certificate you sent us. It isn’t renewed automatically.',
    todo: 'Nothing to do until it ends: send us a new one before then.',
    step: { kind: null, actor: 'Nobody' },
  },
  OwnCertificateEnding: {
    definition: "The certificate of the customer's own ends soon, and nothing replaces it automatically.",
    sentence: () => 'the certificate of the customer’s own ends soon; send a new one by PUT',
    title: 'Your own certificate ends soon',
    meaning: 'Browsers will warn your visitors once it has ended. We don’t renew it, as it’s yours.',
    todo: 'Send us a new one with the API, or use automatic certificates: then we get one for you.',
    step: { kind: 'replace-certificate', actor: 'Owner' },
  },
  OwnCertificateEnded: {
    definition: "The certificate of the customer's own has ended. It is still served.",
    sentence: () => 'the certificate has ended; send a new one by PUT, or go back to automatic ones by DELETE',
    title: 'Your own certificate has ended',
    meaning: 'Browsers warn your visitors. We keep serving it, as you may have a reason to use your own.',
    todo: 'Send us a new one with the API, or use automatic certificates: then we get one for you.',
    symptom: 'connection-not-private',
    step: { kind: 'replace-certificate', actor: 'Owner' },
  },
  OwnCertificateNotHeld: {
    definition:
      "Another account holds a hostname that the certificate of the customer's own names: one is ordered in its place.",
    sentence: ({ lost }: { readonly lost: string }) =>
      `another account holds ${lost}, which the certificate names; send one without it by PUT`,
    title: 'Your own certificate can’t be used any more',
    meaning: 'It names a domain that now belongs to another account, so we replace it with one that we get for you.',
    todo: 'Send us a certificate without that domain with the API, or use automatic certificates.',
    step: { kind: 'replace-certificate', actor: 'Owner' },
  },
  OwnCertificateRefused: {
    definition:
      "The certificate of the customer's own is no longer taken, by rules that were added since it was sent: one is ordered in its place.",
    sentence: ({ rule }: { readonly rule: string }) =>
      `the certificate is no longer taken (${rule}), and an automatic one takes its place; send another one by PUT, which says what is wrong, or go back to automatic ones by DELETE`,
    title: 'Your own certificate can’t be used any more',
    meaning: 'It’s one that we no longer take, so we replace it with one that we get for you.',
    todo: 'Send us another one with the API: the answer says what was wrong. Or use automatic certificates.',
    symptom: 'connection-not-private',
    step: { kind: 'replace-certificate', actor: 'Owner' },
  },
  ForeignCertificate: {
    definition: 'The hostname answers with a certificate that is not its own, so its visitors may be warned.',
    title: 'Visitors may see a wrong certificate',
    meaning:
      'Your domain answered our last check with a certificate that isn’t its own. Browsers may warn your visitors.',
    todo: 'Nothing to do: we’ve been told and are looking into it. Contact support if it lasts.',
    symptom: 'connection-not-private',
    step: { kind: null, actor: 'Platform' },
  },
  OwnCertificateMissing: {
    definition:
      "The certificate of the customer's own is not there, or was not sent by the API: one is ordered in its place.",
    title: 'Your own certificate is missing',
    meaning: 'We don’t have the certificate you sent any more, so we replace it with one that we get for you.',
    todo: 'Send it again with the API, or use automatic certificates.',
    step: { kind: 'replace-certificate', actor: 'Owner' },
  },
  Withdrawn: {
    definition: 'The domain is suspended or moves to another account: renewal has stopped.',
    title: 'No longer served',
    meaning: 'We stopped serving this domain and renewing its certificate.',
    todo: 'Compare your DNS with the records shown, then verify again. The domain comes back with the certificate it had.',
    symptom: 'verification-keeps-failing',
    step: { kind: 'verify', actor: 'Owner' },
  },
} as const satisfies Readonly<Record<string, DomainCodeRow>>;
