import type { Symptom } from '../../../rules/codes/code-rows.ts';

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
      'An older record blocks the new one: an A or AAAA record of an earlier website, a parking page, or a forwarding at your registrar.',
      'The value differs from the one shown here. It has to match exactly, and every project has its own.',
      'The record was added at the wrong company. What counts is the one whose name servers your domain uses, which isn’t always the one that sold it.',
      'Your DNS provider added your domain to a name that already had it, so the record is at www.example.com.example.com.',
      'A root domain (example.com without www) can’t have a CNAME record. It needs ALIAS or ANAME, and not every DNS provider offers them.',
      'A root domain needs the TXT record too: all that ALIAS and ANAME leave in DNS are addresses, which many customers share, so they don’t show whose domain it is.',
      'A CDN or proxy is in front, such as Cloudflare’s orange cloud, and doesn’t forward visitors here.',
      'The change is new. Most DNS changes are visible within minutes; some take up to 48 hours.',
    ],
    look: [
      'The domain’s page: it shows each record that is needed, and what we found instead.',
      'The list of records at your DNS provider: there should be exactly one for this name.',
    ],
    steps: [
      'Delete the records that the domain’s page tells you to delete.',
      'Add each record shown, with the buttons that copy name and value. Enter only the short name, such as www or @.',
      'Your provider has neither ALIAS nor ANAME? Add the A and AAAA records with the addresses shown. Or connect www and let your registrar forward the root domain to it.',
      'With a CDN in front: set the value shown as its origin, keep the Host header, set the encryption mode to “Full”, and add the TXT record if one is shown. If that isn’t possible, switch the proxy off for this name (“DNS only”).',
      'We check automatically: every few seconds at first, every hour later on, for seven days. Verify checks immediately and starts over.',
      'Still nothing after 48 hours? Check that the domain hasn’t expired, and that your registrar lists the name servers of the company where you added the record.',
    ],
  },
  'no-certificate': {
    title: 'No certificate after 30 minutes',
    causes: [
      'The domain no longer verifies: a record was changed or deleted after the first check.',
      'A CAA record of your domain lists who may issue certificates, and our certificate authority isn’t on the list.',
      'The certificate authority sees something else than we do: an old address, often of type AAAA, or the answer of an outdated name server.',
      'A CDN or firewall in front answers the certificate authority’s request itself.',
      'Too many attempts failed within an hour, so the next one has to wait.',
      'The certificate authority is slow or unavailable.',
    ],
    look: [
      'The domain’s page: its status says which of these it is.',
      'A CAA record that is missing is shown there too, ready to copy.',
    ],
    steps: [
      'Add the CAA record shown, and keep those you have.',
      'Delete A and AAAA records of this name that aren’t listed on the page.',
      'Then select Re-verify: we check DNS again and request a new certificate. A new attempt is possible every 30 minutes.',
      'Still nothing after the second attempt? Contact support and quote the domain and the code.',
    ],
  },
  'connection-not-private': {
    title: 'The browser says “Your connection is not private”',
    causes: [
      'The certificate hasn’t been issued yet: DNS already points here, and the domain isn’t live.',
      'Your browser has cached an old certificate or an old connection, for example that of an earlier host.',
      'The domain was removed or is no longer served, and DNS still points here.',
      'Some visitors reach another server: through an old record, usually of type AAAA, or an answer that their network has cached.',
      'A CDN in front shows a certificate of its own.',
      'It’s a different name: www.example.com and example.com are two domains, and each has to be added.',
      'The certificate couldn’t be renewed because DNS or a CAA record changed.',
      'You sent us a certificate of your own, and it has ended.',
    ],
    look: [
      'The status of exactly this name in the list of domains, and when its certificate expires.',
      'In the browser: the name and the dates of the certificate that it shows.',
      'The same address in a private window, and on a phone without Wi-Fi. If it works there, your browser or network has cached something old.',
    ],
    steps: [
      'Is the name missing from the list? Add it, as a redirect to the other one if you like.',
      'In progress: wait for the certificate, usually a couple of minutes. Don’t tell visitors to click through the warning.',
      'At risk or offline: fix the problem on the domain’s page, then select Re-verify. The domain comes back with the certificate it had.',
      'Live, and only your browser complains: close it completely and open it again, or use a private window or another device.',
      'Live, and others complain: delete records of the name that aren’t listed here, and switch proxies off. Cached DNS answers expire with the TTL of the old record.',
    ],
  },
  'redirects-misbehave': {
    title: 'Redirects misbehave',
    causes: [
      'Your browser has cached an old redirect. Permanent redirects (301, 308) are cached aggressively: one from an earlier host can last for months, and it never reaches us.',
      'Ours may be cached for five minutes after you change them.',
      'The destination isn’t live, so visitors see “the destination is not served yet” (503).',
      'The redirect itself isn’t live: “nothing redirects here” (404), or a warning about the connection.',
      'Your website sends visitors to the very name that redirects back to it, which makes a loop.',
      'A CDN in front connects to us over plain HTTP (“Flexible” encryption) and is sent to HTTPS again and again.',
      'Your registrar forwards the domain as well.',
      'A form arrives empty: with 301 and 302 browsers may drop the form’s data; 307 and 308 keep it.',
      'The redirect points to itself, to another redirect, or to a domain of another project.',
    ],
    look: [
      'The redirect in a private window and on another device: what differs from your browser was cached by it.',
      'The redirect without any cache, in a terminal: curl -I https://example.com/',
      'The status of both domains: the redirect and its destination.',
      'Settings of your own website such as “site address” or “canonical domain”.',
    ],
    steps: [
      'Works in a private window? Then clear the cached data of this site in your browser. Other visitors who have the old redirect keep it until it expires.',
      'Get the destination live first; the redirect then works automatically.',
      'Point every redirect straight to the domain that shows your project. Path and query of the address are kept.',
      'In a loop: set your website’s address to the primary domain, and the encryption mode at the CDN to “Full”.',
      'Switch the forwarding at your registrar off and add the record shown instead.',
      'Choose 302 or 307 while you are trying things out, and 301 once you are sure: temporary redirects aren’t cached for long.',
    ],
  },
};
