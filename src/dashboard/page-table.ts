import { helpPage, planPage, projectsPage } from './controllers/account-controller.ts';
import { addAction, checkAction, lookAction, previewAction } from './controllers/add-controller.ts';
import { bulkAction, bulkPlanAction } from './controllers/bulk-controller.ts';
import {
  automaticCertificatesAction,
  domainPage,
  removeAction,
  removePage,
  verifyAction,
} from './controllers/domain-controller.ts';
import { domainsPage } from './controllers/domains-controller.ts';
import { eventsPage } from './controllers/events-controller.ts';
import { createLinkAction, revokeLinkAction } from './controllers/handover-controller.ts';
import { createKeyAction, deleteKeyAction, keysPage } from './controllers/keys-controller.ts';
import { primaryAction, primaryPage, redirectAction, redirectPage } from './controllers/role-controller.ts';
import { setupPage, setupVerifyAction } from './controllers/setup-controller.ts';
import type { DashboardPage, PageHandler, PageRequest } from './dashboard-page.ts';
import { domainPathOf, paths, pathParameter } from './dashboard-page.ts';

const get = (path: string, name: string, handle: PageHandler): DashboardPage => ({ method: 'get', path, name, handle });
const post = (path: string, name: string, handle: PageHandler): DashboardPage => ({
  method: 'post',
  path,
  name,
  handle,
});

/** Where a browser goes that opens the address of a form again, such as from its history: to the page that has the form. */
const address = (path: string, name: string, pageOf: (request: PageRequest) => string): DashboardPage =>
  get(path, name, (request) => Promise.resolve({ to: pageOf(request) }));

const ofProject = (request: PageRequest): string => paths.project(pathParameter(request, 'project'));
function ofDomain(request: PageRequest): string {
  const { project, hostname } = domainPathOf(request);
  return paths.domain(project, hostname);
}
const ofLinks = (request: PageRequest): string => `${ofDomain(request)}#hand-over`;

const project = '/projects/:project';
const domains = `${project}/domains`;
const domain = `${domains}/:hostname`;

/**
 * Every page and action for a signed-in visitor. The addresses of forms about several domains precede a domain's page, which would take
 * their last segment for a hostname.
 */
export const pages: readonly DashboardPage[] = [
  get('/projects', 'dashboardProjects', projectsPage),
  get(project, 'dashboardDomains', domainsPage),
  post(domains, 'dashboardAdd', addAction),
  post(`${domains}/preview`, 'dashboardPreview', previewAction),
  post(`${domains}/look`, 'dashboardLook', lookAction),
  post(`${domains}/check`, 'dashboardCheck', checkAction),
  post(`${domains}/bulk`, 'dashboardBulkPlan', bulkPlanAction),
  post(`${domains}/bulk/confirm`, 'dashboardBulk', bulkAction),
  get(`${project}/setup`, 'dashboardSetUp', setupPage),
  post(`${project}/setup/verify`, 'dashboardSetUpVerify', setupVerifyAction),
  get(`${project}/events`, 'dashboardEvents', eventsPage),
  address(domains, 'dashboardAddAddress', ofProject),
  address(`${domains}/preview`, 'dashboardPreviewAddress', ofProject),
  address(`${domains}/look`, 'dashboardLookAddress', ofProject),
  address(`${domains}/check`, 'dashboardCheckAddress', ofProject),
  address(`${domains}/bulk`, 'dashboardBulkPlanAddress', ofProject),
  address(`${project}/setup/verify`, 'dashboardSetUpVerifyAddress', ofProject),
  address(`${domains}/bulk/confirm`, 'dashboardBulkAddress', ofProject),
  address(`${domain}/verify`, 'dashboardVerifyAddress', ofDomain),
  address(`${domain}/automatic-certificates`, 'dashboardAutomaticCertificatesAddress', ofDomain),
  address(`${domain}/links`, 'dashboardLinksAddress', ofLinks),
  address(`${domain}/links/:link/revoke`, 'dashboardRevokeLinkAddress', ofLinks),
  address('/keys/:key/delete', 'dashboardDeleteKeyAddress', () => paths.keys),
  get(domain, 'dashboardDomain', domainPage),
  post(`${domain}/verify`, 'dashboardVerify', verifyAction),
  post(`${domain}/automatic-certificates`, 'dashboardAutomaticCertificates', automaticCertificatesAction),
  get(`${domain}/remove`, 'dashboardAskRemove', removePage),
  post(`${domain}/remove`, 'dashboardRemove', removeAction),
  post(`${domain}/links`, 'dashboardCreateLink', createLinkAction),
  post(`${domain}/links/:link/revoke`, 'dashboardRevokeLink', revokeLinkAction),
  get(`${domain}/primary`, 'dashboardAskPrimary', primaryPage),
  post(`${domain}/primary`, 'dashboardMakePrimary', primaryAction),
  get(`${domain}/redirect`, 'dashboardAskRedirect', redirectPage),
  post(`${domain}/redirect`, 'dashboardRedirect', redirectAction),
  { ...get('/plan', 'dashboardPlan', planPage), free: true },
  get('/keys', 'dashboardKeys', keysPage),
  post('/keys', 'dashboardCreateKey', createKeyAction),
  post('/keys/:key/delete', 'dashboardDeleteKey', deleteKeyAction),
  get('/help', 'dashboardHelp', helpPage),
];
