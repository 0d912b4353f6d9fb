import type { VerdictCode } from './verdict-codes.ts';

/**
 * Every code for what a Gateway says of the objects that route a hostname. They explain why it may not be served; whether it is, its own
 * answer decides. The objects' own messages are not repeated: they may name other customers' objects.
 */
export const routeCodes = {
  HostnameConflicted: {
    meaning: 'Another listener of the Gateway has the hostname.',
    params: ['name', 'edge', 'said'],
    sentence: ({ name, edge, said }) => `another listener of ${edge} has ${name} (${said})`,
  },
  ReferenceNotGranted: {
    meaning: 'The Gateway may not follow a reference, as no ReferenceGrant allows it.',
    params: ['name', 'edge', 'said'],
    sentence: ({ name, edge, said }) => `${edge} may not follow what the route of ${name} refers to (${said})`,
  },
  CertificateNotAccepted: {
    meaning: 'The Gateway does not accept the certificate of the hostname, or does not find it.',
    params: ['name', 'edge', 'secret', 'said'],
    sentence: ({ name, edge, secret, said }) =>
      `${edge} does not accept the certificate of ${name} in Secret ${secret} (${said})`,
  },
  BackendNotFound: {
    meaning: 'The Service that the hostname leads to does not exist.',
    params: ['name', 'edge', 'service', 'said'],
    sentence: ({ name, edge, service, said }) => `${edge} does not find Service ${service} for ${name} (${said})`,
  },
  RouteNotAccepted: {
    meaning: 'The Gateway does not accept the listeners or the route of the hostname.',
    params: ['name', 'edge', 'said'],
    sentence: ({ name, edge, said }) => `${edge} does not accept the listeners or the route of ${name} (${said})`,
  },
  NoMatchingListener: {
    meaning: 'No listener of the Gateway takes the route of the hostname.',
    params: ['name', 'edge', 'said'],
    sentence: ({ name, edge, said }) => `no listener of ${edge} takes the route of ${name} (${said})`,
  },
  GatewayFull: {
    meaning: 'The Gateway has as many listeners as Gateway API permits, so the hostname has found no place in it.',
    params: ['name', 'edge'],
    sentence: ({ name, edge }) => `${edge} has as many listeners as it may have, and none is left for ${name}`,
  },
  ListenerNotProgrammed: {
    meaning: 'The Gateway accepts the listeners of the hostname, but does not serve them.',
    params: ['name', 'edge', 'said'],
    sentence: ({ name, edge, said }) => `${edge} does not serve the listeners of ${name} (${said})`,
  },
  EdgeSilent: {
    meaning: 'Nobody serves the Gateway: no controller has answered for the route of the hostname.',
    params: ['name', 'edge'],
    sentence: ({ name, edge }) => `nobody serves ${edge}: no controller has answered for the route of ${name}`,
  },
  IngressElsewhere: {
    meaning:
      'Only a warning: an Ingress that is not the platform’s has the hostname too, so the ingress controller decides which of the two visitors get.',
    params: ['name', 'object'],
    sentence: ({ name, object }) => `${object || 'an Ingress of somebody else'} has ${name} too`,
  },
  HostnameOverlaps: {
    meaning: 'Only a warning: another listener or certificate of the Gateway covers the hostname too.',
    params: ['name', 'edge'],
    sentence: ({ name, edge }) => `another listener or certificate of ${edge} covers ${name} too`,
  },
} as const satisfies Readonly<Record<string, VerdictCode>>;

export type RouteCode = keyof typeof routeCodes;

/** True for what is only to be known: the hostname is served all the same. */
export const isInformational = (code: RouteCode): boolean => code === 'HostnameOverlaps' || code === 'IngressElsewhere';

export const isRouteCode = (code: string): code is RouteCode => Object.hasOwn(routeCodes, code);
