# Completion of postkit's command line in bash. Subcommands and options are asked of the program
# itself, names of requests and environments of the file on the line.

_postkit() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} file= candidate
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "help $(postkit help 2> /dev/null | sed -n 's/^  \([a-z]*\) .*/\1/p')" -- "$word"))
    return
  fi
  for candidate in "${COMP_WORDS[@]:2}"; do
    [[ $candidate == *.@(http|rest) ]] && file=$candidate && break
  done
  local IFS=$'\n'
  case $before in
    --env | -e) COMPREPLY=($(compgen -W "$(_postkit_names env environment "$file")" -- "$word")) ;;
    --name) COMPREPLY=($(compgen -W "$(_postkit_names check name "$file")" -- "$word")) ;;
    --dialect)
      COMPREPLY=($(compgen -W $'auto\nrestclient\njetbrains\nhttpyac\nkulala\nrestnvim\nvisualstudio' -- "$word")) ;;
    --store) COMPREPLY=($(compgen -d -- "$word")) ;;
    *)
      if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "$(postkit help "${COMP_WORDS[1]}" 2> /dev/null |
          sed -n '/^  -/s/^  \([^ ]*[^ ,]\).*/\1/p')" -- "$word"))
      else
        COMPREPLY=($(compgen -d -- "$word") $(compgen -f -X '!*.@(http|rest)' -- "$word"))
        compopt -o filenames
      fi
      ;;
  esac
}

# The values of a member in what a subcommand says about a file.
_postkit_names() {
  [[ -n $3 ]] && postkit "$1" "$3" --json 2> /dev/null | grep -o "\"$2\":\"[^\"]*\"" | cut -d '"' -f 4 | sort -u
}

complete -F _postkit postkit
