#!/bin/sh
# parley install-service: installs the archive that this is in, as root. Run it again from a newer archive to change to that.
set -eu
units=$(dirname "$(readlink -f "$0")")
archive=$(dirname "$(dirname "$units")")
[ "$(id -u)" = 0 ] || { echo "Run this as root." >&2; exit 1; }

id parley >/dev/null 2>&1 || useradd --system --home-dir /var/lib/parley --shell /usr/sbin/nologin parley
[ "$archive" = /opt/parley ] || ln -sfn "$archive" /opt/parley
ln -sfn /opt/parley/parley /usr/local/bin/parley

install -d -m 750 -g parley /etc/parley
[ -e /etc/parley/parley.env ] || install -m 640 -g parley "$units/parley.env" /etc/parley/parley.env
[ -e /etc/parley/backup-passphrase ] || {
  install -m 640 -g parley /dev/null /etc/parley/backup-passphrase
  head -c 24 /dev/urandom | base64 > /etc/parley/backup-passphrase
}

install -m 644 "$units"/parley.service "$units"/parley-backup.service "$units"/parley-backup.timer /etc/systemd/system/
install -D -m 644 "$units/tmpfiles.d/parley.conf" /etc/tmpfiles.d/parley.conf
systemd-tmpfiles --create /etc/tmpfiles.d/parley.conf
systemctl daemon-reload
echo "Write your settings to /etc/parley/parley.env, then: systemctl enable --now parley parley-backup.timer"
