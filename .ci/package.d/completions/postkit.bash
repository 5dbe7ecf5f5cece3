# Completion of postkit's command line in bash. Subcommands and options are asked of the program
# itself, names of requests and environments of the file on the line.

_postkit() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} file= candidate
  local IFS=$'\n'
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "help"$'\n'"$(_postkit_subcommands)" -- "$word"))
    return
  fi
  for candidate in "${COMP_WORDS[@]:2}"; do
    [[ $candidate == *.http || $candidate == *.rest ]] && file=$candidate && break
  done
  case $before in
    help) COMPREPLY=($(compgen -W "$(_postkit_subcommands)" -- "$word")) ;;
    --env | -e) COMPREPLY=($(compgen -W "$(_postkit_names env environment "$file")" -- "$word")) ;;
    --name) COMPREPLY=($(compgen -W "$(_postkit_names check name "$file")" -- "$word")) ;;
    --dialect) COMPREPLY=($(compgen -W "$(_postkit_dialects)" -- "$word")) ;;
    --target) COMPREPLY=($(compgen -W "$(_postkit_targets)" -- "$word")) ;;
    --store) COMPREPLY=($(compgen -d -- "$word")) ;;
    *)
      if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "$(_postkit_options "${COMP_WORDS[1]}")" -- "$word"))
      else
        COMPREPLY=($(compgen -d -- "$word") $(compgen -f -X '!*.http' -- "$word")
          $(compgen -f -X '!*.rest' -- "$word"))
        compopt -o filenames
      fi
      ;;
  esac
}

_postkit_subcommands() { postkit help 2> /dev/null | sed -n 's/^  \([a-z]*\)  .*/\1/p'; }

# Every spelling of every option, one on a line.
_postkit_options() {
  postkit help "$1" 2> /dev/null | sed -n '/^  -/{s/^  //; s/   .*//; s/ [A-Z].*//; s/, /\n/g; p}'
}

_postkit_dialects() {
  postkit help run 2> /dev/null | sed -n '/^  --dialect/{s/.* as //; s/, /\n/g; p}'
}

_postkit_targets() {
  postkit help check 2> /dev/null | sed -n '/^  --target/{s/.* in //; s/, /\n/g; p}'
}

# The values of a member in what a subcommand says about a file.
_postkit_names() {
  [[ -n $3 ]] && postkit "$1" "$3" --json 2> /dev/null |
    grep -o "\"$2\":\"[^\"]*\"" | cut -d '"' -f 4 | sort -u
}

complete -F _postkit postkit
