import type { certificateReasons, routedReasons } from '../rules/reasons.ts';
import type { HelpText } from './state-help.ts';

const symptom = 'no-certificate';

/** The certificate, without which browsers do not trust a domain. */
export const certificateHelp: Readonly<
  Record<Exclude<keyof typeof certificateReasons, 'Waiting' | 'WriteRefused'>, HelpText>
> = {
  Issued: {
    title: 'Certificate issued',
    meaning: 'Browsers trust this domain. The certificate renews automatically.',
    todo: 'Nothing to do: the domain goes live automatically.',
    symptom: null,
  },
  Issuing: {
    title: 'Issuing your certificate',
    meaning: 'DNS is set up correctly. The certificate usually arrives within a couple of minutes.',
    todo: 'Nothing to do: keep the records as they are.',
    symptom: null,
  },
  IssuanceFailed: {
    title: 'Your certificate was refused',
    meaning: 'The certificate authority couldn’t confirm the domain, usually because it saw old or other records.',
    todo: 'Nothing to do: we try again automatically. If it’s refused again, delete records for this domain that aren’t shown.',
    symptom,
  },
  IssuanceOverdue: {
    title: 'Your certificate is taking longer than expected',
    meaning: 'Most arrive within a couple of minutes; 30 have passed.',
    todo: 'Select Re-verify: we check DNS again and make a new attempt.',
    symptom,
  },
  CAAForbids: {
    title: 'A CAA record blocks your certificate',
    meaning: 'CAA records list who may issue certificates for your domain; our certificate authority isn’t listed.',
    todo: 'Add the CAA record shown and keep those you have. Then select Re-verify.',
    symptom,
  },
  CAAUnknown: {
    title: 'We can’t read your CAA records',
    meaning: 'They say who may issue your certificate, and your name servers gave no usable answer.',
    todo: 'Ask your DNS provider whether its servers answer CAA queries. We try again automatically.',
    symptom,
  },
  DNSWrongNow: {
    title: 'Your DNS records have changed',
    meaning: 'We can only get a certificate while the domain points here, and it no longer does.',
    todo: 'Add the records shown and delete any others for this domain. Then select Re-verify.',
    symptom,
  },
  DNSUnknownNow: {
    title: 'Your name servers don’t answer',
    meaning: 'We can only get a certificate while the domain points here, and we couldn’t check that.',
    todo: 'Ask your DNS provider whether its servers answer. We try again automatically.',
    symptom,
  },
  DNSSECBroken: {
    title: 'Broken DNSSEC blocks your certificate',
    meaning: 'The DNSSEC signatures of your domain aren’t valid, so nobody may issue a certificate.',
    todo: 'At your registrar, replace the DS record with the one your DNS provider shows, or delete it.',
    symptom,
  },
  NotCorroborated: {
    title: 'Only one of your name servers answered',
    meaning: 'Two of them have to give the same answer before we can get a certificate.',
    todo: 'Ask your DNS provider why the others don’t answer. We try again automatically.',
    symptom,
  },
  NotSwitched: {
    title: 'Your prepared domain was never switched',
    meaning: 'We keep a prepared certificate for 30 days, and your domain still points to your former host.',
    todo: 'Point the domain here by the record shown, or remove it.',
    symptom,
  },
  RequestMismatch: {
    title: 'Your certificate is on hold',
    meaning: 'The request for it was changed by someone else, so we don’t approve it.',
    todo: 'Nothing to do here: contact support and quote the code shown.',
    symptom,
  },
  LedgerNameFull: {
    title: 'Your next certificate has to wait',
    meaning: 'This domain has had as many certificates this week as the certificate authority allows.',
    todo: 'Nothing to do: the next one is issued automatically after the wait.',
    symptom,
  },
  LedgerDomainFull: {
    title: 'Your next certificate has to wait',
    meaning:
      'Your domain and its subdomains have had as many certificates this week as the certificate authority allows.',
    todo: 'Nothing to do: the next one is issued automatically after the wait.',
    symptom,
  },
  LedgerIssuerFull: {
    title: 'Your certificate is in the queue',
    meaning: 'The certificate authority allows a limited number of certificates every few hours.',
    todo: 'Nothing to do: yours is issued automatically when it’s its turn.',
    symptom,
  },
  LedgerShareUsed: {
    title: 'Your certificate is in the queue',
    meaning: 'Your account has used its share of the certificates that can be issued every few hours.',
    todo: 'Nothing to do: the next ones are issued automatically.',
    symptom,
  },
  AuthoritySaysWait: {
    title: 'The certificate authority asked us to wait',
    meaning: 'It told us when it accepts the next request.',
    todo: 'Nothing to do: your certificate is issued automatically after the wait.',
    symptom,
  },
  AuthorityUnavailable: {
    title: 'The certificate authority does not answer',
    meaning: 'Your certificate is requested as soon as it does, or from another one if your CAA records allow that.',
    todo: 'Nothing to do: your certificate is issued automatically.',
    symptom,
  },
  IssuanceLimited: {
    title: 'Your next certificate has to wait',
    meaning: 'Too many attempts for this domain failed, and the wait grows with each one.',
    todo: 'Nothing to do: we try again automatically after the wait. Keep your records as shown.',
    symptom,
  },
  OwnCertificate: {
    title: 'Your own certificate',
    meaning: 'Visitors see the certificate you sent us. It isn’t renewed automatically.',
    todo: 'Nothing to do until it ends: send us a new one before then.',
    symptom: null,
  },
  OwnCertificateEnding: {
    title: 'Your own certificate ends soon',
    meaning: 'Browsers will warn your visitors once it has ended. We don’t renew it, as it’s yours.',
    todo: 'Send us a new one with the API, or use automatic certificates: then we get one for you.',
    symptom: null,
  },
  OwnCertificateEnded: {
    title: 'Your own certificate has ended',
    meaning: 'Browsers warn your visitors. We keep serving it, as you may have a reason to use your own.',
    todo: 'Send us a new one with the API, or use automatic certificates: then we get one for you.',
    symptom: 'connection-not-private',
  },
  OwnCertificateNotHeld: {
    title: 'Your own certificate can’t be used any more',
    meaning: 'It names a domain that now belongs to another account, so we replace it with one that we get for you.',
    todo: 'Send us a certificate without that domain with the API, or use automatic certificates.',
    symptom: null,
  },
  OwnCertificateRefused: {
    title: 'Your own certificate can’t be used any more',
    meaning: 'It’s one that we no longer take, so we replace it with one that we get for you.',
    todo: 'Send us another one with the API: the answer says what was wrong. Or use automatic certificates.',
    symptom: 'connection-not-private',
  },
  ForeignCertificate: {
    title: 'Visitors may see a wrong certificate',
    meaning:
      'Your domain answered our last check with a certificate that isn’t its own. Browsers may warn your visitors.',
    todo: 'Nothing to do: we’ve been told and are looking into it. Contact support if it lasts.',
    symptom: 'connection-not-private',
  },
  OwnCertificateMissing: {
    title: 'Your own certificate is missing',
    meaning: 'We don’t have the certificate you sent any more, so we replace it with one that we get for you.',
    todo: 'Send it again with the API, or use automatic certificates.',
    symptom: null,
  },
  Withdrawn: {
    title: 'No longer served',
    meaning: 'We stopped serving this domain and renewing its certificate.',
    todo: 'Compare your DNS with the records shown, then verify again. The domain comes back with the certificate it had.',
    symptom: 'verification-keeps-failing',
  },
};

/** The last step: the domain answers. */
export const routedHelp: Readonly<
  Record<Exclude<keyof typeof routedReasons, 'Waiting' | 'Withdrawn' | 'WriteRefused' | 'ForeignCertificate'>, HelpText>
> = {
  Routed: {
    title: 'Live',
    meaning: 'Your domain is connected and has a valid certificate.',
    todo: 'Nothing to do: keep the records as they are.',
    symptom: null,
  },
  ReadyToSwitch: {
    title: 'Ready to switch',
    meaning: 'Your certificate is here and we serve this domain already; visitors still go to your former host.',
    todo: 'Point the domain here whenever you like, by the record shown. Nobody will notice.',
    symptom: null,
  },
  NotAnswering: {
    title: 'Almost there',
    meaning: 'Your certificate has been issued; the domain starts to use it within seconds.',
    todo: 'Nothing to do. If it takes longer than ten minutes, contact support.',
    symptom: 'connection-not-private',
  },
  HeldBack: {
    title: 'New hostnames are not served yet',
    meaning: 'The platform has to change something of its own first.',
    todo: 'Nothing to do: it continues automatically once the platform has.',
    symptom: null,
  },
};
