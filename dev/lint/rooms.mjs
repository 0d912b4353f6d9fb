/**
 * The rooms of src/ and what each may import: another room, or single files of it. A room may always import itself.
 * docs/architecture.md shows the same table; lint and its test hold both.
 */
export const rooms = {
  generated: [],
  lib: [],
  resources: ['generated', 'lib/printable.ts'],
  rules: ['generated', 'resources', 'lib/backoff.ts', 'lib/heap.ts'],
  'dns/wire': ['dns'],
  'dns/lookup': ['dns', 'dns/wire', 'rules', 'lib'],
  'dns/verdict': ['dns', 'rules'],
  'dns/update': ['dns', 'dns/wire'],
  'dns/vantage': ['dns', 'rules', 'lib'],
  kubernetes: ['lib'],
  'controller-runtime': ['lib', 'kubernetes/kubernetes-port.ts', 'kubernetes/object-keys.ts'],
  routing: ['resources', 'rules', 'controller-runtime/actions.ts', 'kubernetes/kubernetes-port.ts'],
  issuing: [
    'generated',
    'resources',
    'rules',
    'controller-runtime/actions.ts',
    'acme/acme-errors.ts',
    'acme/acme-objects.ts',
  ],
  controllers: [
    'generated',
    'resources',
    'rules',
    'dns',
    'dns/verdict',
    'routing',
    'issuing',
    'own-certificate',
    'controller-runtime/actions.ts',
    'kubernetes/access-review.ts',
    'kubernetes/kubernetes-errors.ts',
    'kubernetes/kubernetes-port.ts',
    'kubernetes/object-keys.ts',
    'acme/account-key.ts',
    'acme/acme-client.ts',
    'acme/acme-clients.ts',
    'acme/acme-errors.ts',
    'acme/acme-objects.ts',
    'acme/certificate-id.ts',
    'acme/signed-body.ts',
    'lib/backoff.ts',
    'lib/bounded-map.ts',
    'lib/tracer.ts',
  ],
  acme: ['lib'],
  'own-certificate': ['rules', 'lib/printable.ts'],
  quota: ['lib'],
  'lib/redis': ['lib'],
  'redirector/redirects': ['generated', 'rules', 'lib/bounded-server.ts', 'lib/refused-request.ts'],
  'use-cases': [
    'generated',
    'resources',
    'rules',
    'own-certificate',
    'kubernetes/kubernetes-port.ts',
    'kubernetes/object-keys.ts',
    'quota/quota-port.ts',
    'lib/bounded-map.ts',
    'lib/derived-key.ts',
    'lib/sorted-texts.ts',
    'lib/time-slices.ts',
  ],
  server: [
    'generated',
    'resources',
    'rules',
    'use-cases',
    'quota/quota-port.ts',
    'lib/printable.ts',
    'lib/redis/redis-retry.ts',
  ],
  'dashboard/words': ['rules'],
  dashboard: [
    'generated',
    'rules',
    'use-cases',
    'server',
    'quota/quota-port.ts',
    'lib/derived-key.ts',
    'lib/printable.ts',
    'lib/redis/redis-retry.ts',
  ],
};

/** Types that two rooms below `dns` share; they import nothing. */
export const shared = ['dns'];

/** Where a program begins, with what it may import of other programs. All other rooms are open to it. */
export const processes = {
  operator: [],
  'api-server': [],
  redirector: [],
  vantage: [],
  cli: ['operator/config.ts'],
};

/** Rooms that decide: they are given the time, their randomness and everything else they know. */
export const pure = [
  'rules',
  'dns/verdict',
  'routing/ingress',
  'routing/edges',
  'issuing',
  'own-certificate',
  'dashboard/words',
];

/** Packages that belong to these places alone. */
export const packageHomes = {
  '@kubernetes/client-node': ['kubernetes'],
  '@opentelemetry/api': ['lib'],
  '@opentelemetry/exporter-trace-otlp-http': ['lib'],
  '@opentelemetry/resources': ['lib'],
  '@opentelemetry/sdk-trace': ['lib'],
  '@peculiar/asn1-csr': ['issuing'],
  '@peculiar/asn1-schema': ['issuing', 'acme'],
  '@peculiar/asn1-x509': ['issuing', 'acme', 'own-certificate'],
  '@prometheus-io/client': ['lib'],
  express: ['server', 'dashboard'],
  ioredis: ['lib/redis', 'quota', 'dashboard/sessions', 'dashboard/links', 'server/idempotency'],
  pino: ['lib'],
  tldts: ['rules'],
  undici: ['kubernetes', 'acme'],
};
