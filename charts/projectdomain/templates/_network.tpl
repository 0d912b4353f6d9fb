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
