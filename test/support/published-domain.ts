import type { SeenDomain, Stage } from '../../dev/story/stage.ts';

const apiVersion = 'projectdomain.io/v1alpha1';

/** An account with a project that is served, and a domain of it that waits for its records. */
export async function publishDomain(
  stage: Pick<Stage, 'account' | 'tenant' | 'kubectl'>,
  account: string,
  hostname: string,
): Promise<void> {
  await stage.account(account, 'pro');
  const tenant = await stage.tenant(account, `${account}-web`);
  await tenant.becomeReady();
  await stage.kubectl.apply(
    {
      apiVersion,
      kind: 'Project',
      metadata: { name: 'shop', namespace: account },
      spec: { service: { name: `${account}-web`, port: 8080 }, subdomain: `${account}-shop` },
    },
    {
      apiVersion,
      kind: 'ProjectDomain',
      metadata: { name: hostname, namespace: account },
      spec: { project: 'shop', hostname },
    },
  );
}

/** A record that the customer must create; undefined before there is one of that type. */
export const recordOf = ({ status }: SeenDomain, type: string) =>
  status?.records?.find((candidate) => candidate.type === type);
