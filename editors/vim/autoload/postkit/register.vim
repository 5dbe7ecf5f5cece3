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
  # A longer message has Vim wait for a key.
  var line = split(text, "\n")[0]
  var room = max([10, v:echospace - strdisplaywidth('PostKit: copied …')])
  var isLong = strdisplaywidth(line) > room
  config.Say('copied ' .. (isLong ? printf('%.' .. room .. 'S…', line) : line))
enddef
