# For scripts that need a running server. Source it in the root folder of the repository. `serve [FLAG]...` starts a server
# with a new database and sets `url` and FORMALIZE_TOKEN, the token of an administrator. Uploads to it may fill the disk, so
# that the scripts also work with less than a gigabyte left. `stop` stops it, so that another one can be started. When the
# script exits, the server is stopped and the temporary folder `$folder` is deleted; scripts may write to it.

target=$(cargo metadata --format-version 1 --no-deps --locked | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
folder=$(mktemp -d)
server=

stop() {
  if [ -n "$server" ]; then
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
  fi
  server=
}

finish() {
  stop
  rm -rf "$folder"
}
trap finish EXIT

serve() {
  cargo build --quiet --locked --workspace --bin formalize-server
  local database
  database=$(mktemp -d -p "$folder")/formalize.db
  : >"$folder/out"
  # The first start prints a token of the administrator, then the address.
  env -i PATH="$PATH" FORMALIZE_FILES_RESERVE=0 "$target/debug/formalize-server" --listen 127.0.0.1:0 --database-url "sqlite://$database" "$@" \
    >"$folder/out" 2>"$folder/log" &
  server=$!
  for _ in $(seq 200); do
    grep -q '^listening on ' "$folder/out" && break
    kill -0 "$server" || { cat "$folder/log" >&2; exit 1; }
    sleep 0.1
  done
  url=$(sed -n 's/^listening on //p' "$folder/out")
  FORMALIZE_TOKEN=$(sed -n 's/^admin token: //p' "$folder/out")
  export FORMALIZE_TOKEN
}
