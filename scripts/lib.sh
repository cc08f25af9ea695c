# What the scripts share: messages, packages, and the private PostgreSQL and Redis.
# shellcheck shell=bash
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export SQLX_OFFLINE=${SQLX_OFFLINE:-true} # the build reads .sqlx; DATABASE_URL is for what runs

say() { printf '%s\n' "$*" >&2; }
die() {
  say "$*"
  exit 1
}

# postgres_bin [MAJOR]: the folder of the newest PostgreSQL programs from 15 on, or of that major version.
postgres_bin() {
  local bin
  for bin in $(printf '%s\n' /usr/lib/postgresql/*/bin "$(pg_config --bindir 2>/dev/null || true)" | sort -rV); do
    [ -x "$bin/initdb" ] || continue
    local major
    major=$("$bin/postgres" --version | sed 's/[^0-9]*\([0-9]*\).*/\1/')
    if [ "$major" = "${1:-$major}" ] && [ "$major" -ge 15 ]; then
      printf '%s\n' "$bin"
      return
    fi
  done
  return 1
}

redis_is_new() {
  local version
  version=$(redis-server --version 2>/dev/null | sed 's/.*v=\([0-9]*\).*/\1/')
  [ "${version:-0}" -ge 7 ]
}

# need WHAT…: installs the packages that give what is named (postgres redis psql cc chromium python venv faketime) where they are missing.
need() {
  local what missing=()
  for what; do
    case $what in
    postgres) postgres_bin >/dev/null || missing+=(postgresql) ;;
    psql) command -v psql >/dev/null || missing+=(postgresql-client) ;;
    redis) redis_is_new || missing+=(redis-server) ;;
    python) command -v python3 >/dev/null || missing+=(python3) ;;
    faketime) compgen -G '/usr/lib/*/faketime/libfaketime.so.1' >/dev/null || missing+=(faketime) ;;
    venv) python3 -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3 python3-venv) ;;
    cc) command -v cc >/dev/null || missing+=(build-essential) ;;
    chromium) [ -x "${CHROMIUM:-/usr/bin/chromium}" ] || missing+=(chromium fonts-liberation) ;;
    esac
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  install_packages "${missing[@]}"
  for what; do
    case $what in
    postgres) postgres_bin >/dev/null || die "PostgreSQL 15 or later is needed and this system's packages have an older one. Set DATABASE_URL to a server that you run." ;;
    redis) redis_is_new || die "Redis 7 or later is needed and this system's packages have an older one. Set REDIS_URL to a server that you run." ;;
    esac
  done
}

install_packages() {
  local sudo=()
  command -v apt-get >/dev/null || die "Missing: $*. Please install these; only Debian and Ubuntu are done by itself."
  if [ "$EUID" != 0 ]; then
    sudo=(sudo)
    command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; } ||
      die "Missing: $*. Please run as an administrator: apt-get install $*"
  fi
  say "Installing $* ..."
  # The packages' own services are not wanted: this file keeps them from being started.
  local policy=/usr/sbin/policy-rc.d ours=
  if [ ! -e $policy ]; then
    ours=1
    printf '#!/bin/sh\nexit 101\n' | "${sudo[@]}" tee $policy >/dev/null
    "${sudo[@]}" chmod 755 $policy
  fi
  local log status=0
  log=$(mktemp)
  { "${sudo[@]}" apt-get -qq update &&
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o DPkg::Lock::Timeout=300 \
      install --no-install-recommends "$@"; } >"$log" 2>&1 || status=$?
  [ -z "$ours" ] || "${sudo[@]}" rm -f $policy
  [ $status = 0 ] || say "$(tail -n 20 "$log")"
  rm -f "$log"
  [ $status = 0 ] || die "Could not install $*; the lines above say why."
}

# taken PORT: whether something answers there.
taken() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# free_port [WISH]: WISH where it is free, or one below the range that outgoing connections use.
free_port() {
  local port=${1:-}
  while [ -z "$port" ] || taken "$port"; do port=$((15000 + RANDOM % 17000)); done
  printf '%s\n' "$port"
}

# exec_as USER CMD…: becomes CMD, run as USER where root calls. It ends with the script, even a killed one,
# and does not hear the terminal's Ctrl-C.
exec_as() {
  local user=$1 change=()
  shift
  [ "$EUID" != 0 ] || change=(--reuid="$user" --regid="$(id -g "$user")" --init-groups)
  exec 9>&- # the lock of scripts/run
  cd / && exec setsid setpriv "${change[@]}" --pdeathsig INT -- "$@"
}

# own_folder USER DIR: makes a folder that only USER (the caller, where that is not root) may look into.
own_folder() {
  mkdir -p -m 700 "$2"
  own "$1:" "$2"
}

own() { [ "$EUID" != 0 ] || chown "$1" "$2"; }

# start_postgres DIR on|off AUTH: a server of our own in DIR, with fsync as given; sets pg_pid and DATABASE_URL.
# AUTH counts when the data is made: scram-sha-256, or trust for a server that lives as long as one command.
start_postgres() {
  local dir=$1 fsync=$2 auth=$3 bin port password sockets
  own_folder postgres "$dir"
  if [ -s "$dir/data/PG_VERSION" ]; then
    bin=$(postgres_bin "$(cat "$dir/data/PG_VERSION")") ||
      die "The data in $dir was made by PostgreSQL $(cat "$dir/data/PG_VERSION"), which is not installed."
  else
    bin=$(postgres_bin)
    rm -rf "$dir/new"
    (umask 077 && head -c 24 /dev/urandom | base64 | tr -d '+/=\n' >"$dir/password")
    own postgres: "$dir/password"
    (exec_as postgres "$bin/initdb" -D "$dir/new" -U postgres -E UTF8 --locale=C.UTF-8 \
      -A "$auth" --pwfile="$dir/password") >"$dir/initdb.log" 2>&1 ||
      die "PostgreSQL could not be set up: $(tail -n 3 "$dir/initdb.log")"
    mv "$dir/new" "$dir/data"
  fi
  password=$(cat "$dir/password")
  cp "$root/scripts/postgresql.conf" "$dir/data/postgresql.conf"
  # A quarter of the memory: from 4 GB on, the list of two million cases stays in it. Untouched pages take none.
  local memory
  memory=$(sed -n 's/^MemTotal: *\([0-9]*\) kB/\1/p' /proc/meminfo)
  printf 'shared_buffers = %dkB\neffective_cache_size = %dkB\n' $((memory > 16777216 ? 4194304 : memory / 4)) $((memory / 2)) \
    >>"$dir/data/postgresql.conf"
  sockets=$dir
  [ ${#dir} -lt 80 ] || sockets= # a longer path does not fit a socket's address
  for _ in 1 2 3; do
    port=$(free_port "$(cat "$dir/port" 2>/dev/null || true)")
    exec_as postgres "$bin/postgres" -D "$dir/data" -c port="$port" -c unix_socket_directories="$sockets" \
      -c fsync="$fsync" -c full_page_writes="$fsync" -c synchronous_commit="$fsync" >>"$dir/log" 2>&1 </dev/null &
    pg_pid=$!
    while kill -0 "$pg_pid" 2>/dev/null; do
      if "$bin/pg_isready" -q -h 127.0.0.1 -p "$port"; then
        echo "$port" >"$dir/port"
        export DATABASE_URL="postgres://postgres:$password@127.0.0.1:$port/toimik"
        create_database "$bin" || die "PostgreSQL runs but takes no orders; see $dir/log"
        return
      fi
      sleep 0.1
    done
    rm -f "$dir/port" # perhaps another took the port in between
  done
  die "PostgreSQL does not start: $(tail -n 3 "$dir/log")"
}

create_database() {
  local admin
  admin=$(with_database "$DATABASE_URL" postgres)
  [ "$("$1/psql" "$admin" -XAtc "select count(*) from pg_database where datname = 'toimik'")" = 1 ] ||
    "$1/psql" "$admin" -Xqc 'create database toimik'
}

# start_redis DIR yes|no: a Redis of our own in DIR, with its log of writes or without; sets redis_pid and REDIS_URL.
start_redis() {
  local dir=$1 log=$2 user=postgres port
  if id redis >/dev/null 2>&1; then user=redis; fi
  own_folder "$user" "$dir"
  for _ in 1 2 3; do
    port=$(free_port "$(cat "$dir/port" 2>/dev/null || true)")
    exec_as "$user" redis-server --port "$port" --bind 127.0.0.1 --dir "$dir" --save '' \
      --appendonly "$log" --appendfsync everysec --maxmemory-policy noeviction >>"$dir/log" 2>&1 </dev/null &
    redis_pid=$!
    while kill -0 "$redis_pid" 2>/dev/null; do
      if [ "$(redis-cli -p "$port" ping 2>/dev/null)" = PONG ]; then
        echo "$port" >"$dir/port"
        export REDIS_URL="redis://127.0.0.1:$port"
        return
      fi
      sleep 0.1
    done
    rm -f "$dir/port"
  done
  die "Redis does not start: $(tail -n 3 "$dir/log")"
}

# start_services DIR durable|fast AUTH: those of PostgreSQL and Redis that DATABASE_URL and REDIS_URL do not name.
start_services() {
  local fsync=on log=yes
  [ "$2" = durable ] || { fsync=off log=no; }
  [ -n "${DATABASE_URL:-}" ] || { need postgres && start_postgres "$1/postgres" $fsync "$3"; }
  [ -n "${REDIS_URL:-}" ] || { need redis && start_redis "$1/redis" $log; }
}

# with_database URL NAME: the URL of another database on the same server.
with_database() {
  local query=
  case $1 in *\?*) query="?${1#*\?}" ;; esac
  local plain=${1%%\?*}
  printf '%s/%s%s\n' "${plain%/*}" "$2" "$query"
}

# stop_services: in order, and waits; PostgreSQL is hurried after half a minute.
stop_services() {
  local pid
  for pid in ${redis_pid:-} ${pg_pid:-}; do
    kill -INT "$pid" 2>/dev/null || continue
    for _ in $(seq 300); do
      kill -0 "$pid" 2>/dev/null || break
      sleep 0.1
    done
    kill -QUIT "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
  done
}

# need_languages: Rust and Node are the two things that a machine has to bring.
need_languages() {
  command -v cargo >/dev/null || die "Rust is missing: install it from https://rustup.rs"
  command -v npm >/dev/null || die "Node is missing: 20.19 or later, with npm."
  node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' ||
    die "Node 20.19 or later is needed; this is $(node --version)."
}

# cargo_target: the folder that the programs are built into, by TOIMIK_PROFILE.
cargo_target() {
  local folder=debug
  [ "${TOIMIK_PROFILE:-release}" != release ] || folder=release
  printf '%s/%s\n' "${CARGO_TARGET_DIR:-$root/target}" "$folder"
}

# load_settings: from the environment, else from .env, else the defaults of .env.example.
load_settings() {
  local file line name
  for file in "$root/.env" "$root/.env.example"; do
    [ -f "$file" ] || continue
    while IFS= read -r line; do
      case $line in '' | '#'*) continue ;; esac
      name=${line%%=*}
      [ -n "${!name:-}" ] || export "$name=${line#*=}"
    done <"$file"
  done
  if [ -z "$TOIMIK_DATA" ]; then
    local base=/var/lib/toimik
    [ "$EUID" = 0 ] || base=${XDG_DATA_HOME:-$HOME/.local/share}/toimik
    TOIMIK_DATA=$base/$(printf %s "$root" | sha256sum | cut -c 1-12)
    export TOIMIK_DATA
  fi
}

# ready PORT: whether /readyz answers 200 there.
ready() {
  (
    exec 3<>"/dev/tcp/127.0.0.1/$1"
    printf 'GET /readyz HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n' >&3
    read -r -t 5 line <&3
    case $line in *' 200 '*) ;; *) exit 1 ;; esac
  ) 2>/dev/null
}

# step NAME CMD…: runs one check, shows what it prints, and counts its tests; a check without tests counts as one.
steps_passed=0 steps_failed=0 steps_wrong=()
step() {
  local name=$1 log start=$SECONDS status=0 passed failed
  shift
  log=$(mktemp)
  say "== $name"
  { "$@" 2>&1 && exit 0 || exit $?; } | tee "$log" >&2 || status=${PIPESTATUS[0]}
  read -r passed failed < <(counts "$log")
  rm -f "$log"
  if [ "$status" != 0 ]; then
    steps_wrong+=("$name")
    [ "$failed" != 0 ] || failed=1
  elif [ "$passed" = 0 ]; then
    passed=1
  fi
  steps_passed=$((steps_passed + passed)) steps_failed=$((steps_failed + failed))
  say "== $name: $([ "$status" = 0 ] && echo ok || echo FAILED), $((SECONDS - start)) s"
}

# counts FILE: the passed and failed tests by the closing lines of cargo-nextest, cargo test, vitest and Playwright.
counts() {
  sed 's/\x1b\[[0-9;]*m//g' "$1" | awk '
    /tests? run: / || /^test result: / || /^ *Tests  / || /^ *[0-9]+ (passed \(|failed$)/ {
      for (i = 2; i <= NF; i++) {
        if ($i ~ /^passed/) passed += $(i - 1)
        if ($i ~ /^failed/) failed += $(i - 1)
      }
    }
    END { print passed + 0, failed + 0 }'
}

# closing: the line that sums up all steps; the exit status says whether all was well.
closing() {
  [ ${#steps_wrong[@]} = 0 ] || say "Failed: $(printf '%s; ' "${steps_wrong[@]}" | sed 's/; $//')"
  printf '%s passed, %s failed\n' "$steps_passed" "$steps_failed"
  [ ${#steps_wrong[@]} = 0 ]
}

# clippy_is_silent: the same call as in scripts/gen, so that the second is quick; `-D warnings` would compile all anew.
clippy_is_silent() {
  local said
  said=$(cargo clippy -q --workspace --all-targets --locked 2>&1) && [ -z "$said" ] && return
  printf '%s\n' "$said"
  return 1
}

# lint_steps: what needs no server and no browser.
lint_steps() {
  step "Formatting" cargo fmt --all --check
  step "Structure" scripts/check-structure.mjs
  step "Licences, bans, sources" scripts/check-dependencies.mjs
  step "Clippy" clippy_is_silent
  scripts/console-packages
  step "Console lint and types" npm --prefix console run --silent lint
}
