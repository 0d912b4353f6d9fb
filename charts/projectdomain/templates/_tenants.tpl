{{/*
Kubernetes' own controllers that write or delete what the policies on tenants match, each by its name. Nothing else that
runs in kube-system is exempt: much of it works on tenants' word (Sealed Secrets, replicators, external-dns).
*/}}
{{- define "projectdomain.kubernetesControllers" -}}
- system:kube-controller-manager # all of them, where it runs without --use-service-account-credentials
- system:serviceaccount:kube-system:generic-garbage-collector # deletes what a deleted owner leaves
- system:serviceaccount:kube-system:namespace-controller # empties a namespace that is deleted
- system:serviceaccount:kube-system:endpoint-controller # Endpoints of Services with a selector
- system:serviceaccount:kube-system:endpointslice-controller # their EndpointSlices
- system:serviceaccount:kube-system:endpointslicemirroring-controller # EndpointSlices of Endpoints
- system:serviceaccount:kube-system:storage-version-migrator-controller # writes objects back as they are
{{- end }}

{{/*
Who the admission policies apply to: everyone except these controllers, the operator, cert-manager and administrators.
Administrators are recognized by permission to create HostnameClaims (which gives them any hostname anyway), by name, or
both: admissionPolicy.exempt.
*/}}
{{- define "projectdomain.tenantsOnly" }}
{{- $ours := list
  (printf "system:serviceaccount:%s:projectdomain-operator" .Release.Namespace)
  (printf "system:serviceaccount:%s:%s" .Values.certManager.namespace .Values.certManager.serviceAccount) }}
- name: not-a-controller
  expression: {{ printf "!(request.userInfo.username in %s)" (concat $ours (include "projectdomain.kubernetesControllers" . | fromYamlArray) | toJson) | quote }}
{{- with .Values.admissionPolicy.exempt }}
{{- if .byRight }}
- name: not-an-administrator
  expression: "!authorizer.group('projectdomain.io').resource('hostnameclaims').check('create').allowed()"
{{- end }}
{{- if .users }}
- name: not-an-exempt-user
  expression: {{ printf "!(request.userInfo.username in %s)" (.users | toJson) | quote }}
{{- end }}
{{- if .groups }}
- name: not-in-an-exempt-group
  expression: {{ printf "!request.userInfo.?groups.orValue([]).exists(group, group in %s)" (.groups | toJson) | quote }}
{{- end }}
{{- end }}
{{- end }}

{{/* The namespaces that the tenant policies apply to. */}}
{{- define "projectdomain.accountNamespaces" -}}
matchExpressions: [{ key: projectdomain.io/account, operator: Exists }]
{{- end }}

{{/*
API groups whose objects are routes, certificates or parts of them: whoever writes one decides what a hostname answers. In
account namespaces they are written by nobody but the operator, cert-manager and administrators, whatever rights somebody
has; admissionPolicy.routeGroups adds to them. A group that the cluster does not have costs nothing.
*/}}
{{- define "projectdomain.routeGroups" -}}
- gateway.networking.k8s.io # Gateway API
- gateway.networking.x-k8s.io # its experimental kinds
- networking.x-k8s.io # its first ones
- inference.networking.k8s.io # backends of its inference extension
- multicluster.x-k8s.io # ServiceImport and ServiceExport, which are backends
- gateway.envoyproxy.io # Envoy Gateway
- gateway.nginx.org # NGINX Gateway Fabric
- gateway.kgateway.dev
- gateway.solo.io # Gloo Gateway
- gloo.solo.io
- apisix.apache.org # Apache APISIX
- traefik.io
- traefik.containo.us
- hub.traefik.io
- projectcontour.io # Contour
- contour.heptio.com
- configuration.konghq.com # Kong
- gateway-operator.konghq.com
- ingress.v1.haproxy.org # HAProxy
- ingress.v3.haproxy.org
- core.haproxy.org
- gate.v3.haproxy.org
- k8s.nginx.org # F5 NGINX
- appprotect.f5.com
- appprotectdos.f5.com
- cis.f5.com # F5 BIG-IP
- citrix.com # NetScaler
- ako.vmware.com # Avi
- zalando.org # Skipper's RouteGroup
- voyager.appscode.com
- ingress.pomerium.io
- tyk.tyk.io
- getambassador.io # Emissary
- x.getambassador.io
- networking.istio.io
- extensions.istio.io
- linkerd.io
- policy.linkerd.io
- consul.hashicorp.com
- skupper.io # Services of other clusters
- submariner.io
- route.openshift.io # OpenShift's Route
- serving.knative.dev # Knative
- networking.internal.knative.dev
- cloud.google.com # Google Cloud
- elbv2.k8s.aws # AWS
- gateway.k8s.aws
- application-networking.k8s.aws
- appgw.ingress.k8s.io # Azure
- appgw.ingress.azure.io
- alb.networking.azure.io
- alibabacloud.com # Alibaba Cloud
- tailscale.com # names in the platform's own network
- ingress.k8s.ngrok.com
- ngrok.k8s.ngrok.com
- networking.cfargotunnel.com # tunnels of Cloudflare
- metallb.io # addresses
- externaldns.k8s.io # these write the platform's DNS
- externaldns.nginx.org
- dns.gardener.cloud
- cert.gardener.cloud # these issue certificates
{{- with .Values.admissionPolicy.routeGroups }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/*
API groups of which tenants may write kinds: those of Kubernetes that the built-in roles hold, our own, and those of
admissionPolicy.tenantGroups. What of them would be a route is held by the policy on routes.
*/}}
{{- define "projectdomain.tenantGroups" -}}
- ''
- apps
- authorization.k8s.io
- autoscaling
- batch
- coordination.k8s.io
- discovery.k8s.io
- events.k8s.io
- networking.k8s.io
- policy
- projectdomain.io
- rbac.authorization.k8s.io
- resource.k8s.io
{{- with .Values.admissionPolicy.tenantGroups }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/*
Annotations that tenants may write on a Service: KEY, KEY=VALUE for that value alone, or DOMAIN/NAME*. Nothing that serves a
hostname, gives an address or writes DNS acts on one of them. No domain is listed as a whole: HAProxy takes what follows the
slash for its own, whatever stands before it. admissionPolicy.serviceAnnotations adds to them.
*/}}
{{- define "projectdomain.serviceAnnotations" -}}
- kubectl.kubernetes.io/last-applied-configuration # kubectl
- kubectl.kubernetes.io/restartedAt
- kubernetes.io/change-cause
- kubernetes.io/description
- config.kubernetes.io/depends-on # kustomize
- config.kubernetes.io/local-config
- config.kubernetes.io/origin
- config.k8s.io/owning-inventory
- alpha.config.kubernetes.io/transformations
- meta.helm.sh/release-name # Helm
- meta.helm.sh/release-namespace
- helm.sh/chart
- helm.sh/hook
- helm.sh/hook-delete-policy
- helm.sh/hook-output-log-policy
- helm.sh/hook-weight
- helm.sh/resource-policy
- argocd.argoproj.io/compare-options # Argo CD
- argocd.argoproj.io/hook
- argocd.argoproj.io/hook-delete-policy
- argocd.argoproj.io/ignore-healthcheck
- argocd.argoproj.io/ignore-resource-updates
- argocd.argoproj.io/installation-id
- argocd.argoproj.io/sync-options
- argocd.argoproj.io/sync-wave
- argocd.argoproj.io/tracking-id
- kustomize.toolkit.fluxcd.io/checksum # Flux
- kustomize.toolkit.fluxcd.io/force
- kustomize.toolkit.fluxcd.io/prune
- kustomize.toolkit.fluxcd.io/reconcile
- kustomize.toolkit.fluxcd.io/ssa
- kustomize.toolkit.fluxcd.io/substitute
- helm.toolkit.fluxcd.io/driftDetection
- kapp.k14s.io/change-group # kapp
- kapp.k14s.io/change-rule
- kapp.k14s.io/create-strategy
- kapp.k14s.io/delete-strategy
- kapp.k14s.io/identity
- kapp.k14s.io/nonce
- kapp.k14s.io/original
- kapp.k14s.io/original-diff-md5
- kapp.k14s.io/update-strategy
- pulumi.com/autonamed # Pulumi
- pulumi.com/patchForce
- pulumi.com/skipAwait
- policies.kyverno.io/last-applied-patches # Kyverno, on whatever a policy of it changed
- argo-rollouts.argoproj.io/managed-by-rollouts # Argo Rollouts
- artifact.spinnaker.io/location # Spinnaker
- artifact.spinnaker.io/name
- artifact.spinnaker.io/type
- artifact.spinnaker.io/version
- moniker.spinnaker.io/application
- moniker.spinnaker.io/cluster
- moniker.spinnaker.io/sequence
- kompose.cmd # Kompose
- kompose.version
- field.cattle.io/description # Rancher
- config.linkerd.io/opaque-ports # Linkerd: its own ports
- dapr.io/app-id # Dapr
- service.kubernetes.io/topology-mode # which of its own Pods are near
- service.kubernetes.io/topology-aware-hints
- prometheus.io/scrape # what of its own Pods is read, and how
- prometheus.io/scrape_slow
- prometheus.io/scrape-slow
- prometheus.io/scheme
- prometheus.io/path
- prometheus.io/port
- prometheus.io/probe
- prometheus.io/param_*
- prometheus.io/param-*
# gRPC behind an Ingress of Traefik, which reads no appProtocol there, needs this one. It names a scheme and leads nowhere.
- traefik.ingress.kubernetes.io/service.serversscheme=h2c
# Google Cloud puts it on every Service that is created: a list of the Service's own Pods.
- cloud.google.com/neg={"ingress":true}
{{- end }}

{{/* The same and those of values, in JSON: {"keys": […], "prefixes": […], "values": {key: […]}}. */}}
{{- define "projectdomain.listedAnnotations" -}}
{{- $keys := list -}}
{{- $prefixes := list -}}
{{- $values := dict -}}
{{- range concat (include "projectdomain.serviceAnnotations" . | fromYamlArray) .Values.admissionPolicy.serviceAnnotations -}}
{{- if contains "=" . -}}
{{- $pair := splitn "=" 2 . -}}
{{- $values = set $values $pair._0 (append (get $values $pair._0 | default list) $pair._1) -}}
{{- else if hasSuffix "*" . -}}
{{- $prefixes = append $prefixes (trimSuffix "*" .) -}}
{{- else -}}
{{- $keys = append $keys . -}}
{{- end -}}
{{- end -}}
{{ dict "keys" $keys "prefixes" $prefixes "values" $values | toJson }}
{{- end }}
