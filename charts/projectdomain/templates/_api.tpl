{{/* The API server's container; call with (dict "root" $ "identity" NAME-OF-THE-VOLUME). */}}
{{- define "projectdomain.apiContainer" }}
name: api
image: {{ include "projectdomain.image" .root | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
args: [lib/api-server/main.js, --config, /etc/projectdomain/api/config.json]
env:
  {{- include "projectdomain.logLevel" .root | nindent 2 }}
  {{- include "projectdomain.tracing" .root | nindent 2 }}
ports:
  - { name: http, containerPort: 8080 }
  {{- if .root.Values.api.authorize.apis }}
  - { name: authorize, containerPort: 8081 }
  {{- end }}
  - { name: api-metrics, containerPort: 9403 }
{{ include "projectdomain.probes" . | replace "port: metrics" "port: api-metrics" }}
resources: {{ toYaml .root.Values.api.resources | nindent 2 }}
securityContext: {{ include "projectdomain.containerSecurity" . | nindent 2 }}
volumeMounts:
  - { name: api-config, mountPath: /etc/projectdomain/api, readOnly: true }
  - { name: {{ .identity }}, mountPath: /var/run/secrets/kubernetes.io/serviceaccount, readOnly: true }
  {{- if .root.Values.api.standalone }}
  - { name: hmac, mountPath: /etc/projectdomain/hmac, readOnly: true }
  {{- end }}
  {{- if include "projectdomain.redisPassword" .root }}
  - { name: redis-password, mountPath: /etc/projectdomain/redis-password, readOnly: true }
  {{- end }}
  {{- if .root.Values.redis.sentinelPasswordSecret.name }}
  - { name: sentinel-password, mountPath: /etc/projectdomain/sentinel-password, readOnly: true }
  {{- end }}
  {{- if .root.Values.redis.caSecret }}
  - { name: redis-ca, mountPath: /etc/projectdomain/redis-ca, readOnly: true }
  {{- end }}
{{- end }}

{{- define "projectdomain.apiVolumes" -}}
- name: api-config
  configMap: { name: projectdomain-api }
{{- if .Values.api.standalone }}
# Created by the operator when it first starts; the Pod waits for it.
- name: hmac
  secret: { secretName: projectdomain-hmac, items: [{ key: key, path: hmac.key }] }
{{- end }}
{{- with include "projectdomain.redisPassword" . | fromJson }}
{{- if .name }}
- name: redis-password
  secret: { secretName: {{ quote .name }}, items: [{ key: {{ quote .key }}, path: password }] }
{{- end }}
{{- end }}
{{- if .Values.redis.sentinelPasswordSecret.name }}
- name: sentinel-password
  secret: { secretName: {{ quote .Values.redis.sentinelPasswordSecret.name }}, items: [{ key: {{ quote .Values.redis.sentinelPasswordSecret.key }}, path: password }] }
{{- end }}
{{- if .Values.redis.caSecret }}
- name: redis-ca
  secret: { secretName: {{ quote .Values.redis.caSecret }}, items: [{ key: ca.crt, path: ca.crt }] }
{{- end }}
{{- end }}

{{/* The part of the configuration that is read at startup: changing it restarts the Pods. */}}
{{- define "projectdomain.apiChecksums" -}}
checksum/api-config: {{ include (print .Template.BasePath "/api-config.yaml") . | sha256sum }}
{{- end }}
