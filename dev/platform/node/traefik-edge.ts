import { createIngressClass, ingressClass } from '../services.ts';
import type { NodeEdge } from './node-edge.ts';
import { runWorkload } from './run-workload.ts';
import { traefik } from './workloads.ts';

/** Ingresses by Traefik. */
export const traefikOnNode: NodeEdge = Object.freeze({
  programs: () => Promise.resolve({}),
  async start({ kubectl }) {
    await createIngressClass(kubectl);
    await runWorkload(kubectl, traefik(ingressClass));
  },
  values: { ingressClass },
  workload: { namespace: 'traefik', name: 'deployment/traefik' },
} satisfies NodeEdge);
