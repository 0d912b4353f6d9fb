import type { Symptom } from '../../help/state-help.ts';

/** One symptom, described from the customer's point of view. */
export interface Chapter {
  readonly title: string;
  readonly causes: readonly string[];
  readonly look: readonly string[];
  readonly steps: readonly string[];
}

export const chapters: Readonly<Record<Symptom, Chapter>> = {
  'verification-keeps-failing': {
    title: 'Verification keeps failing',
    causes: [
      'The record was created at the wrong company: what counts is the one whose name servers the domain uses, not the one that sold it.',
      'The form added your domain to a name that already had it, so the record is at www.example.com.example.com.',
      'An older record is still there: an A or AAAA record of an earlier website, a parking page, or a forwarding at your registrar.',
      'A CDN or proxy is in front, such as Cloudflare’s orange cloud, and does not lead visitors here: it needs the value shown as its origin, and the second record of type TXT.',
      'The value was cut off or belongs to another project. Every project has a value of its own.',
      'The domain itself (example.com without www), or a domain that somebody else connected before, needs a second record of type TXT.',
      'The change is new, and not all of your name servers have it yet.',
    ],
    look: [
      'The domain’s page here: “Records to create” shows what is needed, “What was found” what is there instead.',
      'The records of your domain at the company that manages your DNS: is there exactly one for this name?',
    ],
    steps: [
      'Delete what “What was found” tells you to delete.',
      'Create each record shown, with the buttons that copy name and value. Enter only the short name (www, or @).',
      'With a CDN in front: set the value shown as its origin, let it keep the Host header and the path /.well-known/, choose “Full” as its encryption towards the origin, and create the TXT record shown. If that is not possible, switch it off for this name: “DNS only”.',
      'Wait a minute. We check for records automatically: every few seconds at first, later every hour, for seven days. Verify checks at once and starts over.',
      'Nothing after an hour although the record is right? Check that the domain is paid for and that your registrar lists the name servers of the company where you created the record.',
    ],
  },
  'no-certificate': {
    title: 'No certificate after 30 minutes',
    causes: [
      'A CAA record of your domain lists who may issue certificates, and our authority is not on the list.',
      'The certificate authority does not see what we see, but an older address, often of type AAAA, or the answer of an outdated name server.',
      'A CDN or firewall in front answers the authority’s request itself.',
      'Too many attempts failed within an hour, so the next one has to wait.',
      'The certificate authority is slow or interrupted.',
    ],
    look: [
      'The reason beside the state “Verified”: it says which of these it is.',
      '“What was found”: a CAA record that is missing is shown there, ready to copy.',
    ],
    steps: [
      'Add the CAA record shown, beside those you have.',
      'Delete A and AAAA records of this name that are not listed here.',
      'Keep the records as they are; after half an hour press Re-verify. DNS is checked again and a fresh attempt is made, at most one every half hour.',
      'Still nothing after the second attempt? Tell the platform the domain and the code.',
    ],
  },
  'connection-not-private': {
    title: 'The browser says “Your connection is not private”',
    causes: [
      'The domain is not Live yet: DNS leads here already, and the certificate follows.',
      'The domain was removed or suspended, and DNS still leads here.',
      'Some visitors are led elsewhere: by an older record, usually of type AAAA, or by an answer that their network has cached.',
      'A CDN in front shows a certificate of its own, or expects one that it does not get.',
      'The name in the browser is a different one: www.example.com and example.com are two domains, and each has to be added.',
      'The certificate could not be renewed, because DNS or a CAA record changed.',
    ],
    look: [
      'The state of exactly this name in the list of domains, and how long its certificate is valid.',
      'In the browser: the name for which the certificate shown was issued.',
      'The same address on a phone without Wi-Fi: if it works there, your network has cached an old answer.',
    ],
    steps: [
      'Is the name not in the list? Add it, as a redirect to the other one if you like.',
      'Verified: wait for the certificate. Do not tell visitors to click through the warning.',
      'Degraded or Suspended: fix what the message names, then verify again. The domain comes back with the certificate it had.',
      'Live: delete records of the name that are not listed here, switch a proxy off, and wait until cached answers expire: as long as the TTL of the old record.',
    ],
  },
  'redirects-misbehave': {
    title: 'Redirects misbehave',
    causes: [
      'The destination is not Live, so visitors are not sent there: they see “the destination is not served yet” (503).',
      'The redirect itself is not Live: “nothing redirects here” (404), or the browser’s warning about the connection.',
      'Your website sends its visitors to the very name that leads back to it, so they are caught in a loop.',
      'A CDN in front speaks plain HTTP with us (“flexible” encryption), and is sent to HTTPS again and again.',
      'Your registrar forwards the domain as well.',
      'The browser has cached the redirect: it may repeat an old one for five minutes after a change.',
      'A form arrives empty: with 301 and 302 browsers may repeat the request without the form’s data; 307 and 308 keep it.',
      'The redirect leads to itself, to another redirect, or to a domain of another project.',
    ],
    look: [
      'The states of both domains: the redirect and its destination.',
      'The redirect in a private window, where nothing is cached.',
      'Settings of your own website such as “site address” or “canonical domain”.',
    ],
    steps: [
      'Get the destination to Live first; the redirect then works automatically.',
      'Let every redirect lead straight to the domain that shows the project. Path and query of the address are kept.',
      'In a loop: set the address of your website to the primary domain, and encryption at the CDN to “full”.',
      'Switch the forwarding at your registrar off and create the record shown instead.',
      'Wait five minutes after a change.',
    ],
  },
};
