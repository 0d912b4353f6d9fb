import { dnsHostOf } from '../../../model/dns-hosts.ts';
import { removeDomain } from '../../handlers/domain-removal.ts';
import { verifyDomain } from '../../handlers/verify.ts';
import { domainOf } from '../../locate.ts';
import { domainView } from '../../views.ts';
import type { DomainModel, DomainView } from '../models.ts';
import type { Page, PageRequest } from '../page.ts';
import { call, frameOf, noticeOf, paths } from '../page.ts';
import { domainMain } from '../pages/domain.ts';
import { page } from '../pages/frame.ts';
import { removeMain } from '../pages/remove.ts';
import { projectView } from './projects.ts';

const path = '/projects/:project/domains/:hostname';

export async function modelOf(request: PageRequest): Promise<DomainModel> {
  const { world, visitor, params } = request;
  const domain = domainOf({ world, caller: visitor.caller, params });
  const { timeline = [], check } = domain.status ?? {};
  return {
    project: await projectView(request),
    domain: domainView(world, visitor.caller, domain) as DomainView,
    timeline: timeline.toReversed(),
    dnsHost: dnsHostOf(check?.nameServers ?? []),
    checkedAt: check?.checkedAt ?? null,
  };
}

export const domainPage: Page = {
  method: 'get',
  path,
  name: 'dashboardDomain',
  async handle(request) {
    const model = await modelOf(request);
    const frame = frameOf(request, { title: model.domain.hostname, section: 'projects', notice: noticeOf(request) });
    const live = paths.events(model.project.name);
    return { html: page(frame, domainMain(model, request.visitor.csrf), { live }) };
  },
};

export const verifyAction: Page = {
  method: 'post',
  path: `${path}/verify`,
  name: 'dashboardVerify',
  async handle(request) {
    const { body } = await call(verifyDomain, request);
    const { project, hostname } = body as DomainView;
    return { to: `${paths.domain(project, hostname)}?done=verify` };
  },
};

export const removePage: Page = {
  method: 'get',
  path: `${path}/remove`,
  name: 'dashboardAskRemove',
  async handle(request) {
    const { project, domain } = await modelOf(request);
    const frame = frameOf(request, { title: `Remove ${domain.hostname}`, section: 'projects' });
    return { html: page(frame, removeMain({ project, domain }, request.visitor.csrf)) };
  },
};

export const removeAction: Page = {
  method: 'post',
  path: `${path}/remove`,
  name: 'dashboardRemove',
  async handle(request) {
    const { status } = await call(removeDomain, request);
    const { project = '' } = request.params;
    return { to: `${paths.project(project)}?done=${status === 204 ? 'removed' : 'removing'}` };
  },
};
