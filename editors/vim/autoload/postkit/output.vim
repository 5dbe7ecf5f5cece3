vim9script
# What scripts print: in a buffer that opens when somebody asks for it.

import autoload 'postkit/config.vim'
import autoload 'postkit/uri.vim'

# So many lines are kept.
const most = 2000
const words = {warn: 'warning: ', error: 'error: '}

var kept: list<string> = []
var buffer = 0

# Takes note of what a script printed.
export def Told(printed: dict<any>)
  var path = printed.uri =~# '^file:' ? fnamemodify(uri.ToPath(printed.uri), ':~:.') : printed.uri
  # As gF reads it.
  var place = has_key(printed, 'line') ? printf('%s:%d', path, printed.line + 1) : path
  var text = get(words, printed.level, '') .. printed.text
  extend(kept, split(place .. ': ' .. text, "\n", true))
  if len(kept) > most
    remove(kept, 0, len(kept) - most - 1)
  endif
  if buffer > 0 && bufexists(buffer)
    Draw()
  endif
enddef

# Shows what scripts have printed in this session.
export def Show()
  if empty(kept)
    config.Say('No script has printed anything yet.')
    return
  endif
  if buffer == 0 || !bufexists(buffer)
    # A name of `postkit:` would be asked of the server.
    buffer = bufadd('[PostKit output]')
    setbufvar(buffer, '&buftype', 'nofile')
    bufload(buffer)
    setbufvar(buffer, '&bufhidden', 'hide')
    setbufvar(buffer, '&swapfile', false)
  endif
  var window = bufwinid(buffer)
  if window > 0
    win_gotoid(window)
  else
    botright split
    execute 'buffer' buffer
  endif
  Draw()
enddef

def Draw()
  setbufvar(buffer, '&modifiable', true)
  silent deletebufline(buffer, 1, '$')
  setbufline(buffer, 1, kept)
  setbufvar(buffer, '&modifiable', false)
  # Who looks at the end goes on doing so.
  for window in win_findbuf(buffer)
    win_execute(window, 'normal! G0')
  endfor
enddef
