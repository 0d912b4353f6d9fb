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
{{- with .Values.networkPolicy.allowedPeers }}
- to: {{- toYaml . | nindent 4 }}
{{- end }}
{{- end }}
