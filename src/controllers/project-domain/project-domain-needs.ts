import type { Dns } from '../../dns/dns-facts.ts';
import type { Tracer } from '../../lib/tracer.ts';
import type { Probe } from '../../routing/https-probe.ts';
import type { EdgeControllers } from '../../routing/route-findings.ts';
import type { TokenProbe } from '../../routing/token-probe/token-probe.ts';
import type { GatewayGuard } from '../gateway-guard.ts';
import type { RecentChecks } from './recent-checks.ts';
import type { CommonNeeds, TargetAddresses } from '../needs.ts';

/** What reconciles of this kind need of the outside. */
export interface ProjectDomainNeeds extends CommonNeeds {
  readonly dns: Dns;
  readonly tracer: Tracer;
  readonly probe: Probe;
  readonly tokenProbe: TokenProbe;
  readonly targets: TargetAddresses;
  readonly recentChecks: RecentChecks;
  /** called when a check finds the right record, with the milliseconds since the last one that did not */
  readonly observeRecordFound: (ms: number) => void;
  /** true while the caches of cert-manager's kinds hold nothing yet, or what once was */
  readonly certManagerUnavailable: () => boolean;
  /** whether nobody else can attach to the Gateway; null where none serves hostnames */
  readonly gatewayGuard: () => Promise<GatewayGuard | null>;
  /** whose the Gateways are that serve hostnames */
  readonly edgeControllers: () => Promise<EdgeControllers>;
}
