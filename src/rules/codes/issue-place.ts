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
