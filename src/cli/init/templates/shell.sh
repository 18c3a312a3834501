#!/bin/sh
# A Proofmark adapter: puts your command in front of `proofmark`, one line in, one line out.
#
#     proofmark check -- sh adapter.sh     is this adapter sound?
#     proofmark run -- sh adapter.sh       does the implementation conform?
#
# It needs a POSIX shell, jq 1.6 and base64. Change the parts marked YOURS. Every request starts a few processes: fine to
# begin with; the Python or Node skeleton is a hundred times faster.

# YOURS: who you are, and the roles you claim (`proofmark list` names them all).
hello='{"protocol": 1,
  "implementation": {"name": "my-implementation", "version": "0.0.0", "language": "shell"},
  "roles": ["jcs/canonicalizer"]}'

# YOURS: your command. The document on standard input, the canonical bytes on standard output; an exit status other than 0
# means that the input was turned down, and standard error says why. This stand-in is what people write first, and it fails
# many cases.
canonicalize() {
  canonical=$(jq -cS .) && printf '%s' "$canonical"
}

# YOURS: one entry for every operation of the roles you claim.
operation() {
  case $op in
    hello) reply "\"ok\":$hello" ;;
    echo) read_document && write_document "$work/in" ;;
    jcs.canonicalize)
      read_document || return
      # Benchmarks ask for the same work several times over; everyone else asks once.
      while [ "$repeat" -gt 0 ]; do
        canonicalize <"$work/in" >"$work/out" 2>"$work/why" || break
        repeat=$((repeat - 1))
      done
      if [ "$repeat" -eq 0 ]; then write_document "$work/out"
      else reply "\"refused\":{\"message\":$(head -c 500 "$work/why" | jq -Rs .)}"
      fi ;;
    *) reply '"unsupported":{}' ;;
  esac
}

# A document travels as {"text": …}, or as {"base64": …} where its bytes are not UTF-8. On the way in jq has turned both
# into base64, and on the way back base64 is always right. In between it is in a file: no variable can hold every byte.
read_document() { printf '%s' "$document" | base64 -d >"$work/in"; }
write_document() { reply "\"ok\":{\"document\":{\"base64\":\"$(base64 <"$1" | tr -d '\n')\"}}"; }
reply() { printf '%s' "{\"id\":$id,$1}" | tr -d '\n'; echo; }

# From a request to four variables of this shell, quoted by jq (`@sh`); nothing where the line is no request.
# shellcheck disable=SC2016
variables='select(length == 1) | .[0] | select((.id | type) == "number" and (.op | type) == "string")?
  | ((.params? | objects | .document | objects) // {}) as $document
  | @sh "id=\(.id) op=\(.op) repeat=\(.params.repeat? // 1) document=\(
      if $document | has("text") then $document.text | @base64 else $document.base64 // "!" end)"'

# Bytes are bytes, whatever the locale of the user.
export LC_ALL=C
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

while IFS= read -r line; do
  # Read as JSON, not as raw text: raw text breaks characters at jq 1.6's block borders.
  assignments=$(printf '%s' "$line" | jq -rs "$variables")
  if [ -z "$assignments" ]; then
    echo '{"id":null,"fault":{"message":"this line is no request"}}'
  else
    eval "$assignments"
    operation </dev/null || reply '"fault":{"message":"the adapter failed"}'
  fi
done
