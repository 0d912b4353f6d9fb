{{- define "vantage.labels" -}}
{{ include "vantage.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{/* What selects its Pods; never changes. */}}
{{- define "vantage.selector" -}}
app.kubernetes.io/name: projectdomain-vantage
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "vantage.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ with .Values.image.digest }}@{{ . }}{{ end }}
{{- end }}

{{/* A block's exceptions must be of the same address family. */}}
{{- define "vantage.anywhereButDenied" -}}
{{- $four := list }}
{{- $six := list }}
{{- range .Values.networkPolicy.deniedRanges }}
{{- if contains ":" . }}{{ $six = append $six . }}{{ else }}{{ $four = append $four . }}{{ end }}
{{- end }}
- to:
    - ipBlock: { cidr: 0.0.0.0/0, except: {{ $four | toJson }} }
    - ipBlock: { cidr: '::/0', except: {{ $six | toJson }} }
{{- end }}
