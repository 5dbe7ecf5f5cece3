vim9script
# Keeps the environment in sight of every request window: in its status line, or where that is none
# of ours, in a corner that has no text.

import autoload 'postkit/command.vim'
import autoload 'postkit/config.vim'
import autoload 'postkit/document.vim'
import autoload 'postkit/environment.vim'
import autoload 'postkit/highlight.vim'
import autoload 'postkit/hints.vim'

# Vim's own line with 'ruler', and what we have to say in it.
const line = '%<%f %h%m%r%=%{%postkit#badge#Line()%} %-14.(%l,%c%V%) %P'

# Time in which a window that has changed is drawn.
const later_milliseconds = 50

# By window id: {popup, place, lnum}.
var badges: dict<dict<any>> = {}
# Whether the user leaves open when windows have a status line; known at the first window of ours.
var isFree: any = null
# Whether a lone window has one for our sake.
var isRaised = false
# The timer that places badges once more.
var later = 0

# Puts the badges where they belong now.
export def Update()
  Place()
enddef

# Where a window was not drawn yet, its lines have no rows: such a badge is placed a moment later.
def Place(isLast = false)
  highlight.Ready()
  var gone = badges
  badges = {}
  var wanted = getwininfo()->filter((_, info) =>
    info.tabnr == tabpagenr() && info.width >= 20)
  var served = copy(wanted)->filter((_, info) => Wanted(info.bufnr))
  for info in wanted
    Dress(info.winid, index(served, info) >= 0)
  endfor
  Raise(indexof(served, (_, info) => getwinvar(info.winid, '&statusline') ==# line) >= 0)
  for info in served
    var text = environment.Words(info.bufnr)
    if text != '' && !Says(info.winid)
      var old = has_key(gone, string(info.winid)) ? remove(gone, string(info.winid)) : {}
      badges[info.winid] = Placed(old, info, text)
    endif
  endfor
  for badge in values(gone)
    popup_close(badge.popup)
  endfor
  timer_stop(later)
  if !isLast && indexof(values(badges), (_, badge) => badge.popup == 0) >= 0
    later = timer_start(later_milliseconds, (_) => Place(true))
  endif
enddef

def Wanted(bufnr: number): bool
  return config.Get('badge') && document.Attached(bufnr) && getbufvar(bufnr, '&buftype') == ''
enddef

# Gives a window our status line where the user has none, or takes it away.
def Dress(window: number, isServed: bool)
  var own = getwinvar(window, '&statusline')
  if isServed && own == ''
    noautocmd setwinvar(window, '&statusline', line)
  elseif !isServed && own ==# line
    noautocmd setwinvar(window, '&statusline', '')
  endif
enddef

# Lets a lone window have a status line while there is something of ours in it.
def Raise(isWanted: bool)
  isFree = isFree ?? execute('verbose set laststatus?')->trim()->split("\n")->len() == 1
  if isWanted && isFree && &laststatus == 1
    isRaised = true
    noautocmd set laststatus=2
  elseif !isWanted && isRaised
    isRaised = false
    if &laststatus == 2
      noautocmd set laststatus=1
    endif
  endif
enddef

# Whether the status line of a window is seen and has the environment in it.
def Says(window: number): bool
  return getwinvar(window, '&statusline') =~# 'postkit#'
    && (&laststatus == 2 || (&laststatus == 1 && winnr('$') > 1))
enddef

# The environment and what is under way, for the status line of the current window.
export def Line(): string
  var bufnr = bufnr()
  var name = environment.Bar(bufnr) ?? environment.Words(bufnr)
  return join(filter([command.Work(), name], (_, each) => each != ''))
enddef

def Placed(old: dict<any>, info: dict<any>, name: string): dict<any>
  var group = environment.Guarded(info.bufnr) ? 'PostKitGuarded'
    : environment.Active(info.bufnr) == '' ? 'PostKitHint' : 'PostKitEnvironment'
  var width = min([info.width / 2, strdisplaywidth(name) + 2])
  var lnum = Free(info, width, get(old, 'lnum', 0))
  var row = lnum == 0 ? 0 : screenpos(info.winid, lnum, 1).row
  var badge = {place: [row, info.wincol + info.width - 1, name, group], lnum: lnum, popup: 0}
  if get(old, 'place', []) == badge.place && !empty(popup_getpos(old.popup))
    return old
  endif
  popup_close(get(old, 'popup', 0))
  badge.popup = row == 0 ? 0 : popup_create(name, {
    line: row, col: badge.place[1], pos: 'topright', padding: [0, 1, 0, 1],
    highlight: group, zindex: 20, wrap: false, maxwidth: width - 2, maxheight: 1,
  })
  return badge
enddef

# The line at whose end a badge covers nothing, the last one if it still is one; 0 where there is
# none. Results and values stand behind no line that is blank or a comment.
def Free(info: dict<any>, width: number, last: number): number
  for lnum in [last] + range(info.topline, info.botline)
    var text = lnum < info.topline || lnum > info.botline ? 'none'
      : get(getbufline(info.bufnr, lnum), 0, '')
    if text =~ '^\s*\%(#\|//\|$\)'
        && info.textoff + strdisplaywidth(text) + width + 1 < info.width
        && screenpos(info.winid, lnum, 1).row > 0
      return lnum
    endif
  endfor
  return 0
enddef

# After a change of the text, under which a badge may have to give way.
def Changed()
  if !empty(badges)
    Place()
  endif
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
    autocmd TextChanged,TextChangedI * Changed()
    autocmd OptionSet laststatus,statusline Place()
    autocmd WinScrolled * hints.Scrolled()
    autocmd WinClosed * timer_start(0, (_) => Place())
  augroup END
  Place()
enddef
