import { Counter, Histogram, Registry } from '@prometheus-io/client';
import { cacheGauges, dnsCheckMetrics, figure, gauge, gaugeTable, readyGauge } from '../lib/gauges.ts';
import type { CacheFigures, DnsCheckCost, GaugeRow, GaugeValues } from '../lib/gauges.ts';
import type { ProcessMetrics } from '../lib/process-metrics.ts';
import { createProcessMetrics } from '../lib/process-metrics.ts';

/** The operator's metrics. */
export interface OperatorMetrics extends ProcessMetrics {
  readonly reconcile: (reconcile: { readonly name: string; readonly failed: boolean; readonly ms: number }) => void;
  readonly dnsCheck: (cost: DnsCheckCost) => void;
  /** `silence` is why a remote vantage point gave no facts; null when it did */
  readonly vantageAnswer: (answer: { readonly vantagePoint: string; readonly silence: string | null }) => void;
  readonly tokenAnswer: (answer: string) => void;
  /** how the revocation of a certificate ended */
  readonly revocation: (ended: { readonly reason: string; readonly result: string }) => void;
  /** a write that the cluster refused, by the kind of object and the code of the refusal */
  readonly refusedWrite: (refusal: { readonly kind: string; readonly code: string }) => void;
  /** from Add to the first Live, milliseconds */
  readonly live: (ms: number) => void;
  /** from the last check without the right record to Verified, milliseconds: an upper bound of what finding it took */
  readonly verified: (ms: number) => void;
  /** from Verified to the first Live, milliseconds: how long the customer waits for us */
  readonly served: (ms: number) => void;
  readonly text: () => Promise<string>;
}

/** Values that are read on each scrape. */
export interface MetricSources extends CacheFigures {
  readonly isReady: () => boolean;
  readonly isLeading: () => boolean;
  readonly certManagerUnavailable: () => boolean;
  readonly domainsByState: () => GaugeValues;
  readonly certificates: () => GaugeValues;
  readonly issuance: () => GaugeValues;
  readonly platformHostnames: () => GaugeValues;
  readonly orders: () => GaugeValues;
  readonly unconfirmed: () => GaugeValues;
  readonly revocations: () => GaugeValues;
  readonly ledger: () => GaugeValues;
  readonly acmeAccounts: () => GaugeValues;
  readonly acmeOrdersLeft: () => GaugeValues;
  readonly checked: () => GaugeValues;
  /** between two looks at a served domain, milliseconds */
  readonly driftInterval: () => number;
  /** how late the DNS check is that has been due longest, milliseconds */
  readonly checkLag: () => number;
  /** failing domains that are not degraded or suspended because of a mass failure; normally 0 */
  readonly suspensionsHeld: () => number;
  readonly depth: () => ReadonlyMap<string, number>;
  readonly slow: () => ReadonlyMap<string, number>;
  /** seconds; rows by controller and priority */
  readonly queueAges: () => readonly GaugeRow[];
  /** rows by controller and statistic */
  readonly stretch: () => readonly GaugeRow[];
}

/** Gauges that are read on each scrape: name, help, label and source. */
const gauges = [
  ['projectdomain_domains', 'ProjectDomains by state.', 'state', 'domainsByState'],
  ['projectdomain_certificates', 'Issued certificates by remaining validity.', 'left', 'certificates'],
  ['projectdomain_issuance', 'ProjectDomains by reason of CertificateIssued.', 'reason', 'issuance'],
  ['projectdomain_platform_hostnames', 'Projects by reason of Routed.', 'reason', 'platformHostnames'],
  ['projectdomain_orders', 'Certificate orders of the last three hours by outcome.', 'outcome', 'orders'],
  ['projectdomain_order_ledger', "The issuer's window: orders used and left, requests waiting.", 'figure', 'ledger'],
  ['projectdomain_acme_accounts', 'Accounts of AcmeIssuers by whether they can be used.', 'state', 'acmeAccounts'],
  [
    'projectdomain_acme_orders_left',
    'Orders left in the window of each account of the AcmeIssuer.',
    'account',
    'acmeOrdersLeft',
  ],
  ['projectdomain_revocations', 'Hostnames with certificates that have still to be revoked.', 'state', 'revocations'],
  ['projectdomain_renewals_unconfirmed', 'Renewals approved on the last known answer of DNS.', 'within', 'unconfirmed'],
  [
    'projectdomain_dns_checked',
    'ProjectDomains checked within the hour, by whether the hostname points here.',
    'routing',
    'checked',
  ],
  ['projectdomain_queue_depth', 'Keys that are due, without the slow lane.', 'controller', 'depth'],
  [
    'projectdomain_queue_slow',
    'Keys that are due in the slow lane: their last reconcile took long.',
    'controller',
    'slow',
  ],
] as const;

/** Gauges without labels, likewise. */
const figures: readonly (readonly [name: string, help: string, read: (sources: MetricSources) => number])[] = [
  [
    'projectdomain_drift_interval_seconds',
    'Time between two DNS checks of a served domain: how late the loss of a record is noticed.',
    (sources) => sources.driftInterval() / 1_000,
  ],
  ['projectdomain_leader', 'Whether this process leads: 1 or 0.', (sources) => Number(sources.isLeading())],
  [
    'projectdomain_suspensions_held',
    'Failing served domains that are not degraded or suspended because too many fail at once; normally 0.',
    (sources) => sources.suspensionsHeld(),
  ],
  [
    'projectdomain_dns_check_lag_seconds',
    'How late the scheduled DNS check is that has been due longest.',
    (sources) => sources.checkLag() / 1_000,
  ],
];

export function createOperatorMetrics(sources: MetricSources): OperatorMetrics {
  const registry = new Registry();
  const process = createProcessMetrics(registry);
  const registers = [registry];
  const reconciles = new Counter({
    name: 'projectdomain_reconcile_total',
    help: 'Reconciles by controller and result.',
    labelNames: ['controller', 'result'],
    registers,
  });
  const duration = new Histogram({
    name: 'projectdomain_reconcile_seconds',
    help: 'Duration of reconciles.',
    labelNames: ['controller'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 6, 20],
    registers,
  });
  const dnsCheck = dnsCheckMetrics(registers);
  const vantageAnswers = new Counter({
    name: 'projectdomain_vantage_answers_total',
    help: 'Checks at remote vantage points by result.',
    labelNames: ['vantage_point', 'result'],
    registers,
  });
  const tokens = new Counter({
    name: 'projectdomain_token_requests_total',
    help: 'Requests for tokens through what is in front of hostnames, by answer.',
    labelNames: ['answer'],
    registers,
  });
  const revocations = new Counter({
    name: 'projectdomain_certificates_revoked_total',
    help: 'Certificates that were to be revoked, by reason and by how that ended.',
    labelNames: ['reason', 'result'],
    registers,
  });
  const refusals = new Counter({
    name: 'projectdomain_refused_writes_total',
    help: 'Writes that the kube-apiserver refused, by kind of object and by why.',
    labelNames: ['kind', 'code'],
    registers,
  });
  const live = new Histogram({
    name: 'projectdomain_add_to_live_seconds',
    help: 'Time from Add to the first Live.',
    buckets: [2.5, 5, 10, 20, 40, 60, 120, 300, 900, 3_600, 21_600, 86_400, 604_800],
    registers,
  });
  const verified = new Histogram({
    name: 'projectdomain_record_to_verified_seconds',
    help: 'Time from the last check without the right record to Verified.',
    buckets: [1, 5, 10, 30, 60, 300, 900, 3_600],
    registers,
  });
  const served = new Histogram({
    name: 'projectdomain_verified_to_live_seconds',
    help: 'Time from Verified to the first Live.',
    buckets: [1, 2.5, 5, 10, 20, 40, 60, 120, 300, 900, 3_600],
    registers,
  });
  for (const [name, help, label, source] of gauges) gauge(registers, { name, help, label, values: sources[source] });
  cacheGauges(registers, sources);
  gaugeTable(registers, {
    name: 'projectdomain_queue_age_seconds',
    help: 'How long the key that is due longest has waited for a worker.',
    labels: ['controller', 'priority'],
    rows: sources.queueAges,
  });
  gaugeTable(registers, {
    name: 'projectdomain_recheck_stretch',
    help: 'By what factor intervals between rechecks are stretched: largest of an account, and mean over rechecks.',
    labels: ['controller', 'statistic'],
    rows: sources.stretch,
  });
  for (const [name, help, read] of figures) figure(registers, { name, help, value: () => read(sources) });
  gauge(registers, {
    name: 'projectdomain_neighbour_away',
    help: 'Whether cert-manager does not answer: 1 or 0.',
    label: 'neighbour',
    values: () => new Map([['cert-manager', Number(sources.certManagerUnavailable())]]),
  });
  readyGauge(registers, { process: 'operator', isReady: sources.isReady });
  return {
    ...process,
    reconcile({ name, failed, ms }) {
      reconciles.inc({ controller: name, result: failed ? 'error' : 'ok' });
      duration.observe({ controller: name }, ms / 1_000);
    },
    dnsCheck,
    vantageAnswer: ({ vantagePoint, silence }) =>
      vantageAnswers.inc({ vantage_point: vantagePoint, result: silence ?? 'facts' }),
    tokenAnswer: (answer) => tokens.inc({ answer }),
    revocation: (ended) => revocations.inc({ ...ended }),
    refusedWrite: (refusal) => refusals.inc({ ...refusal }),
    live: (ms) => live.observe(ms / 1_000),
    verified: (ms) => verified.observe(ms / 1_000),
    served: (ms) => served.observe(ms / 1_000),
    text: () => registry.metrics(),
  };
}
