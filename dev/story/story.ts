import { eventually, expectThat } from '../lib/eventually.ts';
import { quota, redirectLive, removed } from './rest-steps.ts';
import type { Stage } from './stage.ts';
import { inState } from './stage.ts';

/** One step of the story; `play` resolves with a line for people once the world shows it. */
export interface Step {
  readonly name: string;
  play(stage: Stage): Promise<string>;
}

/** Ways to make the story go wrong, to see that it notices. */
export interface FaultInjection {
  /** what customers put in place of the right target */
  readonly target?: string;
  /** the customer never mends the CAA record */
  readonly keepCaa?: boolean;
  /** the Free account that is metered, in place of tiny: its minute is used up once */
  readonly freeAccount?: string;
}

const patienceForOthersMs = 5_000;
const caDomain = 'pebble.projectdomain.test';
const verifyAnnotation = 'projectdomain.io/verify-requested-at';
const api = 'projectdomain.io/v1alpha1';

const project = (namespace: string, name: string, service: string) => ({
  apiVersion: api,
  kind: 'Project',
  metadata: { name, namespace },
  spec: { service: { name: service, port: 8080 } },
});

const projectDomain = (namespace: string, hostname: string, projectName: string) => ({
  apiVersion: api,
  kind: 'ProjectDomain',
  metadata: { name: hostname, namespace },
  spec: { project: projectName, hostname },
});

const shopDomain = 'www.example.com';
const blogDomain = 'example.org';

/** From an applied ProjectDomain to trusted HTTPS, and what must not happen on the way. */
export function story(faultInjection: FaultInjection = {}): readonly Step[] {
  return [
    { name: 'platform-hostname', play: platformHostname },
    { name: 'record-shown', play: recordShown },
    { name: 'stray-address', play: strayAddress },
    { name: 'verified', play: (stage) => verified(stage, faultInjection) },
    { name: 'caa-forbids', play: caaForbids },
    { name: 'live', play: (stage) => live(stage, faultInjection) },
    { name: 'apex-live', play: apexLive },
    { name: 'free-plan', play: freePlan },
    { name: 'never-deployed', play: neverDeployed },
    { name: 'held-elsewhere', play: heldElsewhere },
    { name: 'redirect-live', play: redirectLive },
    { name: 'quota', play: (stage) => quota(stage, faultInjection.freeAccount ?? 'tiny') },
    { name: 'removed', play: removed },
  ];
}

async function platformHostname(stage: Stage): Promise<string> {
  await stage.account('acme', 'pro');
  const tenant = await stage.tenant('acme', 'shop-web');
  await tenant.becomeReady();
  await stage.applied(project('acme', 'shop', 'shop-web'));
  const hostname = `shop.${stage.facts.platformDomain}`;
  await stage.answers(hostname, 'shop-web');
  return `https://${hostname}/ answers`;
}

async function recordShown(stage: Stage): Promise<string> {
  await stage.putZone('example.com', `@ CAA 0 issue "somebody-else.test"`);
  await stage.applied(projectDomain('acme', shopDomain, 'shop'));
  const { status } = await stage.domainWhere('acme', shopDomain, 'is Unverified and shows its record', (domain) =>
    domain.status?.records?.length ? inState('Unverified', 'RecordMissing')(domain) : 'no records yet',
  );
  const [record] = status?.records ?? [];
  const target = await targetOf(stage, 'acme', 'shop');
  expectThat(
    record?.type === 'CNAME' && record.name === 'www' && record.value === target,
    `shows ${JSON.stringify(record)}`,
  );
  const table = await stage.kubectl.run(['get', 'projectdomains', '-n', 'acme']);
  return `create: ${record.fqdn} ${record.type} ${record.value}\n${table.trimEnd()}`;
}

async function targetOf(stage: Stage, namespace: string, name: string): Promise<string> {
  return eventually(`project ${name} has a target`, patienceForOthersMs, async () => {
    const seen = await stage.kubectl.get<{ status?: { target?: string } }>('project', name, namespace);
    expectThat(seen?.status?.target !== undefined, 'no status.target');
    return seen.status.target;
  });
}

async function strayAddress(stage: Stage): Promise<string> {
  await stage.putZone('example.com', `www A 198.51.100.7\n@ CAA 0 issue "somebody-else.test"`);
  const { status } = await stage.domainWhere('acme', shopDomain, 'names the stray address', (domain) =>
    domain.status?.issues?.some(({ code }) => code === 'StrayAddress')
      ? null
      : `issues ${JSON.stringify(domain.status?.issues)}`,
  );
  const issue = status?.issues?.find(({ code }) => code === 'StrayAddress');
  expectThat(
    Boolean(issue?.record.includes('198.51.100.7') && issue.fix.includes('delete')),
    `says ${JSON.stringify(issue)}`,
  );
  return issue?.fix ?? '';
}

/** Nobody presses anything: the operator checks automatically. The CAA record still forbids our authority. */
async function verified(stage: Stage, { target }: FaultInjection): Promise<string> {
  const right = target ?? (await targetOf(stage, 'acme', 'shop'));
  await stage.putZone('example.com', `www CNAME ${right}.\n@ CAA 0 issue "somebody-else.test"`);
  await stage.domainWhere('acme', shopDomain, 'is Verified without a click', inState('Verified'));
  return `${shopDomain} is Verified`;
}

async function caaForbids(stage: Stage): Promise<string> {
  const { status } = await stage.domainWhere(
    'acme',
    shopDomain,
    'waits for CAA',
    inState('Verified', 'CaaForbidsAuthority'),
  );
  const issue = status?.issues?.find(({ code }) => code === 'CaaForbidsAuthority');
  expectThat(Boolean(issue?.fix.includes(`CAA 0 issue "${caDomain}"`)), `says ${JSON.stringify(status?.issues)}`);
  const requests = await stage.kubectl.run([
    'get',
    'certificaterequests,orders',
    '-n',
    'acme',
    '-o',
    'jsonpath={.items[*].spec.dnsNames} {.items[*].metadata.annotations.cert-manager\\.io/certificate-name}',
  ]);
  const shown = await stage.kubectl.get<{ status?: { certificate?: { name?: string } } }>(
    'projectdomain',
    shopDomain,
    'acme',
  );
  const certificate = shown?.status?.certificate?.name ?? '';
  expectThat(!requests.includes(shopDomain) && !requests.includes(certificate), `an order was placed: ${requests}`);
  return issue?.fix ?? '';
}

async function live(stage: Stage, { keepCaa }: FaultInjection): Promise<string> {
  const target = await targetOf(stage, 'acme', 'shop');
  const caa = keepCaa ? 'somebody-else.test' : caDomain;
  await stage.putZone('example.com', `www CNAME ${target}.\n@ CAA 0 issue "${caa}"`);
  const now = new Date().toISOString();
  await stage.kubectl.run([
    'annotate',
    '--overwrite',
    'projectdomain',
    shopDomain,
    '-n',
    'acme',
    `${verifyAnnotation}=${now}`,
  ]);
  await stage.domainWhere('acme', shopDomain, 'is Live', inState('Live'));
  await stage.answers(shopDomain, 'shop-web');
  return `https://${shopDomain}/ answers from the project's own server`;
}

async function apexLive(stage: Stage): Promise<string> {
  const tenant = await stage.tenant('acme', 'blog-web');
  await tenant.becomeReady();
  await stage.putZone(blogDomain, `@ A ${stage.facts.ingressAddress}`);
  await stage.applied(project('acme', 'blog', 'blog-web'), projectDomain('acme', blogDomain, 'blog'));
  const { status } = await stage.domainWhere('acme', blogDomain, 'asks for its TXT record', (domain) =>
    domain.status?.records?.some(({ type }) => type === 'TXT')
      ? inState('Unverified', 'TxtMissing')(domain)
      : 'no TXT shown',
  );
  const txt = status?.records?.find(({ type }) => type === 'TXT');
  await stage.putZone(blogDomain, `@ A ${stage.facts.ingressAddress}\n${txt?.name} TXT "${txt?.value}"`);
  await stage.domainWhere('acme', blogDomain, 'is Live', inState('Live'));
  await stage.answers(blogDomain, 'blog-web');
  return `https://${blogDomain}/ answers, by address and TXT`;
}

async function freePlan(stage: Stage): Promise<string> {
  await stage.account('tiny', 'free');
  const tenant = await stage.tenant('tiny', 'hobby-web');
  await tenant.becomeReady();
  await stage.applied(project('tiny', 'hobby', 'hobby-web'), projectDomain('tiny', 'www.hobby.example', 'hobby'));
  await stage.domainWhere(
    'tiny',
    'www.hobby.example',
    'waits for an upgrade',
    inState('Pending', 'PlanUpgradeRequired'),
  );
  return 'a Free account has no custom domains: PlanUpgradeRequired';
}

async function neverDeployed(stage: Stage): Promise<string> {
  const tenant = await stage.tenant('acme', 'docs-web');
  await stage.applied(
    project('acme', 'handbook', 'docs-web'),
    projectDomain('acme', 'www.handbook.example', 'handbook'),
  );
  await stage.domainWhere('acme', 'www.handbook.example', 'waits for a deployment', inState('Pending', 'NotDeployed'));
  await tenant.becomeReady();
  await stage.domainWhere('acme', 'www.handbook.example', 'goes on after the first deployment', inState('Unverified'));
  return 'NotDeployed until the first ready endpoint, then checked';
}

async function heldElsewhere(stage: Stage): Promise<string> {
  await stage.account('rival', 'pro');
  const tenant = await stage.tenant('rival', 'copy-web');
  await tenant.becomeReady();
  const first = await stage.domain('acme', shopDomain);
  await stage.applied(project('rival', 'copy', 'copy-web'), projectDomain('rival', shopDomain, 'copy'));
  await stage.domainWhere('rival', shopDomain, 'is refused', inState('Unverified', 'HeldElsewhere'));
  const after = await stage.domain('acme', shopDomain);
  expectThat(
    after.status?.state === 'Live' && after.metadata.uid === first.metadata.uid,
    'the first holder was disturbed',
  );
  await stage.answers(shopDomain, 'shop-web');
  return `${shopDomain} stays with the account that proved it`;
}
