/** Whom tests act as before a real API server, and the rights that other projects' charts give to them. */

/** Somebody that kubectl can act as. */
export interface Actor {
  readonly user: string;
  readonly groups?: readonly string[];
}

export const serviceAccount = (namespace: string, name: string): Actor => ({
  user: `system:serviceaccount:${namespace}:${name}`,
  groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
});

/** `edit` in its namespaces, with what charts of other projects add to that role. */
export const tenant: Actor = { user: 'tenant' };
/** `admin` in its namespaces, as whoever makes namespaces for customers may give it to them. */
export const owner: Actor = { user: 'owner' };
/** `admin` in its namespaces, and all rights there to what `edit` keeps away for good reasons. */
export const overtrusted: Actor = { user: 'overtrusted' };
/** What runs in a tenant's Pod, with all that its tenant may do. */
export const tenantsPod = (namespace: string): Actor => serviceAccount(namespace, 'default');
export const administrator: Actor = { user: 'ann', groups: ['platform-administrators'] };
export const operator = serviceAccount('projectdomain-system', 'projectdomain-operator');
export const api = serviceAccount('projectdomain-system', 'projectdomain-api');
export const redirector = serviceAccount('projectdomain-system', 'projectdomain-redirector');
export const certManager = serviceAccount('cert-manager', 'cert-manager');
export const endpointsController = serviceAccount('kube-system', 'endpoint-controller');
/** Of a project whose kinds `edit` writes as well; it writes them in all namespaces. */
export const databases = serviceAccount('databases', 'operator');
/** A controller of load balancers, which gives Services of all namespaces their addresses. */
export const loadBalancers = serviceAccount('metallb-system', 'controller');
/** They write the status of Pods of all namespaces; which of them theirs are is the Node authorizer's to say. */
export const kubelets: Actor = { user: 'kubelet' };
export const somebodyElses = serviceAccount('monitoring', 'cert-manager');

export const actAs = ({ user, groups = [] }: Actor): readonly string[] => [
  `--as=${user}`,
  ...groups.map((group) => `--as-group=${group}`),
];

const rbac = 'rbac.authorization.k8s.io/v1';
const writing = ['create', 'update', 'patch', 'delete', 'deletecollection'];
const everything = ['get', 'list', 'watch', ...writing];

const role = (name: string, rules: readonly object[], labels: Readonly<Record<string, string>> = {}) => ({
  apiVersion: rbac,
  kind: 'ClusterRole',
  metadata: { name, labels },
  rules,
});

const subjectOf = (actor: Actor) => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: actor.user });

/** A ClusterRole that somebody has in one namespace. */
export const bound = (to: string, actor: Actor, namespace: string) => ({
  apiVersion: rbac,
  kind: 'RoleBinding',
  metadata: { name: `${to}-${actor.user.replaceAll(':', '-')}`, namespace },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: to },
  subjects: [subjectOf(actor)],
});

const toEdit = { 'rbac.authorization.k8s.io/aggregate-to-edit': 'true' };

/** Rules as they stand in cert-manager's own chart, and as guides to gateways and Traefik tell to give them. */
const roles = [
  role(
    'cert-manager-edit',
    [
      { apiGroups: ['cert-manager.io'], resources: ['certificates', 'certificaterequests', 'issuers'], verbs: writing },
      { apiGroups: ['cert-manager.io'], resources: ['certificates/status'], verbs: ['update'] },
      {
        apiGroups: ['acme.cert-manager.io'],
        resources: ['challenges'],
        verbs: ['delete', 'deletecollection', 'patch', 'update'],
      },
      { apiGroups: ['acme.cert-manager.io'], resources: ['orders'], verbs: ['delete', 'deletecollection'] },
    ],
    toEdit,
  ),
  role(
    'cert-manager-view',
    [{ apiGroups: ['cert-manager.io', 'acme.cert-manager.io'], resources: ['*'], verbs: ['get', 'list', 'watch'] }],
    { ...toEdit, 'rbac.authorization.k8s.io/aggregate-to-view': 'true' },
  ),
  role(
    'gateways-edit',
    [
      {
        apiGroups: ['gateway.networking.k8s.io', 'traefik.io', 'projectcontour.io'],
        resources: ['*'],
        verbs: everything,
      },
    ],
    toEdit,
  ),
  role('databases-edit', [{ apiGroups: ['databases.example.net'], resources: ['*'], verbs: everything }], toEdit),
  role('load-balancers', [
    { apiGroups: [''], resources: ['services', 'services/status'], verbs: ['get', 'list', 'watch', 'update', 'patch'] },
  ]),
  role('kubelets', [{ apiGroups: [''], resources: ['pods', 'pods/status'], verbs: ['get', 'patch'] }]),
  role('every-route', [
    { apiGroups: ['acme.cert-manager.io', 'cert-manager.io'], resources: ['*'], verbs: everything },
    { apiGroups: ['networking.k8s.io'], resources: ['ingresses', 'ingresses/status'], verbs: everything },
    { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: everything },
    { apiGroups: [''], resources: ['endpoints', 'services', 'services/status', 'secrets'], verbs: everything },
    { apiGroups: [''], resources: ['pods', 'pods/status'], verbs: everything },
  ]),
];

/** The same in all namespaces. */
export const boundEverywhere = (to: string, ...subjects: readonly object[]) => ({
  apiVersion: rbac,
  kind: 'ClusterRoleBinding',
  metadata: { name: `${to}-everywhere` },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: to },
  subjects,
});

const administrators = boundEverywhere('cluster-admin', {
  apiGroup: 'rbac.authorization.k8s.io',
  kind: 'Group',
  name: 'platform-administrators',
});

/** Roles that are bound in namespaces, the administrators' right to everything, and a controller's to its kinds. */
export const clusterRights: readonly object[] = [
  ...roles,
  administrators,
  boundEverywhere('databases-edit', subjectOf(databases)),
  boundEverywhere('load-balancers', subjectOf(loadBalancers)),
  boundEverywhere('kubelets', subjectOf(kubelets)),
];

export function rightsIn(...namespaces: readonly string[]): readonly object[] {
  return namespaces.flatMap((namespace) => [
    bound('edit', tenant, namespace),
    bound('admin', owner, namespace),
    bound('admin', overtrusted, namespace),
    bound('edit', tenantsPod(namespace), namespace),
    ...[overtrusted, certManager, endpointsController, somebodyElses, serviceAccount('velero', 'velero')].map((actor) =>
      bound('every-route', actor, namespace),
    ),
  ]);
}
