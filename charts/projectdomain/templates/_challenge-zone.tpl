{{/* The challenge zone as in the operator's configuration, JSON; an empty object without one. */}}
{{- define "projectdomain.challengeZone" -}}
{{- with .Values.issuer.challengeZone }}
{{- if .name }}
{{- $tsig := dict "keyName" .tsig.keyName "algorithm" .tsig.algorithm "secretFile" "/etc/projectdomain/challenge-zone/secret" }}
{{- dict "zone" .name "primary" .primary "servers" .servers "tsig" $tsig | toJson }}
{{- else }}
{{- dict | toJson }}
{{- end }}
{{- end }}
{{- end }}

{{- define "projectdomain.challengeZoneMount" -}}
{{- if .Values.issuer.challengeZone.name }}
- { name: challenge-zone, mountPath: /etc/projectdomain/challenge-zone, readOnly: true }
{{- end }}
{{- end }}

{{- define "projectdomain.challengeZoneVolume" -}}
{{- if .Values.issuer.challengeZone.name }}
- name: challenge-zone
  secret: { secretName: {{ quote .Values.issuer.challengeZone.tsig.secretName }}, items: [{ key: secret, path: secret }] }
{{- end }}
{{- end }}
