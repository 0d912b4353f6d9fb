{{/* The vantage points as in the operator's configuration, JSON. */}}
{{- define "projectdomain.vantagePoints" -}}
{{- $points := list }}
{{- range .Values.dns.vantagePoints }}
{{- $folder := printf "/etc/projectdomain/vantage/%s" .name }}
{{- $ca := ternary (printf "%s-ca/ca.crt" $folder) nil (ne (default "" .caConfigMap) "") }}
{{- $points = append $points (dict "name" .name "url" .url "tokenFile" (printf "%s/token" $folder) "caFile" $ca) }}
{{- end }}
{{- $points | toJson }}
{{- end }}

{{- define "projectdomain.vantageMounts" -}}
{{- range .Values.dns.vantagePoints }}
- { name: vantage-{{ .name }}, mountPath: /etc/projectdomain/vantage/{{ .name }}, readOnly: true }
{{- if .caConfigMap }}
- { name: vantage-{{ .name }}-ca, mountPath: /etc/projectdomain/vantage/{{ .name }}-ca, readOnly: true }
{{- end }}
{{- end }}
{{- end }}

{{- define "projectdomain.vantageVolumes" -}}
{{- range .Values.dns.vantagePoints }}
- name: vantage-{{ .name }}
  secret: { secretName: {{ quote .tokenSecret }}, items: [{ key: token, path: token }] }
{{- if .caConfigMap }}
- name: vantage-{{ .name }}-ca
  configMap: { name: {{ quote .caConfigMap }} }
{{- end }}
{{- end }}
{{- end }}
