import { linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../lib/eventually.ts';
import { outputOf } from '../lib/output.ts';
import { findEnvoy } from './envoy.ts';
import type { Kubectl } from './kubectl.ts';
import { startRestartable } from './process.ts';
import type { Around, Edge, EdgeOptions, StartedEdge } from './services.ts';
import { canConnect, installGatewayKinds, startedEdge } from './services.ts';
import { findTool, moduleFolder } from './tools.ts';

/** The Gateway that the operator is told. */
export const gateway = {
  kind: 'Gateway',
  namespace: 'edge',
  name: 'customers',
  controller: 'EnvoyGateway',
} as const;

export const controllerNamespace = 'envoy-gateway-system';
const own = { apiVersion: 'gateway.envoyproxy.io/v1alpha1' } as const;
const standard = { apiVersion: 'gateway.networking.k8s.io/v1' } as const;
/** Of all addresses, as others are that it has: nothing moves them, so a machine has one Envoy Gateway at a time. */
const healthPort = 8_081;
/** In Envoy's arguments: ports of its own that the controller has too, and what a Pod would be told. */
const replacements: Readonly<Record<string, string>> = {
  'port_value: 19000': 'port_value: 19100',
  'port_value: 19001': 'port_value: 19101',
  'port_value: 19003': 'port_value: 19103',
  'envoy-gateway.envoy-gateway-system.svc.cluster.local.': '127.0.0.1',
  '$(ENVOY_POD_NAME)': 'envoy',
  '$(ENVOY_SERVICE_ZONE)': 'here',
};

/**
 * Envoy Gateway on ports 80 and 443: its controller, and an Envoy as its Deployment says, as there is nobody who runs Pods. It sends to
 * cluster IPs. Root needed: the controller reads its certificates from a place that is fixed, so it has a root folder of its own.
 */
async function startEnvoyGateway(around: Around, { isAlone = false }: EdgeOptions = {}): Promise<StartedEdge> {
  const { dir, corner, kubeconfig, kubectl } = around;
  const progress = (line: string) => process.stderr.write(`${line}\n`);
  const [program, envoyProgram] = [await findTool('envoy-gateway', progress), await findEnvoy(progress)];
  await installKinds(kubectl);
  await outputOf(program, ['certgen', '--disable-topology-injector'], {
    env: { ...process.env, KUBECONFIG: kubeconfig },
  });
  const root = join(dir, 'envoy-gateway');
  await layOutRoot(root, { program, kubectl });
  const controller = await startRestartable({
    name: 'envoy-gateway',
    program: 'chroot',
    dir,
    args: [root, '/envoy-gateway', 'server', '--config-path', '/config.yaml'],
    env: { KUBECONFIG: '/kubeconfig', ENVOY_GATEWAY_NAMESPACE: controllerNamespace },
    ready: async () =>
      (await fetch(`http://127.0.0.1:${healthPort}/readyz`, { signal: AbortSignal.timeout(1_000) })).ok,
  });
  const orStop = async <T>(work: Promise<T>): Promise<T> =>
    work.catch(async (error: unknown) => {
      await controller.stop();
      throw error;
    });
  const objects = [...edgeObjects(proxyOfThisMachine), ...(isAlone ? [] : addressPatches(corner.address))];
  const args = await orStop(kubectl.apply(...objects).then(() => envoyArguments(kubectl, root)));
  const envoy = await orStop(
    startRestartable({ name: 'envoy', program: envoyProgram, dir, args, ready: () => canConnect(corner.address, 80) }),
  );
  return startedEdge([controller, envoy]);
}

/** Gateway API's kinds and its own, and the namespaces of its controller and of the Gateway. */
export async function installKinds(kubectl: Kubectl): Promise<void> {
  await installGatewayKinds(kubectl);
  const source = await moduleFolder('envoy-gateway', 'github.com/envoyproxy/gateway');
  const kinds = join(source, 'charts/gateway-helm/charts/crds/crds/generated');
  await kubectl.run(['apply', '--server-side', '-f', kinds]);
  await kubectl.untilEstablished();
  for (const name of [controllerNamespace, gateway.namespace])
    await kubectl.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
}

interface RootOptions {
  readonly program: string;
  readonly kubectl: Kubectl;
}

/** What the controller sees as its file system. */
async function layOutRoot(root: string, { program, kubectl }: RootOptions): Promise<void> {
  // One of before is gone with its edge.
  rmSync(root, { recursive: true, force: true });
  mkdirSync(join(root, 'tmp'), { recursive: true });
  linkSync(program, join(root, 'envoy-gateway'));
  writeFileSync(join(root, 'kubeconfig'), await kubectl.run(['config', 'view', '--raw', '--flatten']), { mode: 0o600 });
  writeFileSync(join(root, 'config.yaml'), JSON.stringify(configuration));
  await writeCertificates(kubectl, 'envoy-gateway', join(root, 'certs'));
  await writeCertificates(kubectl, 'envoy', join(root, 'envoy'));
}

const configuration = {
  ...own,
  kind: 'EnvoyGateway',
  gateway: { controllerName: 'gateway.envoyproxy.io/gatewayclass-controller' },
  provider: {
    type: 'Kubernetes',
    kubernetes: { leaderElection: { disable: true }, proxyTopologyInjector: { disabled: true } },
  },
  extensionApis: { enableEnvoyPatchPolicy: true },
  runtimeFlags: { enabled: ['XDSNameSchemeV2'] },
};

interface TlsSecret {
  readonly data: Readonly<Record<string, string>>;
}

/** The content of a Secret, a file for each key. */
async function writeCertificates(kubectl: Kubectl, secret: string, folder: string): Promise<void> {
  const { data } = (await kubectl.get<TlsSecret>('secret', secret, controllerNamespace)) ?? { data: {} };
  mkdirSync(folder, { recursive: true });
  for (const [name, value] of Object.entries(data))
    writeFileSync(join(folder, name), Buffer.from(value, 'base64'), { mode: 0o600 });
}

const inEdge = (name: string) => ({ namespace: gateway.namespace, name });
const toGateway = { group: 'gateway.networking.k8s.io', kind: 'Gateway', name: gateway.name } as const;

/** What the controller is told about Envoy: it runs no Pod of it here, and Pods' addresses lead nowhere. */
const proxyOfThisMachine = {
  provider: {
    type: 'Kubernetes',
    kubernetes: { useListenerPortAsContainerPort: true, envoyService: { type: 'ClusterIP' } },
  },
  routingType: 'Service',
};

/** A GatewayClass, and what it says about Envoy: the `spec` of an EnvoyProxy. */
export const classObjects = (name: string, proxy: object): readonly object[] => [
  { ...own, kind: 'EnvoyProxy', metadata: inEdge(name), spec: proxy },
  {
    ...standard,
    kind: 'GatewayClass',
    metadata: { name },
    spec: {
      controllerName: configuration.gateway.controllerName,
      parametersRef: { group: 'gateway.envoyproxy.io', kind: 'EnvoyProxy', ...inEdge(name) },
    },
  },
];

/** As docs/edges.md has them; `proxy` is the `spec` of the EnvoyProxy. */
export function edgeObjects(proxy: object): readonly object[] {
  const accounts = { matchExpressions: [{ key: 'projectdomain.io/account', operator: 'Exists' }] };
  const token = { matchLabels: { 'kubernetes.io/metadata.name': 'projectdomain-system' } };
  return [
    ...classObjects('envoy', proxy),
    {
      ...standard,
      kind: 'Gateway',
      metadata: inEdge(gateway.name),
      spec: {
        gatewayClassName: 'envoy',
        allowedListeners: { namespaces: { from: 'Selector', selector: accounts } },
        listeners: [
          {
            name: 'http',
            protocol: 'HTTP',
            port: 80,
            allowedRoutes: { namespaces: { from: 'Selector', selector: token } },
          },
        ],
      },
    },
    {
      ...own,
      kind: 'ClientTrafficPolicy',
      metadata: inEdge('paths-as-they-are'),
      spec: { targetRefs: [toGateway], path: { escapedSlashesAction: 'KeepUnchanged', disableMergeSlashes: true } },
    },
    {
      ...own,
      kind: 'BackendTrafficPolicy',
      metadata: inEdge('answers-that-take-long'),
      spec: { targetRefs: [toGateway], timeout: { http: { requestTimeout: '0s' } } },
    },
  ];
}

/** Envoy listens at one address of this machine alone. The more hostnames there are, the more each change costs with these. */
const addressPatches = (address: string): readonly object[] =>
  [80, 443].map((port) => ({
    ...own,
    kind: 'EnvoyPatchPolicy',
    metadata: inEdge(`address-${port}`),
    spec: {
      targetRef: toGateway,
      type: 'JSONPatch',
      jsonPatches: [
        {
          type: 'type.googleapis.com/envoy.config.listener.v3.Listener',
          name: `tcp-${port}`,
          operation: { op: 'replace', path: '/address/socket_address/address', value: address },
        },
      ],
    },
  }));

interface EnvoyDeployment {
  readonly spec: {
    readonly template: {
      readonly spec: { readonly containers: readonly { readonly name: string; readonly args?: readonly string[] }[] };
    };
  };
}

/** How the controller's Deployment runs Envoy, with addresses and paths of this machine. */
async function envoyArguments(kubectl: Kubectl, root: string): Promise<readonly string[]> {
  const selector = `gateway.envoyproxy.io/owning-gateway-name=${gateway.name}`;
  const find = ['get', 'deployments', '-n', controllerNamespace, '-l', selector, '-o', 'json'];
  const args = await eventually('the Deployment of Envoy is there', 60_000, async () => {
    const { items } = JSON.parse(await kubectl.run(find)) as { readonly items: readonly EnvoyDeployment[] };
    const found = items[0]?.spec.template.spec.containers.find(({ name }) => name === 'envoy')?.args;
    if (!found) throw new Error('it is not');
    return found;
  });
  const settings = writeSecretSettings(join(root, 'envoy'));
  return args.map((arg) =>
    [...Object.entries(replacements), ...Object.entries(settings)].reduce(
      (text, [given, here]) => text.replaceAll(given, here),
      arg,
    ),
  );
}

/** What Envoy reads of its certificates, by the path that the controller gives it. */
function writeSecretSettings(folder: string): Readonly<Record<string, string>> {
  const secrets = {
    'xds-trusted-ca': {
      validation_context: {
        trusted_ca: { filename: join(folder, 'ca.crt') },
        match_typed_subject_alt_names: [{ san_type: 'DNS', matcher: { exact: 'envoy-gateway' } }],
      },
    },
    'xds-certificate': {
      tls_certificate: {
        certificate_chain: { filename: join(folder, 'tls.crt') },
        private_key: { filename: join(folder, 'tls.key') },
      },
    },
  };
  const type = 'type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.Secret';
  const paths = Object.entries(secrets).map(([name, secret]) => {
    const file = join(folder, `${name}.json`);
    const resource = { '@type': type, name: name.replaceAll('-', '_'), ...secret };
    writeFileSync(file, JSON.stringify({ resources: [resource] }));
    return [`/sds/${name}.json`, file] as const;
  });
  return Object.fromEntries(paths);
}

/** Gateway API by Envoy Gateway. */
export const envoyGatewayEdge: Edge = Object.freeze({ start: startEnvoyGateway, routing: gateway });
