#!/bin/sh
# The first process of a node's own namespaces (mount, network, process): everything below it ends with it, and every
# mount, interface and iptables chain goes with the namespaces.
#
# Usage: node.sh DIR, where DIR holds commands/NAME for each program, run in this order and never again: when one of them
# ends the node ends. Starts when DIR/go appears.
set -eu
dir=$1

# Own copies of the mounts, then shared among the node's containers, as the kubelet wants them.
mount --make-rprivate /
mount --make-rshared /
mkdir -p "$dir/var/log" "$dir/var/lib/cni" "$dir/var/lib/kubelet" "$dir/var/tmp"
mount --bind "$dir/var" /var
mount -t tmpfs tmpfs /run
ln -s /run /var/run
ip link set lo up
echo 1 > /proc/sys/net/ipv4/ip_forward

while [ ! -e "$dir/go" ]; do sleep 0.1; done
pids=
for command in "$dir"/commands/*; do
  /bin/sh "$command" > "$dir/logs/node-$(basename "$command").log" 2>&1 &
  pids="$pids $!"
done
# `wait` for each in turn would miss the first that ends; waiting for `sleep` reaps whatever has.
while sleep 0.5; do
  for pid in $pids; do
    kill -0 "$pid" 2> /dev/null && continue
    echo "a program of the node has ended; see $dir/logs" >&2
    exit 1
  done
done
