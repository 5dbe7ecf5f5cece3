#compdef postkit
# Completion of postkit's command line in zsh. Subcommands and options are asked of the program
# itself, names of requests and environments of the file on the line.

# Subcommands as NAME:DESCRIPTION.
_postkit_subcommands() { postkit help 2> /dev/null | sed -n 's/^  \([a-z]*\)  *\(.*\)/\1:\2/p' }

# Every spelling of every option, as SPELLING:DESCRIPTION.
_postkit_options() {
  postkit help $1 2> /dev/null | awk '/^  -/ {
    match($0, /[^ ]   */)
    description = substr($0, RSTART + RLENGTH)
    for (i = 1; $i ~ /^-/; i++) { sub(/,$/, "", $i); print $i ":" description }
  }'
}

_postkit_dialects() { postkit help run 2> /dev/null | sed -n '/^  --dialect/{s/.* as //; s/,//g; p}' }

_postkit_targets() { postkit help check 2> /dev/null | sed -n '/^  --target/{s/.* in //; s/,//g; p}' }

# The values of a member in what a subcommand says about a file.
_postkit_names() {
  [[ -n $3 ]] && postkit $1 $3 --json 2> /dev/null |
    grep -o "\"$2\":\"[^\"]*\"" | cut -d '"' -f 4 | sort -u
}

_postkit() {
  local -a entries
  local file=${words[(r)*.(http|rest)]}
  if ((CURRENT == 2)); then
    entries=(help:'Says more about a subcommand.' ${(f)"$(_postkit_subcommands)"})
    _describe subcommand entries
    return
  fi
  case ${words[CURRENT - 1]} in
    help) entries=(${(f)"$(_postkit_subcommands)"}); _describe subcommand entries ;;
    --env | -e) compadd -- ${(f)"$(_postkit_names env environment $file)"} ;;
    --name) compadd -- ${(f)"$(_postkit_names check name $file)"} ;;
    --dialect) compadd -- $(_postkit_dialects) ;;
    --target) compadd -- $(_postkit_targets) ;;
    --store) _files -/ ;;
    *)
      if [[ ${words[CURRENT]} == -* ]]; then
        entries=(${(f)"$(_postkit_options ${words[2]})"})
        _describe -o option entries
      else
        _files -g '*.(http|rest)'
      fi
      ;;
  esac
}

_postkit "$@"
