import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runHelm } from '../chart.ts';
import { findEnvoy } from '../envoy.ts';
import { controllerNamespace, edgeObjects, gateway, installKinds } from '../envoy-gateway.ts';
import type { Progress } from '../progress.ts';
import { findTool, moduleFolder } from '../tools.ts';
import type { AroundNode, NodeEdge } from './node-edge.ts';
import { imageOf } from './workloads.ts';

/** Name of the Deployment of Envoy, and of its Service. */
const envoy = 'customers';

export const envoyGatewayPrograms = async (progress: Progress) => ({
  'envoy-gateway': await findTool('envoy-gateway', progress),
  envoy: await findEnvoy(progress),
});

/** Gateway API by Envoy Gateway: its controller as its own chart installs it, and Envoy in two Pods that send to Pods. */
export const envoyGatewayOnNode: NodeEdge = Object.freeze({
  programs: envoyGatewayPrograms,
  async start(around) {
    const { kubectl, corner } = around;
    await installEnvoyGateway(around);
    await kubectl.apply(...edgeObjects(envoyProxy({ name: envoy, replicas: 2, externalAddress: corner.nodeAddress })));
    const isProgrammed = ['wait', '--for=condition=Programmed', `gateway/${gateway.name}`, '-n', gateway.namespace];
    await kubectl.run([...isProgrammed, '--timeout=180s']);
    await kubectl.run(['rollout', 'status', `deployment/${envoy}`, '-n', controllerNamespace, '--timeout=150s']);
  },
  values: { gateway: { namespace: gateway.namespace, name: gateway.name }, controller: gateway.controller },
  workload: { namespace: controllerNamespace, name: `deployment/${envoy}` },
} satisfies NodeEdge);

/** Kinds and controller; there is no GatewayClass yet. */
export async function installEnvoyGateway({ dir, tools, kubeconfig, kubectl }: AroundNode): Promise<void> {
  await installKinds(kubectl);
  const chart = await layOutChart(join(dir, 'envoy-gateway-chart'));
  const flags = ['--kubeconfig', kubeconfig, '--namespace', controllerNamespace, '--wait', '--timeout', '4m'];
  await runHelm(tools.helm, ['upgrade', '--install', 'envoy-gateway', chart, ...flags], chartValues);
}

/** Its chart as its module has it, whose values lack the names of images. */
async function layOutChart(folder: string): Promise<string> {
  const source = await moduleFolder('envoy-gateway', 'github.com/envoyproxy/gateway');
  cpSync(join(source, 'charts/gateway-helm'), folder, { recursive: true });
  const values = readFileSync(join(source, 'charts/gateway-helm/values.tmpl.yaml'), 'utf8')
    .replaceAll('${GatewayImage}', imageOf('envoy-gateway'))
    .replaceAll('${GatewayImagePullPolicy}', 'IfNotPresent');
  writeFileSync(join(folder, 'values.yaml'), values);
  return folder;
}

const chartValues = {
  crds: { enabled: false },
  topologyInjector: { enabled: false },
  deployment: { envoyGateway: { resources: { requests: { cpu: '10m', memory: '64Mi' } } } },
  config: { envoyGateway: { runtimeFlags: { enabled: ['XDSNameSchemeV2'] } } },
};

interface Envoys {
  /** of Deployment and Service; Envoy Gateway's own choice when absent */
  readonly name?: string;
  readonly replicas: number;
  /** where they answer beside their cluster IP */
  readonly externalAddress?: string;
}

/** The `spec` of an EnvoyProxy with images that are to be had, for a node with two processors. */
export const envoyProxy = ({ name, replicas, externalAddress }: Envoys): object => ({
  provider: {
    type: 'Kubernetes',
    kubernetes: {
      envoyDeployment: {
        ...(name === undefined ? {} : { name }),
        replicas,
        container: { image: imageOf('envoy'), resources: { requests: { cpu: '10m', memory: '64Mi' } } },
      },
      envoyService: {
        ...(name === undefined ? {} : { name }),
        type: 'ClusterIP',
        ...(externalAddress === undefined ? {} : { patch: patchTo(externalAddress) }),
      },
    },
  },
  shutdown: { drainTimeout: '10s', minDrainDuration: '5s' },
});

/** With `Local`, Envoy sees visitors' addresses. */
const patchTo = (address: string) => ({
  type: 'StrategicMerge',
  value: { spec: { externalIPs: [address], externalTrafficPolicy: 'Local' } },
});
