{{/* Who may scrape metrics; `helm test` checks readiness on the same ports. */}}
{{- define "projectdomain.fromMetricsReaders" -}}
{{- with .Values.networkPolicy.metricsFrom -}}
from:
  - podSelector:
      matchLabels:
        {{- include "projectdomain.selector" (dict "root" $ "component" "test") | nindent 8 }}
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Who may be served by the API; `helm test` asks it too. */}}
{{- define "projectdomain.fromEdges" -}}
{{- with .Values.networkPolicy.servedFrom -}}
from:
  - podSelector:
      matchLabels:
        {{- include "projectdomain.selector" (dict "root" $ "component" "test") | nindent 8 }}
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "projectdomain.fromAuthorizingProxies" -}}
{{- if .Values.api.authorize.apis -}}
- ports: [{ port: 8081 }]
  from:
    {{- toYaml .Values.api.authorize.from | nindent 4 }}
{{- end }}
{{- end }}

{{- define "projectdomain.apiServerPorts" -}}
{{- range .Values.networkPolicy.apiServerPorts }}
- { port: {{ . }} }
{{- end }}
{{- end }}

{{- define "projectdomain.apiServerBlocks" -}}
{{- range .Values.networkPolicy.apiServerRanges }}
- ipBlock: { cidr: {{ quote . }} }
{{- end }}
{{- end }}

{{/* A block's exceptions must be of the same address family. */}}
{{- define "projectdomain.anywhereButDenied" -}}
{{- $four := list }}
{{- $six := list }}
{{- range .Values.networkPolicy.deniedRanges }}
{{- if contains ":" . }}{{ $six = append $six . }}{{ else }}{{ $four = append $four . }}{{ end }}
{{- end }}
- to:
    - ipBlock: { cidr: 0.0.0.0/0, except: {{ $four | toJson }} }
    - ipBlock: { cidr: '::/0', except: {{ $six | toJson }} }
{{- end }}

{{/* What queries name servers may reach: the Internet without networkPolicy.deniedRanges, and its own surroundings. */}}
{{- define "projectdomain.lookupEgress" -}}
{{ include "projectdomain.anywhereButDenied" . | trim }}
- to:
    {{- include "projectdomain.apiServerBlocks" . | nindent 4 }}
  ports:
    {{- include "projectdomain.apiServerPorts" . | nindent 4 }}
# The cluster's DNS, to resolve Redis.
- to:
    - namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: kube-system } }
      podSelector: { matchLabels: { k8s-app: kube-dns } }
  ports: [{ port: 53, protocol: UDP }, { port: 53 }]
{{- if .Values.redis.included }}
- to:
    - podSelector:
        matchLabels:
          {{- include "projectdomain.selector" (dict "root" $ "component" "redis") | nindent 10 }}
  ports: [{ port: 6379 }]
{{- end }}
{{- if .Values.validatingResolvers.enabled }}
- to:
    {{- range $index, $_ := .Values.validatingResolvers.clusterIPs }}
    - podSelector:
        matchLabels:
          {{- include "projectdomain.selector" (dict "root" $ "component" (printf "resolver-%d" (add1 $index))) | nindent 10 }}
    {{- end }}
  ports: [{ port: 5353, protocol: UDP }, { port: 5353 }]
{{- end }}
{{- with .Values.networkPolicy.allowedPeers }}
- to: {{- toYaml . | nindent 4 }}
{{- end }}
{{- end }}

{{/* Where name servers may be: everywhere but in private ranges and networkPolicy.deniedRanges, as `to`. */}}
{{- define "projectdomain.internetBlocks" -}}
{{- $four := list "10.0.0.0/8" "100.64.0.0/10" "127.0.0.0/8" "169.254.0.0/16" "172.16.0.0/12" "192.168.0.0/16" }}
{{- $six := list "fc00::/7" "fe80::/10" }}
{{- range .Values.networkPolicy.deniedRanges }}
{{- if contains ":" . }}{{ $six = append $six . }}{{ else }}{{ $four = append $four . }}{{ end }}
{{- end }}
- ipBlock: { cidr: 0.0.0.0/0, except: {{ $four | uniq | toJson }} }
- ipBlock: { cidr: '::/0', except: {{ $six | uniq | toJson }} }
{{- end }}

{{/* The resolvers that the operator asks, as JSON: the installation's own, or those that are configured. */}}
{{- define "projectdomain.resolvers" -}}
{{- if .Values.validatingResolvers.enabled }}
{{- $own := list }}
{{- range .Values.validatingResolvers.clusterIPs }}
{{- $own = append $own (printf (ternary "[%s]:53" "%s:53" (contains ":" .)) .) }}
{{- end }}
{{- $own | toJson }}
{{- else }}
{{- .Values.dns.resolvers | toJson }}
{{- end }}
{{- end }}
