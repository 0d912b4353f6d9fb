import type { Kubectl } from '../../dev/platform/kubectl.ts';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import type { PlatformAction } from './platform-control.ts';

/** A workload as kubectl names it. */
export interface Workload {
  readonly namespace: string;
  /** KIND/NAME */
  readonly name: string;
}

/**
 * What a behaviour may have done to an installation in a cluster: its Deployments have no Pod for a while, and the edge's Pods, where it is known which
 * these are, are replaced one after the other. The kube-apiserver is left alone.
 */
export function clusterActions(
  kubectl: Kubectl,
  system: string,
  edge: Workload | null,
): Readonly<Partial<Record<PlatformAction, () => Promise<unknown>>>> {
  const [operator, redirector] = (['operator', 'redirector'] as const).map((component) =>
    stoppable(kubectl, { namespace: system, name: `deployment/projectdomain-${component}` }),
  ) as [Stoppable, Stoppable];
  return {
    'stop operator': operator.stop,
    'start operator': operator.start,
    'stop redirector': redirector.stop,
    'start redirector': redirector.start,
    ...(edge ? { 'restart edge': () => restart(kubectl, edge) } : {}),
  };
}

interface Stoppable {
  stop(): Promise<void>;
  start(): Promise<void>;
}

function stoppable(kubectl: Kubectl, { namespace, name }: Workload): Stoppable {
  const read = async (path: string) =>
    Number(await kubectl.run(['get', name, '-n', namespace, '-o', `jsonpath={${path}}`]));
  const scale = (replicas: number) => kubectl.run(['scale', name, '-n', namespace, `--replicas=${replicas}`]);
  let before = 1;
  return {
    async stop() {
      before = (await read('.spec.replicas')) || before;
      await scale(0);
      await eventually(`${name} has no Pod`, 60_000, async () => {
        const left = await read('.status.replicas');
        expectThat(left === 0, `${left} Pods`);
      });
    },
    async start() {
      await scale(before);
      await untilRolledOut(kubectl, { namespace, name });
    },
  };
}

async function restart(kubectl: Kubectl, workload: Workload): Promise<void> {
  await kubectl.run(['rollout', 'restart', workload.name, '-n', workload.namespace]);
  await untilRolledOut(kubectl, workload);
}

const untilRolledOut = (kubectl: Kubectl, { namespace, name }: Workload): Promise<string> =>
  eventually(`${name} is rolled out`, 60_000, () =>
    kubectl.run(['rollout', 'status', name, '-n', namespace, '--timeout=50s']),
  );
