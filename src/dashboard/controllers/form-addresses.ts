import type { DashboardPage, PageRequest } from '../dashboard-page.ts';
import { paths, pathParameter } from '../dashboard-page.ts';

const domains = '/projects/:project/domains';
const domain = `${domains}/:hostname`;

const address = (path: string, name: string, pageOf: (request: PageRequest) => string): DashboardPage => ({
  method: 'get',
  path,
  name,
  handle: (request) => Promise.resolve({ to: pageOf(request) }),
});

const ofProject = (request: PageRequest): string => paths.project(pathParameter(request, 'project'));
const ofDomain = (request: PageRequest): string =>
  paths.domain(pathParameter(request, 'project'), pathParameter(request, 'hostname'));

/**
 * Where a browser goes that opens the address of a form again, such as from its history: to the page that has the form.
 * The first routes must precede that of a domain's page, which would take the last segment for a hostname.
 */
export const formAddressPages: readonly DashboardPage[] = [
  address(domains, 'dashboardAddAddress', ofProject),
  address(`${domains}/preview`, 'dashboardPreviewAddress', ofProject),
  address(`${domains}/look`, 'dashboardLookAddress', ofProject),
  address(`${domains}/check`, 'dashboardCheckAddress', ofProject),
  address(`${domains}/bulk`, 'dashboardBulkPlanAddress', ofProject),
  address('/projects/:project/setup/verify', 'dashboardSetUpVerifyAddress', ofProject),
  address(`${domains}/bulk/confirm`, 'dashboardBulkAddress', ofProject),
  address(`${domain}/verify`, 'dashboardVerifyAddress', ofDomain),
  address(`${domain}/automatic-certificates`, 'dashboardAutomaticCertificatesAddress', ofDomain),
  address(`${domain}/links`, 'dashboardLinksAddress', (request) => `${ofDomain(request)}#hand-over`),
  address(`${domain}/links/:link/revoke`, 'dashboardRevokeLinkAddress', (request) => `${ofDomain(request)}#hand-over`),
  address('/keys/:key/delete', 'dashboardDeleteKeyAddress', () => paths.keys),
];
