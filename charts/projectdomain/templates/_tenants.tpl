{{/* Whom the admission policies bind: everybody but controllers and administrators. */}}
{{- define "projectdomain.tenantsOnly" }}
- name: not-a-controller
  expression: >-
    !(request.userInfo.username in [
    'system:serviceaccount:{{ .Release.Namespace }}:projectdomain-operator',
    'system:serviceaccount:{{ .Values.certManager.namespace }}:{{ .Values.certManager.serviceAccount }}',
    'system:kube-controller-manager'])
    && !('system:serviceaccounts:kube-system' in request.userInfo.?groups.orValue([]))
- name: not-an-administrator
  expression: "!authorizer.group('projectdomain.io').resource('hostnameclaims').check('create').allowed()"
{{- end }}
