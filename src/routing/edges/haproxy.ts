import type { IngressController } from './controller-types.ts';
import { otherIngress } from './other.ts';

/** HAProxy's own controller (haproxytech) is told everything by its ConfigMap (docs/ingress-controllers.md). Wildcards were not tried with it. */
export const haproxyIngress: IngressController = otherIngress;
