{{/*
Who the admission policies apply to: everyone except controllers and administrators. Administrators are recognized by
permission to create HostnameClaims (which gives them any hostname anyway), by name, or both: admissionPolicy.exempt.
*/}}
{{- define "projectdomain.tenantsOnly" }}
- name: not-a-controller
  expression: >-
    !(request.userInfo.username in [
    'system:serviceaccount:{{ .Release.Namespace }}:projectdomain-operator',
    'system:serviceaccount:{{ .Values.certManager.namespace }}:{{ .Values.certManager.serviceAccount }}',
    'system:kube-controller-manager'])
    && !('system:serviceaccounts:kube-system' in request.userInfo.?groups.orValue([]))
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
API groups whose objects are routes, certificates or parts of them: whoever writes one decides what a hostname answers.
Tenants may write none of their kinds. A group that the cluster does not have costs nothing.
*/}}
{{- define "projectdomain.routeGroups" -}}
- gateway.networking.k8s.io # Gateway API
- gateway.networking.x-k8s.io # its experimental kinds
- gateway.envoyproxy.io # Envoy Gateway
- gateway.nginx.org # NGINX Gateway Fabric
- gateway.kgateway.dev
- traefik.io
- traefik.containo.us
- hub.traefik.io
- projectcontour.io # Contour
- configuration.konghq.com # Kong
- ingress.v1.haproxy.org # HAProxy
- ingress.v3.haproxy.org
- core.haproxy.org
- gate.v3.haproxy.org
- k8s.nginx.org # F5 NGINX
- appprotect.f5.com
- cilium.io
- networking.istio.io
- getambassador.io # Emissary
- externaldns.k8s.io # writes the platform's DNS
{{- end }}

{{/*
Prefixes of annotations by which a Service can point an ingress controller, a load balancer or the platform's DNS at
another namespace's objects, another tenant's address or another tenant's hostname. Tenants may not write them, in upper
or lower case, nor any prefix that ends in ingress.kubernetes.io.
*/}}
{{- define "projectdomain.steeringPrefixes" -}}
haproxy.org, haproxy-ingress.github.io, {{/* HAProxy */ -}}
projectcontour.io, contour.heptio.com, {{/* Contour */ -}}
konghq.com, configuration.konghq.com, {{/* Kong */ -}}
nginx.org, nginx.com, {{/* F5 NGINX */ -}}
getambassador.io, {{/* Emissary creates routes from a Service's annotation */ -}}
networking.istio.io, ingress.cilium.io, service.cilium.io, lbipam.cilium.io, io.cilium, {{/* meshes */ -}}
external-dns.alpha.kubernetes.io, dns.alpha.kubernetes.io, {{/* write the platform's DNS */ -}}
service.beta.kubernetes.io, cloud.google.com, networking.gke.io, {{/* clouds' load balancers: addresses, listeners, certificates */ -}}
loadbalancer.openstack.org, load-balancer.hetzner.cloud, kubernetes.digitalocean.com, oci.oraclecloud.com, {{/* more clouds */ -}}
metallb.io, metallb.universe.tf, kube-vip.io, purelb.io, {{/* share or take an address */ -}}
tailscale.com {{- /* takes a name in the platform's own network */ -}}
{{- end }}
