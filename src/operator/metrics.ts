import { cacheGauges, dnsCheckMetrics, readyGauge } from '../lib/common-metrics.ts';
import type { CacheFigures } from '../lib/common-metrics.ts';
import type { GaugeRow, GaugeValues } from '../lib/metrics.ts';
import { createProcessMetrics } from '../lib/process-metrics.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import type { StoreEvent } from '../kubernetes/store.ts';
import { stateEntries } from '../rules/timeline.ts';

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

/** Values of the gauges that have a label, by the names that their rows have for them. */
type GaugeSources = Readonly<Record<(typeof gauges)[number][3], () => GaugeValues>>;

/** Values that are read on each scrape. */
interface MetricSources extends CacheFigures, GaugeSources {
  readonly isReady: () => boolean;
  readonly isLeading: () => boolean;
  readonly certManagerUnavailable: () => boolean;
  /** between two looks at a served domain, milliseconds */
  readonly driftInterval: () => number;
  /** how late the DNS check is that has been due longest, milliseconds */
  readonly checkLag: () => number;
  /** failing domains that are not degraded or suspended because of a mass failure; normally 0 */
  readonly suspensionsHeld: () => number;
  /** seconds; rows by controller and priority */
  readonly queueAges: () => readonly GaugeRow[];
  /** rows by controller and statistic */
  readonly stretch: () => readonly GaugeRow[];
}

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

export type OperatorMetrics = ReturnType<typeof createOperatorMetrics>;

/** The operator's metrics. */
export function createOperatorMetrics(sources: MetricSources) {
  const metrics = createProcessMetrics();
  const { counter, histogram, figure, gauge, table } = metrics;
  for (const [name, help, label, source] of gauges) gauge(name, help, label, sources[source]);
  for (const [name, help, read] of figures) figure(name, help, () => read(sources));
  cacheGauges(metrics, sources);
  readyGauge(metrics, 'operator', sources.isReady);
  table(
    'projectdomain_queue_age_seconds',
    'How long the key that is due longest has waited for a worker.',
    ['controller', 'priority'],
    sources.queueAges,
  );
  table(
    'projectdomain_recheck_stretch',
    'By what factor intervals between rechecks are stretched: largest of an account, and mean over rechecks.',
    ['controller', 'statistic'],
    sources.stretch,
  );
  gauge(
    'projectdomain_neighbour_away',
    'Whether cert-manager does not answer: 1 or 0.',
    'neighbour',
    () => new Map([['cert-manager', Number(sources.certManagerUnavailable())]]),
  );
  const reconciles = counter('projectdomain_reconcile_total', 'Reconciles by controller and result.', [
    'controller',
    'result',
  ]);
  const duration = histogram(
    'projectdomain_reconcile_seconds',
    'Duration of reconciles.',
    [0.001, 0.005, 0.02, 0.1, 0.5, 2, 6, 20],
    ['controller'],
  );
  const vantageAnswers = counter('projectdomain_vantage_answers_total', 'Checks at remote vantage points by result.', [
    'vantage_point',
    'result',
  ]);
  const tokens = counter(
    'projectdomain_token_requests_total',
    'Requests for tokens through what is in front of hostnames, by answer.',
    ['answer'],
  );
  const live = histogram(
    'projectdomain_add_to_live_seconds',
    'Time from Add to the first Live.',
    [2.5, 5, 10, 20, 40, 60, 120, 300, 900, 3_600, 21_600, 86_400, 604_800],
  );
  const verified = histogram(
    'projectdomain_record_to_verified_seconds',
    'Time from the last check without the right record to Verified.',
    [1, 5, 10, 30, 60, 300, 900, 3_600],
  );
  const served = histogram(
    'projectdomain_verified_to_live_seconds',
    'Time from Verified to the first Live.',
    [1, 2.5, 5, 10, 20, 40, 60, 120, 300, 900, 3_600],
  );
  return {
    ...metrics,
    reconcile: ({ name, failed, ms }: { readonly name: string; readonly failed: boolean; readonly ms: number }) => {
      reconciles({ controller: name, result: failed ? 'error' : 'ok' });
      duration(ms, { controller: name });
    },
    dnsCheck: dnsCheckMetrics(metrics),
    /** `silence` is why a remote vantage point gave no facts; null when it did */
    vantageAnswer: ({ vantagePoint, silence }: { readonly vantagePoint: string; readonly silence: string | null }) =>
      vantageAnswers({ vantage_point: vantagePoint, result: silence ?? 'facts' }),
    tokenAnswer: (answer: string) => tokens({ answer }),
    revocation: counter(
      'projectdomain_certificates_revoked_total',
      'Certificates that were to be revoked, by reason and by how that ended.',
      ['reason', 'result'],
    ),
    refusedWrite: counter(
      'projectdomain_refused_writes_total',
      'Writes that the kube-apiserver refused, by kind of object and by why.',
      ['kind', 'code'],
    ),
    /** from Add to the first Live, milliseconds */
    live: (ms: number) => live(ms, {}),
    /** from the last check without the right record to Verified, milliseconds: an upper bound of what finding it took */
    verified: (ms: number) => verified(ms, {}),
    /** from Verified to the first Live, milliseconds: how long the customer waits for us */
    served: (ms: number) => served(ms, {}),
  };
}

/** Measures how long customers wait, from changes of the status. */
export function measureProgress({ object, previous }: StoreEvent<ProjectDomain>, metrics: OperatorMetrics): void {
  const before = previous?.status?.state;
  if (before === undefined || before === object.status?.state) return;
  measureLive(object, metrics);
}

/** From Add to Live and from Verified to Live, the first time. */
function measureLive({ metadata, status }: ProjectDomain, metrics: OperatorMetrics): void {
  const states = stateEntries(status?.timeline ?? []);
  const lives = states.filter(({ state }) => state === 'Live');
  const [first, ...again] = lives;
  if (status?.state !== 'Live' || !first || again.length > 0) return;
  metrics.live(Date.parse(first.at) - Date.parse(metadata.creationTimestamp ?? first.at));
  const proven = states.findLast(({ state }) => state === 'Verified');
  if (proven) metrics.served(Date.parse(first.at) - Date.parse(proven.at));
}
