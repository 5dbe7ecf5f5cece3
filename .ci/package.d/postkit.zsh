#compdef postkit
# Completion of postkit's command line in zsh; the program itself says what there is.

local -a entries
local file=${words[(r)*.(http|rest)]}
if ((CURRENT == 2)); then
  entries=(${(f)"$(postkit help 2> /dev/null | sed -n 's/^  \([a-z]*\)  *\(.*\)/\1:\2/p')"})
  _describe subcommand entries
  return
fi
case ${words[CURRENT - 1]} in
  --env | -e) compadd -- ${(f)"$(postkit env $file --json 2> /dev/null | grep -o '"environment":"[^"]*"' | cut -d '"' -f 4)"} ;;
  --name) compadd -- ${(f)"$(postkit check $file --json 2> /dev/null | grep -o '"name":"[^"]*"' | cut -d '"' -f 4)"} ;;
  --dialect) compadd auto restclient jetbrains httpyac kulala restnvim visualstudio ;;
  --store) _files -/ ;;
  *)
    if [[ ${words[CURRENT]} == -* ]]; then
      entries=(${(f)"$(postkit help ${words[2]} 2> /dev/null | sed -n '/^  -/s/^  \([^ ]*[^ ,]\)[^ ]* .*  \(.*\)/\1:\2/p')"})
      _describe option entries
    else
      _files -g '*.(http|rest)'
    fi
    ;;
esac
