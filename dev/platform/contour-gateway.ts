import { startContour } from './contour.ts';
import { redirectPorts } from './redirected-ports.ts';
import type { Around, Edge } from './services.ts';
import { installSharedGateway, sharedGateway } from './shared-gateway.ts';

const { namespace, name } = sharedGateway;

/** Versions that the pinned bundle of Gateway API does not serve. */
const unserved = ['tlsroutes', 'tcproutes', 'backendtlspolicies'];

/** Envoy listens 8000 above the ports of the Gateway's listeners, which at the platform's own address are other programs'. */
const envoyAddress = (address: string): string => address.replace(/\d+$/, '6');
const redirected = (address: string) =>
  [80, 443].map((port) => ({ port, to: `${envoyAddress(address)}:${port + 8_000}` }));

/** Gateway API by Contour. */
export const contourGatewayEdge: Edge = Object.freeze<Edge>({
  start: (around: Around) =>
    startContour(around, {
      configuration: { disableMergeSlashes: true, gateway: { gatewayRef: { namespace, name } } },
      args: unserved.map((feature) => `--disable-feature=${feature}`),
      install: (kubectl) => installSharedGateway(kubectl, 'contour', 'projectcontour.io/gateway-controller'),
      envoyAddress,
      reach: (address) => redirectPorts(address, redirected(address), (line) => process.stderr.write(`${line}\n`)),
    }),
  routing: { ...sharedGateway, controller: 'Contour' },
});
