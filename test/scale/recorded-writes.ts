import { readFileSync } from 'node:fs';
import { platformDomain } from '../../dev/platform/ours.ts';
import { auditLogOf } from '../../dev/platform/control-plane.ts';
import { childName } from '../../src/rules/dns-target.ts';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import { startCertificatePlayer } from './certificate-player.ts';
import { hostnameOf, projectOf, registeredDomain } from './made-names.ts';
import { requestFor, templateAccount } from './made-objects.ts';
import { startOutsidePod } from './outside-pod.ts';
import { untilNothingIsWritten } from './quiet.ts';
import { startScaleCluster } from './scale-cluster.ts';
import { domainObject, makeTemplate, projectObject, scaleSettings } from './seed-cluster.ts';

/** A write that the kube-apiserver accepted, as its audit log has it. */
export interface RecordedWrite {
  readonly method: 'POST' | 'PUT' | 'PATCH';
  /** with the query */
  readonly path: string;
  readonly byOperator: boolean;
  readonly body: object;
}

/** All writes of one domain from Add to Live, those of whoever added it and of what stands for cert-manager among them. */
export interface RecordedWrites {
  readonly writes: readonly RecordedWrite[];
  /** what stands in them for this one domain, by what it is */
  readonly words: WordsOfDomain;
}

/** The texts by which a domain's writes differ from another's; uids are found by their form. */
export interface WordsOfDomain {
  readonly account: string;
  readonly project: string;
  readonly hostname: string;
  readonly registeredDomain: string;
  readonly childName: string;
  readonly childNameOfProject: string;
  readonly target: string;
  readonly signingRequest: string;
}

interface Of {
  readonly account: string;
  /** of the domain, which is that of its project too */
  readonly number: number | string;
  readonly target: string;
}

export const wordsOf = ({ account, number, target }: Of): WordsOfDomain => ({
  account,
  project: projectOf(number),
  hostname: hostnameOf(number),
  registeredDomain: registeredDomain(number),
  childName: childName(hostnameOf(number)),
  childNameOfProject: childName(`${projectOf(number)}.${platformDomain}`),
  target,
  signingRequest: requestFor(hostnameOf(number)),
});

const recorded = 'tmpl-d';
const withinMs = 180_000;

/** What is written into the account's namespace, and claims, which have none. */
const auditPolicy = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [
    { level: 'None', verbs: ['get', 'list', 'watch', 'delete', 'deletecollection'] },
    { level: 'Request', namespaces: [templateAccount] },
    {
      level: 'Request',
      resources: [{ group: 'projectdomain.io', resources: ['hostnameclaims', 'hostnameclaims/status'] }],
    },
    { level: 'None' },
  ],
};

/** Adds one domain on a small cluster of its own, and reads from the audit log what was written until it was Live. */
export async function recordWrites(tell: (line: string) => void): Promise<RecordedWrites> {
  const cluster = await startScaleCluster({ tell, auditPolicy });
  try {
    await makeTemplate(cluster);
    const { around, dns, edge } = cluster;
    const { kubectl } = around;
    const player = await startCertificatePlayer(around.kubeconfig, edge);
    cluster.onStop(() => player.stop());
    const operator = await startOutsidePod('operator', cluster, scaleSettings);
    cluster.onStop(() => operator.part.stop());
    const project = projectOf(recorded);
    await kubectl.apply(projectObject(templateAccount, project));
    const target = await eventually('the project has its target', withinMs, async () => {
      const seen = await kubectl.get<{ status?: { target?: string } }>('project', project, templateAccount);
      expectThat(seen?.status?.target !== undefined, 'not yet');
      return seen.status.target;
    });
    dns.putZone(registeredDomain(recorded), `www CNAME ${target}.`);
    await untilNothingIsWritten(operator);
    const before = auditedLines(around.dir).length;
    const hostname = hostnameOf(recorded);
    const domain = domainObject({ namespace: templateAccount, project, hostname });
    await kubectl.run(['create', '--raw', collectionPath, '-f', '-'], JSON.stringify(domain));
    await eventually(`${hostname} is Live`, withinMs, async () => {
      const seen = await kubectl.get<{ status?: { state?: string } }>('projectdomain', hostname, templateAccount);
      expectThat(seen?.status?.state === 'Live', `it is ${seen?.status?.state}`);
    });
    await untilNothingIsWritten(operator);
    if (player.faults.length > 0) throw player.faults[0];
    const words = wordsOf({ account: templateAccount, number: recorded, target });
    return { writes: auditedLines(around.dir).slice(before).flatMap(readLine).filter(isAbout(words)), words };
  } finally {
    await cluster.stop();
  }
}

const collectionPath = `/apis/projectdomain.io/v1alpha1/namespaces/${templateAccount}/projectdomains`;

const auditedLines = (dir: string): readonly string[] =>
  readFileSync(auditLogOf(dir), 'utf8')
    .split('\n')
    .filter((line) => line !== '');

interface AuditEvent {
  readonly requestURI: string;
  readonly verb: string;
  readonly user: { readonly username: string };
  readonly requestObject?: object;
  readonly responseStatus?: { readonly code?: number };
}

const methods: Readonly<Record<string, RecordedWrite['method']>> = { create: 'POST', update: 'PUT', patch: 'PATCH' };

function readLine(line: string): readonly RecordedWrite[] {
  const { requestURI, verb, user, requestObject, responseStatus } = JSON.parse(line) as AuditEvent;
  const method = methods[verb];
  if (!method || !requestObject || (responseStatus?.code ?? 500) >= 300) return [];
  const byOperator = user.username.endsWith(':projectdomain-operator');
  return [{ method, path: requestURI, byOperator, body: requestObject }];
}

function isAbout({ hostname, childName: name, project }: WordsOfDomain): (write: RecordedWrite) => boolean {
  return ({ path, body }) => {
    const text = `${path} ${JSON.stringify(body)}`;
    return [hostname, name, project].some((word) => text.includes(word));
  };
}
