import type { KubernetesObject } from '../../src/kubernetes/kubernetes-port.ts';
import type { Condition } from '../../src/rules/conditions.ts';

interface Observed extends KubernetesObject {
  readonly status?: { readonly observedGeneration?: number; readonly conditions?: readonly Condition[] };
}

const isTrue = ({ status }: Condition): boolean => status === 'True';

/**
 * Its published rules for kinds of others, in their order, the first that applies (github.com/kubernetes-sigs/cli-utils, pkg/kstatus: README.md,
 * "Conditions" and "The Ready condition"; status/generic.go and status/status.go: checkGenericProperties, checkReadyCondition). Flux's health checks
 * and kpt read readiness by them.
 */
const rules: readonly (readonly [applies: (object: Observed) => boolean, status: string])[] = [
  [({ metadata }) => metadata.deletionTimestamp !== undefined, 'Terminating'],
  [
    ({ metadata, status }) =>
      status?.observedGeneration !== undefined && status.observedGeneration !== metadata.generation,
    'InProgress',
  ],
  [({ status }) => has(status, 'Reconciling', isTrue), 'InProgress'],
  [({ status }) => has(status, 'Stalled', isTrue), 'Failed'],
  [({ status }) => has(status, 'Ready', (condition) => !isTrue(condition)), 'InProgress'],
];

function has(status: Observed['status'], type: string, holds: (condition: Condition) => boolean): boolean {
  return (status?.conditions ?? []).some((condition) => condition.type === type && holds(condition));
}

/** What kstatus makes of an object: an object that says nothing of itself is Current. */
export const kstatusOf = (object: Observed): string => rules.find(([applies]) => applies(object))?.[1] ?? 'Current';
