vim9script
# Keeps the name of the environment in sight, in the upper right corner of every request window.

import autoload 'postkit/config.vim'
import autoload 'postkit/document.vim'
import autoload 'postkit/environment.vim'
import autoload 'postkit/highlight.vim'
import autoload 'postkit/hints.vim'

# By window id: {popup, text, place}.
var badges: dict<dict<any>> = {}

# Puts the badges where they belong now.
export def Update()
  Place()
enddef

def Place()
  highlight.Ready()
  var gone = badges
  badges = {}
  for info in getwininfo()
    if info.tabnr != tabpagenr() || info.width < 20 || !Wanted(info.bufnr)
      continue
    endif
    var text = environment.Words(info.bufnr)
    if text != ''
      var old = has_key(gone, string(info.winid)) ? remove(gone, string(info.winid)) : {}
      badges[info.winid] = Placed(old, info, text)
    endif
  endfor
  for badge in values(gone)
    popup_close(badge.popup)
  endfor
enddef

def Wanted(bufnr: number): bool
  return config.Get('badge') && document.Attached(bufnr) && getbufvar(bufnr, '&buftype') == ''
enddef

def Placed(old: dict<any>, info: dict<any>, name: string): dict<any>
  var group = environment.Guarded(info.bufnr) ? 'PostKitGuarded'
    : environment.Active(info.bufnr) == '' ? 'PostKitHint' : 'PostKitEnvironment'
  var badge = {place: [info.winrow, info.wincol + info.width - 1, name, group], popup: 0}
  if get(old, 'place', []) == badge.place && !empty(popup_getpos(old.popup))
    return old
  endif
  popup_close(get(old, 'popup', 0))
  badge.popup = popup_create(name, {
    line: badge.place[0], col: badge.place[1], pos: 'topright', padding: [0, 1, 0, 1],
    highlight: group, zindex: 20, wrap: false, maxwidth: info.width / 2, maxheight: 1,
  })
  return badge
enddef

# Follows the windows from now on.
export def Follow()
  augroup postkit_badge
    autocmd!
    autocmd WinEnter,BufWinEnter,BufEnter,TabEnter,VimResized * Place()
    for event in ['WinResized', 'WinScrolled']
      if exists('##' .. event)
        execute printf('autocmd %s * Place()', event)
        break
      endif
    endfor
    autocmd WinScrolled * hints.Scrolled()
    autocmd WinClosed * timer_start(0, (_) => Place())
  augroup END
  Place()
enddef
