/** The programs of every platform that are built here, by file name. */
export type PlatformTool =
  'etcd' | 'kube-apiserver' | 'kube-controller-manager' | 'kubectl' | 'cert-manager' | 'pebble' | 'traefik' | 'helm';

/** What a node with real Pods needs besides, and what goes into its images. */
export type NodeTool =
  | 'kubelet'
  | 'kube-scheduler'
  | 'kube-proxy'
  | 'containerd'
  | 'containerd-shim-runc-v2'
  | 'ctr'
  | 'crane'
  | 'coredns'
  | 'acmesolver'
  | 'pause';

/** What a campaign or a benchmark needs and no platform. */
export type CampaignTool = 'boulder-caa' | 'caddy';

/** What serves hostnames in place of Traefik, where that is asked for. */
export type EdgeTool = 'contour' | 'envoy-gateway';

/** Gateway API's own conformance tests, and the server in Pods that they ask. */
export type UpstreamTool = 'gateway-api-conformance' | 'echo-basic';

export type ToolName = PlatformTool | NodeTool | CampaignTool | EdgeTool | UpstreamTool;

/** How a program is built from pinned Go modules. */
export interface Recipe<Name extends ToolName = ToolName> {
  readonly name: Name;
  /** folder below dev/tools with the go.mod that pins it */
  readonly module: string;
  readonly package: string;
  /** about how long a build takes on two processors with nothing in Go's caches, in this order */
  readonly seconds: number;
  /** built with the versions of dev/tools/shared.work */
  readonly shared?: true;
  /** modules with packages that dev/tools/<module>/stubs takes the place of */
  readonly trimmed?: readonly string[];
}

/** Those that share packages stand together: the first compiles them for all. */
export const platformRecipes: readonly Recipe<PlatformTool>[] = [
  {
    name: 'kube-apiserver',
    module: 'kubernetes',
    package: 'k8s.io/kubernetes/cmd/kube-apiserver',
    seconds: 200,
    shared: true,
  },
  { name: 'cert-manager', module: 'cert-manager', package: '.', seconds: 45, shared: true },
  { name: 'helm', module: 'helm', package: 'helm.sh/helm/v3/cmd/helm', seconds: 20, shared: true },
  { name: 'etcd', module: 'etcd', package: 'go.etcd.io/etcd/server/v3', seconds: 15, shared: true },
  {
    name: 'kube-controller-manager',
    module: 'kubernetes',
    package: 'k8s.io/kubernetes/cmd/kube-controller-manager',
    seconds: 40,
    shared: true,
  },
  { name: 'kubectl', module: 'kubernetes', package: 'k8s.io/kubernetes/cmd/kubectl', seconds: 20, shared: true },
  {
    name: 'traefik',
    module: 'traefik',
    package: 'github.com/traefik/traefik/v3/cmd/traefik',
    seconds: 120,
    trimmed: ['github.com/traefik/traefik/v3', 'github.com/traefik/yaegi', 'github.com/go-acme/lego/v4'],
  },
  { name: 'pebble', module: 'pebble', package: 'github.com/letsencrypt/pebble/v2/cmd/pebble', seconds: 10 },
];

export const nodeRecipes: readonly Recipe<NodeTool>[] = [
  { name: 'kubelet', module: 'node', package: 'k8s.io/kubernetes/cmd/kubelet', seconds: 60, shared: true },
  {
    name: 'kube-scheduler',
    module: 'node',
    package: 'k8s.io/kubernetes/cmd/kube-scheduler',
    seconds: 15,
    shared: true,
  },
  { name: 'kube-proxy', module: 'node', package: 'k8s.io/kubernetes/cmd/kube-proxy', seconds: 15, shared: true },
  { name: 'acmesolver', module: 'solver', package: '.', seconds: 5, shared: true },
  { name: 'coredns', module: 'coredns', package: 'github.com/coredns/coredns', seconds: 110 },
  {
    name: 'containerd',
    module: 'containerd',
    package: 'github.com/containerd/containerd/v2/cmd/containerd',
    seconds: 70,
  },
  {
    name: 'containerd-shim-runc-v2',
    module: 'containerd',
    package: 'github.com/containerd/containerd/v2/cmd/containerd-shim-runc-v2',
    seconds: 10,
  },
  { name: 'ctr', module: 'containerd', package: 'github.com/containerd/containerd/v2/cmd/ctr', seconds: 10 },
  { name: 'crane', module: 'crane', package: 'github.com/google/go-containerregistry/cmd/crane', seconds: 10 },
  { name: 'pause', module: 'pause', package: '.', seconds: 2 },
];

export const campaignRecipes: readonly Recipe<CampaignTool>[] = [
  { name: 'boulder-caa', module: 'boulder', package: '.', seconds: 80 },
  { name: 'caddy', module: 'caddy', package: 'github.com/caddyserver/caddy/v2/cmd/caddy', seconds: 110 },
];

export const edgeRecipes: readonly Recipe<EdgeTool>[] = [
  { name: 'contour', module: 'contour', package: 'github.com/projectcontour/contour/cmd/contour', seconds: 120 },
  {
    name: 'envoy-gateway',
    module: 'envoy-gateway',
    package: 'github.com/envoyproxy/gateway/cmd/envoy-gateway',
    seconds: 300,
  },
];

export const upstreamRecipes: readonly Recipe<UpstreamTool>[] = [
  { name: 'gateway-api-conformance', module: 'gateway-api-conformance', package: '.', seconds: 60 },
  {
    name: 'echo-basic',
    module: 'gateway-api-conformance',
    package: 'sigs.k8s.io/gateway-api/conformance/echo-basic',
    seconds: 10,
  },
];

/**
 * Who builds what: what shares packages is built one after the other by the first, the rest beside it by the second.
 * Two builds of the same package side by side would both compile it.
 */
export function lanes(recipes: readonly Recipe[]): readonly (readonly Recipe[])[] {
  const shared = recipes.filter((recipe) => recipe.shared);
  const others = recipes.filter((recipe) => !recipe.shared);
  return [shared, others].filter((lane) => lane.length > 0);
}

/** `built` of `recipes`, and about how many minutes the others take. */
export function remaining(recipes: readonly Recipe[], built: ReadonlySet<ToolName>): string {
  const seconds = recipes.filter(({ name }) => !built.has(name)).reduce((sum, recipe) => sum + recipe.seconds, 0);
  return `${built.size} of ${recipes.length} built, about ${Math.max(1, Math.round(seconds / 60))} min left on two processors`;
}
