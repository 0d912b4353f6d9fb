import { wildcardLabel } from './claim-name.ts';
import { isALabel, labelObjection } from './hostname.ts';

/** Characters of one DNS label (RFC 1035, section 2.3.4). */
export const subdomainLength = 63;

/**
 * Subdomains that the platform itself uses or that would mislead visitors: hosts that protocols and administrators
 * expect (RFC 2142 mailboxes, mail, name servers, discovery), and words that make a page look official. The list is
 * kept here because packages with such lists have had no release for years and contain names of other products.
 */
const reserved: ReadonlySet<string> = new Set(
  `
  about abuse account accounts acme admin alert alerts analytics api app assets auth autoconfig
  autodiscover backup bank beta billing bot broadcasthost cdn chat checkout ci cname config console
  contact control controlpanel corp cpanel dashboard db deploy dev dns docs download downloads email
  enterprise files ftp gateway git github gitlab google grafana graphql healthz help hostmaster id
  identity imap info internal intranet invoice invoices ipv4 ipv6 isatap kubernetes ldap legal license
  localhost login mail mail1 mail2 mailer metrics monitor monitoring mta-sts mx mx1 mx2 my
  mysql no-reply noc noreply ns ns1 ns2 ns3 ns4 oauth office official ops order
  orders owa password pay payment payments paypal phpmyadmin pop pop3 portal postmaster preview private
  prod production prometheus proxy recovery register registry relay remote reset root sandbox secure security
  service services sftp sign-in signin signout signup sip smtp smtp1 smtp2 ssh ssl sso
  staff stage staging static stats status storage subscribe support sys sysadmin system telnet test
  tls tools trust uat update updates upload usercontent vault verify vpn web webdisk webhook
  webhooks webmail webmaster whm whois wiki wpad ww www www1 www2 wwww
  ${wildcardLabel}
  `
    .trim()
    .split(/\s+/),
);

export const isReservedSubdomain = (label: string): boolean => reserved.has(label);

/**
 * Why a text cannot be a project's subdomain, as a sentence; null where it can. It is one label of a hostname, by the same rule as customers'
 * hostnames, and no A-label: below the platform's own domain one that looks like a reserved subdomain would mislead as that does. The
 * schema of Projects says the same (crds/project.yaml).
 */
export function subdomainObjection(text: string): string | null {
  if (isALabel(text)) return `'${text}' is an A-label, which only a domain of one's own may have`;
  return labelObjection(text);
}
