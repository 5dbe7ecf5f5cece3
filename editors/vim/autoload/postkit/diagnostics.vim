vim9script
# Shows the server's diagnostics: underlined text, signs, a location list and the echoed sentence.

import autoload 'postkit/highlight.vim'
import autoload 'postkit/position.vim'

# Time without a key that is a pause of who types.
const pause_milliseconds = 120
const kinds = ['PostKitError', 'PostKitWarning', 'PostKitInformation']

# By buffer number: the diagnostics of the last publication.
var published: dict<list<dict<any>>> = {}
var echoed = ''
# By buffer number: the timer that draws them when typing has paused.
var drawing: dict<number> = {}

# The diagnostics of a buffer in LSP form.
export def Of(bufnr: number): list<dict<any>>
  return Published(bufnr)
enddef

def Published(bufnr: number): list<dict<any>>
  return get(published, string(bufnr), [])
enddef

# Shows what the server published about a buffer, in place of what it published before. It is published
# at every key, and drawing it has Vim look at all lines and draw the window: that waits for a pause.
export def Publish(bufnr: number, diagnostics: list<dict<any>>)
  published[bufnr] = diagnostics
  timer_stop(get(drawing, bufnr))
  if mode() =~# '^[iR]'
    drawing[bufnr] = timer_start(pause_milliseconds, (_) => Draw(bufnr))
  else
    Draw(bufnr)
  endif
enddef

def Draw(bufnr: number)
  if !bufloaded(bufnr)
    return
  endif
  Clear(bufnr)
  for diagnostic in Published(bufnr)
    Underline(bufnr, diagnostic)
  endfor
  Locate(bufnr)
  Sentence()
enddef

def Kind(diagnostic: dict<any>): string
  return kinds[min([get(diagnostic, 'severity', 1), 3]) - 1]
enddef

def Underline(bufnr: number, diagnostic: dict<any>)
  var last = getbufinfo(bufnr)[0].linecount
  var [lnum, column] = position.InBuffer(bufnr, diagnostic.range.start)
  var [end_lnum, end_column] = position.InBuffer(bufnr, diagnostic.range.end)
  lnum = min([lnum, last])
  var kind = Kind(diagnostic)
  sign_place(0, 'postkit', kind, bufnr, {lnum: lnum, priority: 30})
  if end_lnum > last
    end_lnum = last
    end_column = strlen(getbufline(bufnr, last)[0]) + 1
  endif
  if end_lnum > lnum || end_column > column
    prop_add(lnum, column, {
      bufnr: bufnr, type: kind, end_lnum: end_lnum, end_col: end_column})
  endif
enddef

def Clear(bufnr: number)
  highlight.Ready()
  sign_unplace('postkit', {buffer: bufnr})
  if bufloaded(bufnr)
    prop_remove({bufnr: bufnr, types: kinds, all: true}, 1, getbufinfo(bufnr)[0].linecount)
  endif
enddef

# Fills the location list of the buffer's windows, unless it holds somebody else's places.
export def List(bufnr: number)
  Locate(bufnr)
enddef

def Locate(bufnr: number)
  var places = mapnew(Published(bufnr), (_, diagnostic) => {
    var [lnum, column] = position.InBuffer(bufnr, diagnostic.range.start)
    return {bufnr: bufnr, lnum: lnum, col: column, text: diagnostic.message,
      type: 'EWI'[min([get(diagnostic, 'severity', 1), 3]) - 1]}
  })
  for window in win_findbuf(bufnr)
    var now = getloclist(window, {title: 1, size: 1})
    if now.title == 'PostKit' || now.size == 0
      setloclist(window, [], now.title == 'PostKit' ? 'r' : ' ', {title: 'PostKit', items: places})
    endif
  endfor
enddef

# Echoes the sentence about the cursor's place, and takes it away when the cursor leaves.
export def Echo()
  Sentence()
enddef

def Sentence()
  if mode() != 'n' || !has_key(published, bufnr())
    return
  endif
  var sentence = ''
  for diagnostic in published[bufnr()]
    if diagnostic.range.start.line + 1 == line('.')
      sentence = diagnostic.message
      break
    endif
  endfor
  if sentence != echoed
    echoed = sentence
    # Below what a command has just said, Vim would wait for a key.
    redraw
    echo strpart(substitute(sentence, '\n', ' ', 'g'), 0, max([10, v:echospace]))
  endif
enddef

# Forgets a buffer that is no longer served.
export def Forget(bufnr: number)
  if has_key(published, bufnr)
    remove(published, string(bufnr))
    Clear(bufnr)
    Locate(bufnr)
  endif
enddef
