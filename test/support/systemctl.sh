#!/bin/sh
# The part of systemctl that the manual uses, for a machine without systemd (test/manual.test.ts): it reads the units themselves.
set -eu
value() { sed -n "s/^$2=//p" "/etc/systemd/system/$1"; }
# Runs the unit's command as its user, with its environment, in its folder.
run() {
  user=$(value "$1" User) folder=$(value "$1" WorkingDirectory)
  cd "${folder:-/}"
  # shellcheck disable=SC2046
  exec env -i PATH="$PATH" $(value "$1" Environment) setpriv --reuid="$user" --regid="$user" --init-groups $(value "$1" ExecStart)
}
start() {
  case $1 in *.timer) systemd-analyze calendar "$(value "$1" OnCalendar)" >&2; return ;; esac
  if [ "$(value "$1" Type)" = oneshot ]; then (run "$1" >> /run/journal 2>&1); return; fi
  [ ! -e "/run/$1.pid" ] || return 0
  (run "$1") >> /run/journal 2>&1 < /dev/null &
  echo $! > "/run/$1.pid"
  # Later than systemd, so that what follows finds the server at work.
  until curl --silent --fail --output /dev/null localhost:3000/readyz; do kill -0 $! || { cat /run/journal >&2; exit 1; }; sleep 0.2; done
}
stop() {
  [ -e "/run/$1.pid" ] || return 0
  kill "$(cat "/run/$1.pid")"
  while kill -0 "$(cat "/run/$1.pid")" 2>/dev/null; do sleep 0.1; done
  rm "/run/$1.pid"
}
action=$1
shift
for name in "$@"; do
  case $name in --*) continue ;; *.*) ;; *) name=$name.service ;; esac
  case $action in
    start|enable) start "$name" ;;
    stop) stop "$name" ;;
    restart) stop "$name"; start "$name" ;;
    reload) kill -HUP "$(cat "/run/$name.pid")" ;;
    *) echo "systemctl.sh has no $action" >&2; exit 1 ;;
  esac
done
