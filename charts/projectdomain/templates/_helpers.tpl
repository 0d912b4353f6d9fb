{{/* Labels of every object; call with (dict "root" $ "component" "operator"). */}}
{{- define "projectdomain.componentLabels" -}}
{{ include "projectdomain.labels" .root }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "projectdomain.labels" -}}
app.kubernetes.io/name: projectdomain
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{/* What selects a component's Pods; never changes. */}}
{{- define "projectdomain.selector" -}}
app.kubernetes.io/name: projectdomain
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "projectdomain.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ with .Values.image.digest }}@{{ . }}{{ end }}
{{- end }}

{{- define "projectdomain.logLevel" -}}
- { name: LOG_LEVEL, value: {{ quote .Values.logLevel }} }
{{- end }}

{{/* Traces of a program; without an endpoint its library is not even loaded. */}}
{{- define "projectdomain.tracing" -}}
{{- with .Values.tracing.endpoint }}
- { name: OTEL_EXPORTER_OTLP_ENDPOINT, value: {{ quote . }} }
- { name: OTEL_TRACES_SAMPLER_ARG, value: {{ quote $.Values.tracing.sampleRatio }} }
{{- end }}
{{- end }}

{{- define "projectdomain.cnameDomain" -}}
{{ .Values.cnameDomain | default (printf "cname.%s" .Values.platformDomain) }}
{{- end }}

{{/* Every address that leads to the platform, as a list in JSON. */}}
{{- define "projectdomain.everyAddress" -}}
{{- $addresses := .Values.platformAddresses -}}
{{- range .Values.routing.classes }}{{ $addresses = concat $addresses (.addresses | default list) }}{{ end -}}
{{ $addresses | uniq | toJson }}
{{- end }}

{{/* What serves customers' hostnames, as the operator is told: a list in JSON. */}}
{{- define "projectdomain.classes" -}}
{{- $classes := list -}}
{{- if or .Values.ingressClass .Values.gateway.name -}}
{{- $probe := dict "address" (include "projectdomain.probeAddress" . | trim) "port" .Values.probe.port "httpPort" .Values.probe.httpPort -}}
{{- $own := dict "class" "default" "ingressClass" .Values.ingressClass "gateway" .Values.gateway "probe" $probe "controller" .Values.controller "httpsRedirect" .Values.httpsRedirect -}}
{{- $classes = append $classes (include "projectdomain.class" (dict "root" . "class" $own) | fromJson) -}}
{{- end -}}
{{- range .Values.routing.classes -}}
{{- $classes = append $classes (include "projectdomain.class" (dict "root" $ "class" .) | fromJson) -}}
{{- end -}}
{{ $classes | toJson }}
{{- end }}

{{- define "projectdomain.class" -}}
{{- $root := .root -}}
{{- with .class -}}
{{- $probe := dict "address" .probe.address "port" (.probe.port | default 443 | int) "httpPort" (.probe.httpPort | default 80 | int) -}}
{{- $class := dict "class" .class "probe" $probe "isRetired" (.retired | default false) "addresses" (.addresses | default list) -}}
{{- $controller := .controller -}}
{{- if (.gateway | default dict).name -}}
{{- $class = merge $class (dict "kind" "Gateway" "namespace" .gateway.namespace "name" .gateway.name) -}}
{{- if .gateway.listeners }}{{ $class = set $class "listeners" .gateway.listeners }}{{ end -}}
{{- else -}}
{{- $class = merge $class (dict "kind" "Ingress" "className" .ingressClass) -}}
{{- $class = set $class "httpsRedirect" (ternary .httpsRedirect true (hasKey . "httpsRedirect")) -}}
{{- range $name := include "projectdomain.controllers" (dict "root" $root "kind" "Ingress") | fromYaml | keys -}}
{{- if and (not $controller) (eq (lower $name) $class.className) }}{{ $controller = $name }}{{ end -}}
{{- end -}}
{{- end -}}
{{ set $class "controller" ($controller | default "Other") | toJson }}
{{- end -}}
{{- end }}

{{/* Every controller that serves a kind of class, in YAML, as src/routing/edges has it; call with (dict "root" $ "kind" "Gateway"). */}}
{{- define "projectdomain.controllers" -}}
{{ .root.Files.Get (printf "files/controllers/%s.yaml" (lower .kind)) }}
{{- end }}

{{/* The controller of one of projectdomain.classes, a map in JSON; call with (dict "root" $ "class" .). */}}
{{- define "projectdomain.controller" -}}
{{- $all := include "projectdomain.controllers" (dict "root" .root "kind" .class.kind) | fromYaml -}}
{{ get $all .class.controller | default dict | toJson }}
{{- end }}

{{/* Where the listeners of hostnames are in one of projectdomain.classes: ListenerSet or Gateway, and nowhere with Ingresses; called likewise. */}}
{{- define "projectdomain.listeners" -}}
{{- if eq .class.kind "Gateway" -}}
{{- $controller := include "projectdomain.controller" . | fromJson -}}
{{ .class.listeners | default (first ($controller.listeners | default (list ""))) }}
{{- end -}}
{{- end }}

{{/* "yes" where the operator writes the listeners of hostnames onto a Gateway. */}}
{{- define "projectdomain.writesGateways" -}}
{{- $found := false -}}
{{- range include "projectdomain.classes" . | fromJsonArray }}{{ if eq (include "projectdomain.listeners" (dict "root" $ "class" .)) "Gateway" }}{{ $found = true }}{{ end }}{{ end -}}
{{ ternary "yes" "" $found }}
{{- end }}

{{/* "yes" where hostnames have ListenerSets. */}}
{{- define "projectdomain.hasListenerSets" -}}
{{- $found := false -}}
{{- range include "projectdomain.classes" . | fromJsonArray }}{{ if eq (include "projectdomain.listeners" (dict "root" $ "class" .)) "ListenerSet" }}{{ $found = true }}{{ end }}{{ end -}}
{{ ternary "yes" "" $found }}
{{- end }}

{{/* "yes" where a class is of this kind; call with (dict "root" $ "kind" "Gateway"). */}}
{{- define "projectdomain.hasClassOf" -}}
{{- $kind := .kind -}}
{{- $found := false -}}
{{- range include "projectdomain.classes" .root | fromJsonArray }}{{ if eq .kind $kind }}{{ $found = true }}{{ end }}{{ end -}}
{{ ternary "yes" "" $found }}
{{- end }}

{{- define "projectdomain.probeAddress" -}}
{{ .Values.probe.address | default (first .Values.platformAddresses) }}
{{- end }}

{{/* How many API servers share the limits while Redis is unavailable: the maximum number of replicas. */}}
{{- define "projectdomain.apiReplicas" -}}
{{- if .Values.api.standalone }}{{ .Values.api.autoscaling.maxReplicas }}{{ else }}{{ max 1 .Values.operator.replicas }}{{ end -}}
{{- end }}

{{- define "projectdomain.redisUrl" -}}
{{- if .Values.redis.included -}}
redis://projectdomain-redis.{{ .Release.Namespace }}.svc:6379
{{- else -}}
{{ .Values.redis.url }}
{{- end -}}
{{- end }}

{{/* Name and key of the Secret with Redis' password; empty if there is none. */}}
{{- define "projectdomain.redisPassword" -}}
{{- if .Values.redis.passwordSecret.name -}}
{{ .Values.redis.passwordSecret | toJson }}
{{- else if .Values.redis.included -}}
{{ dict "name" "projectdomain-redis" "key" "password" | toJson }}
{{- end -}}
{{- end }}

{{- define "projectdomain.podSecurity" -}}
runAsNonRoot: true
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "projectdomain.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* Pod scheduling: on different nodes if possible; call with (dict "root" $ "component" "operator"). */}}
{{- define "projectdomain.placement" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "projectdomain.selector" . | nindent 8 }}
{{- with .root.Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.priorityClassName }}
priorityClassName: {{ quote . }}
{{- end }}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* A ServiceAccount token volume, mounted only into the containers that need it. */}}
{{- define "projectdomain.identityVolume" -}}
name: identity
projected:
  sources:
    - serviceAccountToken: { path: token, expirationSeconds: 3607 }
    - configMap: { name: kube-root-ca.crt, items: [{ key: ca.crt, path: ca.crt }] }
{{- end }}

{{- define "projectdomain.probes" -}}
startupProbe: { httpGet: { path: /livez, port: metrics }, periodSeconds: 1, failureThreshold: 60 }
livenessProbe: { httpGet: { path: /livez, port: metrics }, periodSeconds: 10, timeoutSeconds: 5 }
readinessProbe: { httpGet: { path: /readyz, port: metrics }, periodSeconds: 2, timeoutSeconds: 2 }
{{- end }}

{{/* The issuer of customers' certificates as RBAC knows it; cert-manager names a signer by that. */}}
{{- define "projectdomain.issuerResource" -}}
{{ ternary "acmeissuers" "clusterissuers" (eq .Values.issuer.kind "AcmeIssuer") }}
{{- end }}
{{- define "projectdomain.issuerGroup" -}}
{{ ternary "projectdomain.io" "cert-manager.io" (eq .Values.issuer.kind "AcmeIssuer") }}
{{- end }}
{{- define "projectdomain.signer" -}}
{{ include "projectdomain.issuerResource" . }}.{{ include "projectdomain.issuerGroup" . }}/{{ .Values.issuer.name }}
{{- end }}

{{/*
What to set in place of settings that had the name of a controller as their value: sentences, a list in JSON. Call with (dict "settings" .Values),
and the settings of a class with "where" besides.
*/}}
{{- define "projectdomain.formerSettings" -}}
{{- $found := list -}}
{{- $where := .where | default "" -}}
{{- $listeners := (.settings.gateway | default dict).listeners -}}
{{- if eq ($listeners | default "") "Contour" }}{{ $found = append $found (printf "controller=Contour in place of gateway.listeners=Contour%s" $where) }}{{ end -}}
{{- range $name := list "wildcards" "websockets" "httpsRedirect" -}}
{{- $value := get $.settings $name -}}
{{- if and (hasKey $.settings $name) (kindIs "string" $value) -}}
{{- $instead := printf "controller=%s" $value -}}
{{- if not $value }}{{ $instead = printf "nothing for %s" $name }}{{ end -}}
{{- if eq $value "None" }}{{ $instead = "httpsRedirect=false" }}{{ end -}}
{{- if and $value (eq $name "wildcards") (not $where) }}{{ $instead = printf "%s and wildcards=true" $instead }}{{ end -}}
{{- $found = append $found (printf "%s in place of %s=%s%s" $instead $name (default "''" $value) $where) -}}
{{- end -}}
{{- end -}}
{{ $found | toJson }}
{{- end }}

{{/* Fails with a list of all required values that are missing and of values that exclude each other. */}}
{{- define "projectdomain.complain" -}}
{{- $former := include "projectdomain.formerSettings" (dict "settings" .Values) | fromJsonArray }}
{{- range .Values.routing.classes }}{{ $former = concat $former (include "projectdomain.formerSettings" (dict "settings" . "where" (printf " of class %s" .class)) | fromJsonArray) }}{{ end }}
{{- if $former }}{{ fail (printf "\n\nPlease set (docs/upgrade.md):\n  - %s\n" (join "\n  - " $former)) }}{{ end }}
{{- $wrong := list }}
{{- if not .Values.platformDomain }}{{ $wrong = append $wrong "platformDomain: the domain that projects are served below, such as apps.example.com" }}{{ end }}
{{- if not (or .Values.ingressClass .Values.gateway.name .Values.routing.classes) }}{{ $wrong = append $wrong "ingressClass: the IngressClass of the controller that serves customers' hostnames (kubectl get ingressclasses), or gateway" }}{{ end }}
{{- if and .Values.ingressClass .Values.gateway.name }}{{ $wrong = append $wrong "ingressClass and gateway.name exclude each other" }}{{ end }}
{{- if and .Values.gateway.name (not .Values.gateway.namespace) }}{{ $wrong = append $wrong "gateway.namespace: where the Gateway is (kubectl get gateways -A)" }}{{ end }}
{{- $named := ternary (list "default") list (or (ne .Values.ingressClass "") (ne .Values.gateway.name "")) }}
{{- $serving := len $named }}
{{- $hasGateway := ne .Values.gateway.name "" }}
{{- range .Values.routing.classes }}
{{- if has .class $named }}{{ $wrong = append $wrong (printf "routing.classes: a name of its own for each class, as %s is there already (ingressClass and gateway make the class default)" .class) }}{{ end }}
{{- $named = append $named .class }}
{{- if not (or .retired .addresses) }}{{ $serving = add1 $serving }}{{ end }}
{{- if .gateway }}{{ $hasGateway = true }}{{ end }}
{{- end }}
{{- if and .Values.routing.classes (eq (int $serving) 0) }}{{ $wrong = append $wrong "routing.classes: one that is not retired, and serves all hostnames (without addresses)" }}{{ end }}
{{- if and $hasGateway (ne .Values.issuer.kind "AcmeIssuer") }}{{ $wrong = append $wrong "issuer.kind=AcmeIssuer, as gateway.name is set: cert-manager's challenges would need a route to each hostname of their own" }}{{ end }}
{{- if and .Values.routing.classes (ne .Values.issuer.kind "AcmeIssuer") }}{{ $wrong = append $wrong "issuer.kind=AcmeIssuer, as routing.classes is set: cert-manager's challenges are answered through one class" }}{{ end }}
{{- range include "projectdomain.classes" . | fromJsonArray }}
{{- $controllers := include "projectdomain.controllers" (dict "root" $ "kind" .kind) | fromYaml }}
{{- $controller := get $controllers .controller | default dict }}
{{- if not $controller }}{{ $wrong = append $wrong (printf "controller of class %s: %s, as %s is no controller of %s" .class (keys $controllers | sortAlpha | join ", ") .controller (ternary "a Gateway" "Ingresses" (eq .kind "Gateway"))) }}
{{- else if and .listeners (not (has .listeners $controller.listeners)) }}{{ $wrong = append $wrong (printf "gateway.listeners of class %s: %s, as %s has them nowhere else" .class (join " or " $controller.listeners) .controller) }}
{{- else if and $.Values.wildcards (not .isRetired) (not (or $controller.wildcardAnnotations $controller.servesWildcards)) }}{{ $wrong = append $wrong (printf "wildcards=false, as class %s serves none: its controller is %s" .class .controller) }}{{ end }}
{{- end }}
{{- if and .Values.gateway.name (not .Values.httpsRedirect) }}{{ $wrong = append $wrong "httpsRedirect=true, as gateway.name is set: by Gateway API http leads to https" }}{{ end }}
{{- if and .Values.api.ingress.enabled (not .Values.api.ingress.className) (not .Values.ingressClass) }}{{ $wrong = append $wrong "api.ingress.className, as there is no ingressClass" }}{{ end }}
{{- if not .Values.issuer.name }}{{ $wrong = append $wrong "issuer.name: an AcmeIssuer or, with issuer.kind=ClusterIssuer, a ClusterIssuer (kubectl get acmeissuers,clusterissuers; config/issuers has some for Let's Encrypt)" }}{{ end }}
{{- if and .Release.IsUpgrade .Values.issuer.name (eq .Values.issuer.kind "AcmeIssuer") (.Capabilities.APIVersions.Has "cert-manager.io/v1/ClusterIssuer") }}
{{- if and (lookup "cert-manager.io/v1" "ClusterIssuer" "" .Values.issuer.name) (not (lookup "projectdomain.io/v1alpha1" "AcmeIssuer" "" .Values.issuer.name)) }}{{ $wrong = append $wrong (printf "issuer.kind=ClusterIssuer, as %s is one and there is no AcmeIssuer of that name (AcmeIssuer is the default now; docs/upgrade.md)" .Values.issuer.name) }}{{ end }}
{{- end }}
{{- with .Values.issuer.challengeZone }}{{ if .name }}
{{- if ne $.Values.issuer.kind "AcmeIssuer" }}{{ $wrong = append $wrong "issuer.kind=AcmeIssuer, as issuer.challengeZone.name is set" }}{{ end }}
{{- if not (and .primary .servers .tsig.keyName .tsig.secretName) }}{{ $wrong = append $wrong "issuer.challengeZone: primary, servers, tsig.keyName and tsig.secretName, as its name is set" }}{{ end }}
{{- end }}{{ end }}
{{- if and .Values.wildcards (not .Values.issuer.challengeZone.name) }}{{ $wrong = append $wrong "issuer.challengeZone, as wildcards=true: their certificates are ordered by DNS-01 alone" }}{{ end }}
{{- if and (or .Values.ingressClass .Values.gateway.name (not .Values.routing.classes)) (not (or .Values.platformAddresses .Values.probe.address)) }}{{ $wrong = append $wrong "platformAddresses: the ingress' public addresses (or probe.address)" }}{{ end }}
{{- if not (or .Values.redis.url .Values.redis.included) }}{{ $wrong = append $wrong "redis.url (or redis.included=true for a trial)" }}{{ end }}
{{- if and .Values.networkPolicy.deniedRanges (not .Values.networkPolicy.apiServerRanges) }}{{ $wrong = append $wrong "networkPolicy.apiServerRanges: where the API server of Kubernetes is (kubectl get endpoints kubernetes), beside networkPolicy.deniedRanges" }}{{ end }}
{{- if and .Values.redis.url .Values.redis.included }}{{ $wrong = append $wrong "redis.url and redis.included exclude each other" }}{{ end }}
{{- if and .Values.validatingResolvers.enabled (not .Values.validatingResolvers.image) }}{{ $wrong = append $wrong "validatingResolvers.image: an image with Unbound" }}{{ end }}
{{- if and .Values.validatingResolvers.enabled (ne (len .Values.validatingResolvers.clusterIPs) 2) }}{{ $wrong = append $wrong "validatingResolvers.clusterIPs: two free addresses of the cluster's Service range" }}{{ end }}
{{- if and .Values.api.ingress.enabled (not .Values.api.ingress.host) }}{{ $wrong = append $wrong "api.ingress.host: the hostname of the API" }}{{ end }}
{{- if and .Values.api.ingress.enabled (not .Values.api.trustedProxies) }}{{ $wrong = append $wrong "api.trustedProxies: CIDR ranges of the ingress controller's Pods, or all of its clients share the budget of one address" }}{{ end }}
{{- if and .Values.api.authorize.apis (not .Values.api.trustedProxies) }}{{ $wrong = append $wrong "api.trustedProxies: CIDR ranges of the proxies that ask about api.authorize.apis, or all of their clients share the budget of one address" }}{{ end }}
{{- if and .Values.api.authorize.apis .Values.networkPolicy.enabled (not .Values.api.authorize.from) }}{{ $wrong = append $wrong "api.authorize.from: the Pods of the proxies that ask about api.authorize.apis, as from of a NetworkPolicy" }}{{ end }}
{{- if and .Values.redis.sentinels (not .Values.redis.masterName) }}{{ $wrong = append $wrong "redis.masterName: what the Sentinels call the primary" }}{{ end }}
{{- if and .Values.redis.sentinels .Values.redis.included }}{{ $wrong = append $wrong "redis.sentinels and redis.included exclude each other" }}{{ end }}
{{- if and .Values.redis.cluster (or .Values.redis.sentinels .Values.redis.included) }}{{ $wrong = append $wrong "redis.cluster, redis.sentinels and redis.included exclude each other" }}{{ end }}
{{- with .Values.dashboard.accentColour }}{{ if ne (empty .light) (empty .dark) }}{{ $wrong = append $wrong "dashboard.accentColour: light and dark, or neither" }}{{ end }}{{ end }}
{{- with .Values.api.autoscaling }}{{ if gt (int .minReplicas) (int .maxReplicas) }}{{ $wrong = append $wrong "api.autoscaling.minReplicas: no more than api.autoscaling.maxReplicas" }}{{ end }}{{ end }}
{{- if $wrong }}{{ fail (printf "\n\nPlease set:\n  - %s\n" (join "\n  - " $wrong)) }}{{ end }}
{{- end }}

{{/* What redirects need to keep working after the rest is uninstalled. */}}
{{- define "projectdomain.keepRoutes" -}}
{{- if .Values.uninstall.keepRoutes }}
annotations: { helm.sh/resource-policy: keep }
{{- end }}
{{- end }}
