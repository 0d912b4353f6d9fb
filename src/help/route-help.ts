import type { RouteCode } from '../rules/route-codes.ts';
import type { HelpText } from './state-help.ts';

const platform = 'Nothing to do: the platform takes care of this.';

/** What the part of the platform that serves hostnames says of a domain. */
export const routeHelp: Readonly<Record<RouteCode, HelpText>> = {
  HostnameConflicted: {
    title: 'Something else on the platform has this hostname',
    meaning: 'Requests for your domain may be answered by something else.',
    todo: platform,
    symptom: null,
  },
  ReferenceNotGranted: {
    title: 'The platform may not use a part of your domain’s setup',
    meaning: 'A right that it needs for that is missing.',
    todo: platform,
    symptom: null,
  },
  CertificateNotAccepted: {
    title: 'The platform can’t use your certificate',
    meaning: 'Your domain’s certificate is missing where it has to be, or isn’t accepted there.',
    todo: 'If you sent us your own certificate, send another, or use automatic certificates. If not, contact support.',
    symptom: 'connection-not-private',
  },
  BackendNotFound: {
    title: 'Your project isn’t there',
    meaning: 'Visitors of your domain see an error, as the service that it leads to doesn’t exist.',
    todo: 'Publish your project again, the way you usually do.',
    symptom: null,
  },
  RouteNotAccepted: {
    title: 'The platform refuses your domain',
    meaning: 'Two of its parts disagree about whether your domain may be served.',
    todo: platform,
    symptom: null,
  },
  NoMatchingListener: {
    title: 'The platform has no place for your domain yet',
    meaning: 'The part of it that serves domains doesn’t expect yours.',
    todo: platform,
    symptom: null,
  },
  GatewayFull: {
    title: 'The platform has no place left for your domain',
    meaning: 'The part of it that serves domains is full. What is served there stays.',
    todo: platform,
    symptom: null,
  },
  ListenerNotProgrammed: {
    title: 'The platform doesn’t serve your domain yet',
    meaning: 'It has accepted your domain, and something keeps it from serving it.',
    todo: platform,
    symptom: null,
  },
  EdgeSilent: {
    title: 'The platform doesn’t answer for your domain',
    meaning: 'The part of it that serves domains hasn’t noticed your domain.',
    todo: platform,
    symptom: null,
  },
  IngressElsewhere: {
    title: 'Another site of the platform has this domain',
    meaning: 'A second entry for this domain exists on the platform’s side, so visitors may see another site.',
    todo: platform,
    symptom: null,
  },
  HostnameOverlaps: {
    title: 'Another certificate covers this domain too',
    meaning: 'Your domain works. Browsers may use HTTP/1.1 for it.',
    todo: 'Nothing to do: this is only for your information.',
    symptom: null,
  },
};
