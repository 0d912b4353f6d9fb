import { dnsHostOf } from '../../rules/dns-hosts/dns-hosts.ts';
import { runBulk } from '../../use-cases/bulk-domains.ts';
import { domainIn, domainsIn, projectOf } from '../../use-cases/find-in-account.ts';
import { Problem } from '../../use-cases/problem.ts';
import { showProject } from '../../use-cases/projects.ts';
import { showDomain } from '../../use-cases/read-domains.ts';
import { newestVersion } from '../../use-cases/watch-project-domains.ts';
import type { PageAnswer, PageRequest } from '../dashboard-page.ts';
import { fields, mayChange, paths, pathParameter, projectPathOf } from '../dashboard-page.ts';
import { attempt, noticeOf, pageAnswer } from '../page-answer.ts';
import type { SetupDomain } from '../view-models.ts';
import { setupMain } from '../views/setup-view.ts';

/** The most domains of such a page: their records are one table. */
export const setupMaximum = 10;

/** Every hostname once, as it is looked up. Throws malformed-request for none, and for more than a page of them. */
function distinct(hostnames: readonly string[]): readonly string[] {
  const all = [...new Set(hostnames.map((hostname) => hostname.toLowerCase()).filter((hostname) => hostname !== ''))];
  if (all.length === 0) throw new Problem('malformed-request', 'select at least one domain');
  if (all.length > setupMaximum)
    throw new Problem('malformed-request', `select at most ${setupMaximum} domains to set up together`);
  return all;
}

/** The page where these domains are set up together. Throws malformed-request for none, and for too many. */
export const setupPathOf = (project: string, hostnames: readonly string[], done?: string): string =>
  paths.setUp(project, distinct(hostnames), done);

/** Several domains of a project, with the records of all of them in one table. */
export async function setupPage(request: PageRequest): Promise<PageAnswer> {
  return answer(request, distinct(fields({ form: request.query }, 'hostname')), null);
}

async function answer(
  request: PageRequest,
  hostnames: readonly string[],
  problem: Problem | null,
): Promise<PageAnswer> {
  const { view } = request;
  const at = projectPathOf(request);
  const newest = newestVersion(domainsIn(request, at));
  const { metadata } = projectOf(request, at);
  const there = hostnames.filter((hostname) => domainIn(request, metadata, hostname));
  const [first] = hostnames;
  if (there.length === 0)
    throw new Problem('not-found', `project ${at.project} has no domain ${first}`, {
      members: { missing: 'domain', name: first },
    });
  const domains: SetupDomain[] = [];
  for (const hostname of there) {
    const { nameServers, isVerifyAhead, ...situation } = await showDomain(request, { ...at, hostname });
    domains.push({ situation, dnsHost: dnsHostOf(nameServers), isVerifyAhead });
  }
  const gone = hostnames.filter((hostname) => !there.includes(hostname));
  const model = { project: await showProject(request, at), domains, gone, mayWrite: mayChange(request) };
  return pageAnswer(request, {
    title: view.words.text('setup.title', { count: domains.length }),
    section: 'projects',
    notice: noticeOf(request),
    problem,
    live: paths.events(at.project, newest),
    main: setupMain(view, model),
  });
}

/** Verifies all of them. Each counts as a request of its own, as it would on its own page. */
export const setupVerifyAction = attempt(
  async (request) => {
    const hostnames = sentHostnames(request);
    const project = pathParameter(request, 'project');
    if (hostnames.length > 1) await request.spend(hostnames.length - 1);
    const results = await runBulk(request, { project, act: 'verify', hostnames });
    const failed = results.find(({ problem }) => problem !== null);
    if (failed?.problem) throw failed.problem;
    return { to: setupPathOf(project, hostnames, 'verify-all') };
  },
  async (request, problem) => answer(request, sentHostnames(request), problem),
);

const sentHostnames = (request: PageRequest): readonly string[] => distinct(fields(request, 'hostname'));
