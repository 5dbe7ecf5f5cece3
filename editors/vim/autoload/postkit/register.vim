vim9script
# Puts what the server answers into the unnamed and the system register.

import autoload 'postkit/config.vim'

# Takes the answer to a command that copies.
export def Take(text: any, error: any)
  if error != null
    config.Refused(error)
    return
  endif
  setreg('"', text)
  if has('clipboard')
    setreg('+', text)
  endif
  config.Say(Told(split(text, "\n")))
enddef

# What was copied, on one line: how many lines, and the first that is more than a remark.
def Told(lines: list<string>): string
  if empty(lines)
    return 'Copied an empty value'
  endif
  var code = copy(lines)->filter((_, line) => line !~ '^\s*\(#\|//\|$\)')
  var told = len(lines) == 1 ? 'Copied ' : printf('Copied %d lines: ', len(lines))
  var line = len(lines) == 1 ? lines[0] : get(code, 0, lines[0])
  var room = max([10, v:echospace - strdisplaywidth('PostKit: ' .. told .. '…')])
  return told .. (strdisplaywidth(line) > room ? printf('%.' .. room .. 'S…', line) : line)
enddef
