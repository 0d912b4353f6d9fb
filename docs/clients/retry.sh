#!/bin/sh
# How a client of the API waits (docs/rest-api.md, Backing off): curl in a POSIX shell. curl's own --retry knows Retry-After
# and doubles its pauses, but all clients that it is used by come back at the same moment.
#   API_KEY=pd_… sh retry.sh https://api.example.net/v1/account [COUNT]
set -eu

base=1 # seconds
cap=60
most_attempts=8

# A whole number from 0 to $1.
jitter() {
  awk -v most="$1" -v seed="$(od -An -N4 -tu4 /dev/urandom)" 'BEGIN { srand(seed); print int(rand() * (most + 1)) }'
}

# Calls curl with its arguments until the request is not refused (429, 503) and is answered. Prints the last status; the
# body is in the file $body. 000 where there never was an answer.
call_with_backoff() {
  attempt=0
  pause=$base
  while :; do
    status=$(curl --silent --max-time 30 --output "$body" --dump-header "$headers" --write-out '%{http_code}' "$@") || status=000
    case $status in
      429 | 503 | 000) ;;
      *) break ;;
    esac
    [ "$attempt" -lt "$most_attempts" ] || break
    told=$(awk 'tolower($1) == "retry-after:" && $2 ~ /^[0-9]+\r?$/ { print $2 + 0 }' "$headers" | tail -n 1)
    sleep $((${told:-0} + $(jitter "$pause")))
    attempt=$((attempt + 1))
    pause=$((pause * 2 < cap ? pause * 2 : cap))
  done
  echo "$status"
}

body=$(mktemp)
headers=$(mktemp)
# Not among the arguments, which other users of the machine can see.
config=$(mktemp)
trap 'rm -f "$body" "$headers" "$config"' EXIT
printf 'header = "Authorization: Bearer %s"\n' "$API_KEY" >"$config"
sent=0
while [ "$sent" -lt "${2:-1}" ]; do
  : >"$headers"
  call_with_backoff --config "$config" "$1"
  sent=$((sent + 1))
done
