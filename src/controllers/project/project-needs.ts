import type { Probe } from '../../routing/https-probe.ts';
import type { EdgeControllers } from '../../routing/route-findings.ts';
import type { GatewayGuard } from '../gateway-guard.ts';
import type { ForeignLooks } from './foreign-looks.ts';
import type { CommonNeeds } from '../needs.ts';

/** What reconciles of this kind need of the outside. */
export interface ProjectNeeds extends CommonNeeds {
  readonly probe: Probe;
  readonly foreignLooks: ForeignLooks;
  /** whether nobody else can attach to the Gateway; null where none serves hostnames */
  readonly gatewayGuard: () => Promise<GatewayGuard | null>;
  /** whose the Gateways are that serve hostnames */
  readonly edgeControllers: () => Promise<EdgeControllers>;
}
