# SPDX-License-Identifier: Apache-2.0
# For tests/browser/run and figures, which source this: finds Chromium and Node's packages, and starts `ridge serve`.

# Sets browser and folder (where Node's packages are); exits with 77 and says why where something is not there.
find_browser() {
  browser=${RIDGE_BROWSER:-$(command -v chromium || command -v google-chrome || command -v chromium-browser || true)}
  if [[ -z $browser ]]; then echo "skipped: no Chromium: install the package chromium, or set RIDGE_BROWSER"; exit 77; fi
  local status=0
  folder=$(tools/check-web --install) || status=$?
  if ((status)); then echo "$folder"; exit "$status"; fi
  folder=${folder##*$'\n'}
}

# Starts the command, which prints its address, and sets server (its process) and address.
start_server() {
  "$@" >"$scratch/log" 2>&1 &
  server=$!
  address=
  for _ in $(seq 150); do
    address=$(grep -oE 'http://[0-9a-z.:]+/' "$scratch/log" | head -1 || true)
    if [[ -n $address ]]; then return 0; fi
    if ! kill -0 "$server" 2>/dev/null; then break; fi
    sleep 0.1
  done
  echo "the server did not start:"
  cat "$scratch/log"
  exit 1
}
