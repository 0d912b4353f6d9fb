import type { ProjectDomain } from '../generated/project-domain.ts';
import { hostnameFinding } from '../rules/acceptance.ts';
import type { DesiredRecord } from '../rules/desired-records.ts';
import { claimRelationIn, draftDomain, recordsOf } from './acceptance-candidate.ts';
import { addDomain, previewDomain } from './add-domain.ts';
import type { DomainView, RecordView } from './domain-view.ts';
import type { DnsFindings } from './dns-lookup-port.ts';
import { delegationOf } from '../rules/challenge-delegation.ts';
import type { NewDomain } from './domain-spec.ts';
import { projectToRedirect } from './domain-config.ts';
import { newSpec } from './domain-spec.ts';
import type { ProjectPath } from './find-in-account.ts';
import { domainIn, projectOf } from './find-in-account.ts';
import { problemOfFinding } from './error-to-problem.ts';
import type { ProblemCode } from './problem.ts';
import { Problem } from './problem.ts';
import type { RequestContext } from './api-dependencies.ts';
import { useCase } from './use-case.ts';

interface LookUp {
  readonly hostname: string;
  /** whose target the records should lead to; null looks only for what does not depend on a project */
  readonly project: string | null;
}

/** Whether Add would accept the hostname as the project's primary, in Add's own words. */
interface AcceptanceView {
  readonly accepted: boolean;
  /** the code of the problem that Add would answer with; null when it is accepted */
  readonly code: ProblemCode | null;
  readonly message: string;
}

/** What DNS says about a hostname, and what adding it would take. */
export interface LookupView extends Omit<DnsFindings, 'routedBy' | 'recordFindings'> {
  readonly hostname: string;
  readonly project: string | null;
  /** null without a project */
  readonly acceptance: AcceptanceView | null;
  /** what the customer would have to create, and what was found of it; empty without a project */
  readonly records: readonly RecordView[];
}

/**
 * Looks a hostname up in DNS as the operator does, before it is added; makes nothing. It needs the scope of Add, whose
 * first step it is: it sends packets to servers that the caller names. Rejects with invalid-hostname for what nobody
 * may use, and with too-many-lookups or overloaded.
 */
export const lookUp = useCase<LookUp, LookupView>('domains:write', async (context, { hostname, project }) => {
  rejectUnusable(context, hostname);
  if (project === null) return { ...empty, ...publicPart(await lookAt(context, hostname, null)), hostname };
  const domain = candidateOf(context, { project }, { hostname, role: 'primary' });
  return { ...(await lookupOf(context, domain)), acceptance: acceptanceOf(context, { project }, hostname) };
});

const empty = { project: null, acceptance: null, records: [] } as const;

interface PreviewDomain extends ProjectPath {
  readonly domain: NewDomain;
}

/** What a dry run of Add answers, with a lookup; null where that was not possible in time. */
export interface DomainPreview {
  readonly domain: DomainView;
  readonly lookup: LookupView | null;
}

/** The dry run of Add with a look at DNS. It rejects as Add does, and never because of DNS. */
export const previewWithLookup = useCase<PreviewDomain, DomainPreview>('domains:write', async (context, input) => {
  const { domain } = await addDomain(context, { ...input, dryRun: true });
  const candidate = candidateOf(context, input, input.domain);
  const acceptance = { accepted: true, code: null, message: domain.message } as const;
  try {
    return { domain, lookup: { ...(await lookupOf(context, candidate)), acceptance } };
  } catch (error) {
    if (error instanceof Problem) return { domain, lookup: null };
    throw error;
  }
});

/** Only ordinary public hostnames are looked up. */
function rejectUnusable({ dependencies: { settings } }: RequestContext, hostname: string): void {
  const finding = hostnameFinding(hostname, [settings.platformDomain, settings.cnameDomain]);
  if (finding) throw problemOfFinding(finding);
}

/** The project's domain of this hostname, or the one that Add would create. */
function candidateOf(context: RequestContext, path: ProjectPath, domain: NewDomain): ProjectDomain {
  const project = projectOf(context, path);
  const { metadata } = project;
  return (
    domainIn(context, metadata, domain.hostname) ??
    draftDomain(metadata.namespace ?? '', newSpec(projectToRedirect(context, project), domain))
  );
}

function acceptanceOf(context: RequestContext, path: ProjectPath, hostname: string): AcceptanceView {
  try {
    const { domain } = previewDomain(context, { ...path, domain: { hostname, role: 'primary' } });
    return { accepted: true, code: null, message: domain.message };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { accepted: false, code: error.code, message: error.message };
  }
}

async function lookupOf(context: RequestContext, domain: ProjectDomain): Promise<Omit<LookupView, 'acceptance'>> {
  const { hostname, project } = domain.spec;
  const findings = await lookAt(context, hostname, domain);
  const { zone, routedBy } = findings;
  const check = { ...(zone === null ? {} : { zone }), ...(routedBy === null ? {} : { routedBy }) };
  const checked = { ...domain, status: { ...domain.status, check: { ...domain.status?.check, ...check } } };
  const records = recordsOf(context, checked, claimRelationIn(context, checked));
  return {
    ...publicPart(findings),
    hostname,
    project,
    records: records.map((record) => ({ ...record, ...foundOf(record, findings) })),
  };
}

function foundOf({ purpose }: DesiredRecord, { recordFindings }: DnsFindings): Pick<RecordView, 'status' | 'found'> {
  const finding = recordFindings.find((one) => one.purpose === purpose);
  return { status: finding?.status ?? 'Unknown', found: finding?.found ?? [] };
}

const publicPart = ({ routedBy: _, recordFindings: __, ...findings }: DnsFindings) => findings;

function lookAt(context: RequestContext, hostname: string, domain: ProjectDomain | null): Promise<DnsFindings> {
  const { dependencies, caller, signal } = context;
  const account = caller.account.metadata.name;
  const nothingWanted = { hostname, target: null, ownership: null, relation: 'Free', routedBy: null } as const;
  if (domain === null) return dependencies.lookups.look(account, nothingWanted, signal);
  const { records } = dependencies.settings;
  const accountId = caller.account.spec.id ?? '';
  const { kind: relation, epoch } = claimRelationIn(context, domain);
  const target = records.target({ accountId, name: domain.spec.project });
  const ownership = records.ownership({ accountId, hostname, epoch });
  const { routedBy = null } = domain.status?.check ?? {};
  const delegation = delegationOf(dependencies.settings, { ...domain, accountId, epoch, routedBy });
  return dependencies.lookups.look(account, { hostname, target, ownership, relation, routedBy, delegation }, signal);
}
