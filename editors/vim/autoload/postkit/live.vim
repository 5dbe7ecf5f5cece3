vim9script
# Asks for a text in a popup that never waits: at each letter what is under it may follow.

import autoload 'postkit/highlight.vim'

# Time between the last letter and what follows it.
const delay_milliseconds = 60

var popup = 0
var timer = 0
var text = ''
# The state of the question: {label, window, Changed, Done, kept, isPasting, row}.
var state: dict<any> = {}

# Whether a question is open.
export def IsOpen(): bool
  return popup != 0
enddef

# Asks for a text below a window. `Changed(text)` runs a moment after each letter, `Done(text)` at
# the end, with null when the person broke off; `kept` are texts of earlier, newest last.
export def Prompt(label: string, window: number, start: string, kept: list<string>,
    Changed: func, Done: func)
  highlight.Ready()
  Close()
  text = start
  state = {label: label, window: window, Changed: Changed, Done: Done, kept: kept,
    isPasting: false, row: len(kept)}
  var [row, column] = win_screenpos(window)
  popup = popup_create(Shown(), {
    line: row + winheight(window), col: column, minwidth: winwidth(window) - 2, maxheight: 1,
    highlight: 'PostKitPrompt', padding: [0, 1, 0, 1], zindex: 150, mapping: false,
    filter: Key, filtermode: 'n', callback: (_, _) => {
      popup = 0
    },
  })
enddef

def Shown(): string
  return state.label .. text .. '▏'
enddef

def Close()
  timer_stop(timer)
  if popup != 0
    popup_close(popup)
    popup = 0
  endif
enddef

def Key(_: number, key: string): bool
  if state.isPasting
    state.isPasting = false
    Become(text .. substitute(getreg(key), '\n\_.*', '', ''))
  elseif key == "\<Esc>" || key == "\<C-C>"
    Close()
    state.Done(null)
  elseif key == "\<CR>"
    Close()
    if text != '' && index(state.kept, text) < 0
      add(state.kept, text)
    endif
    state.Done(text)
  elseif key == "\<BS>" || key == "\<C-H>"
    Become(substitute(text, '.$', '', ''))
  elseif key == "\<C-U>"
    Become('')
  elseif key == "\<C-W>"
    Become(substitute(text, '\k*\%(\k\@!.\)*$', '', ''))
  elseif key == "\<C-R>"
    state.isPasting = true
  elseif key == "\<Up>" || key == "\<Down>"
    state.row = max([0, min([len(state.kept), state.row + (key == "\<Up>" ? -1 : 1)])])
    Become(get(state.kept, state.row, ''))
  elseif key =~ '^\p' && key !~ "^\x80"
    Become(text .. key)
  endif
  return true
enddef

def Become(given: string)
  text = given
  popup_settext(popup, Shown())
  timer_stop(timer)
  timer = timer_start(delay_milliseconds, (_) => {
    if popup != 0
      state.Changed(text)
    endif
  })
enddef
