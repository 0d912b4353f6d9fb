import type { IssueCodeRow } from './code-rows.ts';

const platformTakesCare = {
  todo: 'Nothing to do: the platform takes care of this.',
  step: { kind: null, actor: 'Platform' },
} as const;

/**
 * Every code for what a Gateway says of the objects that route a hostname. They explain why it may not be served; whether it is, its own
 * answer decides. The objects' own messages are not repeated: they may name other customers' objects.
 */
export const routeCodes = {
  HostnameConflicted: {
    ...platformTakesCare,
    definition: 'Another listener of the Gateway has the hostname.',
    params: ['name', 'edge', 'said'],
    sentence: ({ name, edge, said }) => `another listener of ${edge} has ${name} (${said})`,
    title: 'Something else on the platform has this hostname',
    meaning: 'Requests for your domain may be answered by something else.',
  },
  ReferenceNotGranted: {
    ...platformTakesCare,
    definition: 'The Gateway may not follow a reference, as no ReferenceGrant allows it.',
    params: ['name', 'edge', 'said'],
    sentence: ({ name, edge, said }) => `${edge} may not follow what the route of ${name} refers to (${said})`,
    title: 'The platform may not use a part of your domain’s setup',
    meaning: 'A right that it needs for that is missing.',
  },
  CertificateNotAccepted: {
    definition: 'The Gateway does not accept the certificate of the hostname, or does not find it.',
    params: ['name', 'edge', 'secret', 'said'],
    sentence: ({ name, edge, secret, said }) =>
      `${edge} does not accept the certificate of ${name} in Secret ${secret} (${said})`,
    title: 'The platform can’t use your certificate',
    meaning: 'Your domain’s certificate is missing where it has to be, or isn’t accepted there.',
    todo: 'If you sent us your own certificate, send another, or use automatic certificates. If not, contact support.',
    symptom: 'connection-not-private',
    step: { kind: 'replace-certificate', actor: 'Owner' },
  },
  BackendNotFound: {
    definition: 'The Service that the hostname leads to does not exist.',
    params: ['name', 'edge', 'service', 'said'],
    sentence: ({ name, edge, service, said }) => `${edge} does not find Service ${service} for ${name} (${said})`,
    title: 'Your project isn’t there',
    meaning: 'Visitors of your domain see an error, as the service that it leads to doesn’t exist.',
    todo: 'Publish your project again, the way you usually do.',
    step: { kind: 'deploy', actor: 'Owner' },
  },
  RouteNotAccepted: {
    ...platformTakesCare,
    definition: 'The Gateway does not accept the listeners or the route of the hostname.',
    params: ['name', 'edge', 'said'],
    sentence: ({ name, edge, said }) => `${edge} does not accept the listeners or the route of ${name} (${said})`,
    title: 'The platform refuses your domain',
    meaning: 'Two of its parts disagree about whether your domain may be served.',
  },
  NoMatchingListener: {
    ...platformTakesCare,
    definition: 'No listener of the Gateway takes the route of the hostname.',
    params: ['name', 'edge', 'said'],
    sentence: ({ name, edge, said }) => `no listener of ${edge} takes the route of ${name} (${said})`,
    title: 'The platform has no place for your domain yet',
    meaning: 'The part of it that serves domains doesn’t expect yours.',
  },
  GatewayFull: {
    ...platformTakesCare,
    definition: 'The Gateway has as many listeners as Gateway API permits, so the hostname has found no place in it.',
    params: ['name', 'edge'],
    sentence: ({ name, edge }) => `${edge} has as many listeners as it may have, and none is left for ${name}`,
    title: 'The platform has no place left for your domain',
    meaning: 'The part of it that serves domains is full. What is served there stays.',
  },
  ListenerNotProgrammed: {
    ...platformTakesCare,
    definition: 'The Gateway accepts the listeners of the hostname, but does not serve them.',
    params: ['name', 'edge', 'said'],
    sentence: ({ name, edge, said }) => `${edge} does not serve the listeners of ${name} (${said})`,
    title: 'The platform doesn’t serve your domain yet',
    meaning: 'It has accepted your domain, and something keeps it from serving it.',
  },
  EdgeSilent: {
    ...platformTakesCare,
    definition: 'Nobody serves the Gateway: no controller has answered for the route of the hostname.',
    params: ['name', 'edge'],
    sentence: ({ name, edge }) => `nobody serves ${edge}: no controller has answered for the route of ${name}`,
    title: 'The platform doesn’t answer for your domain',
    meaning: 'The part of it that serves domains hasn’t noticed your domain.',
  },
  IngressElsewhere: {
    ...platformTakesCare,
    definition:
      'Only a warning: an Ingress that is not the platform’s has the hostname too, so the ingress controller decides which of the two visitors get.',
    params: ['name', 'object'],
    sentence: ({ name, object }) => `${object || 'an Ingress of somebody else'} has ${name} too`,
    title: 'Another site of the platform has this domain',
    meaning: 'A second entry for this domain exists on the platform’s side, so visitors may see another site.',
  },
  HostnameOverlaps: {
    definition: 'Only a warning: another listener or certificate of the Gateway covers the hostname too.',
    params: ['name', 'edge'],
    sentence: ({ name, edge }) => `another listener or certificate of ${edge} covers ${name} too`,
    title: 'Another certificate covers this domain too',
    meaning: 'Your domain works. Browsers may use HTTP/1.1 for it.',
    todo: 'Nothing to do: this is only for your information.',
    step: { kind: null, actor: 'Platform' },
  },
} as const satisfies Readonly<Record<string, IssueCodeRow>>;

export type RouteCode = keyof typeof routeCodes;

/** True for what is only to be known: the hostname is served all the same. */
export const isInformational = (code: RouteCode): boolean => code === 'HostnameOverlaps' || code === 'IngressElsewhere';

export const isRouteCode = (code: string): code is RouteCode => Object.hasOwn(routeCodes, code);
