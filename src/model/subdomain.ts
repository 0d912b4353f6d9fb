/** Subdomains that mean something to the platform itself or would mislead its customers' visitors. */
const reserved: ReadonlySet<string> = new Set([
  'admin',
  'api',
  'app',
  'autoconfig',
  'autodiscover',
  'billing',
  'cdn',
  'cname',
  'console',
  'dashboard',
  'dev',
  'docs',
  'ftp',
  'help',
  'imap',
  'internal',
  'localhost',
  'login',
  'mail',
  'mta-sts',
  'ns',
  'ns1',
  'ns2',
  'pop',
  'root',
  'security',
  'smtp',
  'static',
  'status',
  'support',
  'system',
  'test',
  'wpad',
  'www',
]);

export const isReservedSubdomain = (label: string): boolean => reserved.has(label);

/** One DNS label (RFC 1123): lower case letters, digits and inner hyphens, at most 63. */
export const isDnsLabel = (label: string): boolean => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label);
