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
  config.Say('copied ' .. split(text, "\n")[0])
enddef
