import { removeCertificate } from '../../use-cases/own-certificates.ts';
import type { DashboardPage } from '../dashboard-page.ts';
import { attempt, paths } from '../dashboard-page.ts';
import { domainPathOf, domainRoute, showDomainPage } from './domain-controller.ts';

/** From a certificate of the customer's own back to automatic ones. */
export const automaticCertificatesAction: DashboardPage = {
  method: 'post',
  path: `${domainRoute}/automatic-certificates`,
  name: 'dashboardAutomaticCertificates',
  handle: (request) =>
    attempt(
      async () => {
        const path = domainPathOf(request);
        await removeCertificate(request, path);
        return { to: `${paths.domain(path.project, path.hostname)}?done=automatic` };
      },
      (problem) => showDomainPage(request, problem),
    ),
};
