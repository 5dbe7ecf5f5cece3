vim9script
# Draws the server's inlay hints: variable values inside the text, last results behind requests.

import autoload 'postkit/client.vim'
import autoload 'postkit/config.vim'
import autoload 'postkit/document.vim'
import autoload 'postkit/highlight.vim'
import autoload 'postkit/position.vim'
import autoload 'postkit/results.vim'

# Time between an edit and the question, so that typing asks once.
const delay_milliseconds = 150

# How tests of scripts are drawn.
const groups = {done: 'PostKitPassed', failed: 'PostKitMissed'}
# Lines above and below those in sight whose hints are asked for, too.
const margin = 60

var timers: dict<number> = {}
# By buffer number: the first and the last line whose hints were asked for last.
var covered: dict<list<number>> = {}
# By buffer number: how often hints were asked for; only the newest answer counts.
var asked: dict<number> = {}

# Asks for the hints of every served buffer.
export def All()
  for bufnr in document.Buffers()
    Plan(bufnr)
  endfor
enddef

# Asks for a buffer's hints a moment from now.
export def Later(bufnr: number)
  Plan(bufnr)
enddef

def Plan(bufnr: number)
  if !config.Get('hints') || empty(client.Offers('inlayHintProvider'))
    return
  endif
  if has_key(timers, bufnr)
    timer_stop(timers[bufnr])
  endif
  asked[bufnr] = get(asked, bufnr, 0) + 1
  timers[bufnr] = timer_start(delay_milliseconds, (_) => Ask(bufnr))
enddef

def Ask(bufnr: number)
  if has_key(timers, bufnr)
    remove(timers, string(bufnr))
  endif
  if !document.Attached(bufnr) || !bufloaded(bufnr)
    return
  endif
  var [first, last] = Lines(bufnr)
  if first == 0
    return
  endif
  var turn = asked[bufnr]
  covered[bufnr] = [first, last]
  client.Request('textDocument/inlayHint', {
    textDocument: {uri: document.Uri(bufnr)},
    range: {start: {line: first - 1, character: 0}, end: {line: last, character: 0}},
  }, (result, error) => {
    # A change since then has asked anew.
    if error == null && bufloaded(bufnr) && asked[bufnr] == turn
      Draw(bufnr, result == null ? [] : result, first, last)
    endif
  })
enddef

# The lines whose hints are wanted: those in sight, and some around them. [0, 0] where none is.
def Lines(bufnr: number): list<number>
  var windows = win_findbuf(bufnr)
  if empty(windows)
    return [0, 0]
  endif
  var first = mapnew(windows, (_, window) => line('w0', window))->min()
  var last = mapnew(windows, (_, window) => line('w$', window))->max()
  var count = getbufinfo(bufnr)[0].linecount
  return [max([1, first - margin]), max([1, min([count, last + margin])])]
enddef

# After scrolling: asks for the hints of what has come in sight.
export def Scrolled()
  for info in getwininfo()
    var known = get(covered, string(info.bufnr), [])
    if info.tabnr == tabpagenr() && !empty(known)
        && (info.topline < known[0] || min([info.botline, getbufinfo(info.bufnr)[0].linecount])
          > known[1])
      Plan(info.bufnr)
    endif
  endfor
enddef

def Draw(bufnr: number, hints: list<any>, first: number, last: number)
  highlight.Ready()
  Remove(bufnr, first, min([last, getbufinfo(bufnr)[0].linecount]))
  var told: list<list<any>> = []
  for hint in hints
    var [lnum, column] = position.InBuffer(bufnr, hint.position)
    var text = Label(hint.label)
    var data: any = get(hint, 'data', null)
    if type(data) == v:t_dict && has_key(data, 'result')
      add(told, [lnum, data.result, trim(text), Exchange(hint)])
    else
      # What a line of a script came to has the colour of a result until the script is edited.
      var word = type(data) == v:t_dict ? get(data, 'script', '') : ''
      prop_add(lnum, column, {bufnr: bufnr, type: get(groups, word, 'PostKitHint'),
        text: (get(hint, 'paddingLeft', false) ? ' ' : '') .. text})
    endif
  endfor
  results.Server(bufnr, told, first, last)
enddef

def Remove(bufnr: number, first: number, last: number)
  for type in ['PostKitHint'] + values(groups)
    if !empty(prop_type_get(type))
      prop_remove({bufnr: bufnr, type: type, all: true}, first, last)
    endif
  endfor
enddef

def Label(label: any): string
  return type(label) == v:t_string ? label
    : mapnew(label, (_, part) => part.value)->join('')
enddef

# The id of the exchange that a result is of.
def Exchange(hint: dict<any>): string
  if type(hint.label) == v:t_list
    for part in hint.label
      for argument in get(get(part, 'command', {}), 'arguments', [])
        return get(argument, 'id', '')
      endfor
    endfor
  endif
  return ''
enddef

# Forgets a buffer that is no longer served.
export def Forget(bufnr: number)
  if has_key(timers, bufnr)
    timer_stop(remove(timers, string(bufnr)))
  endif
  if has_key(covered, string(bufnr))
    remove(covered, string(bufnr))
  endif
  if bufloaded(bufnr)
    Remove(bufnr, 1, getbufinfo(bufnr)[0].linecount)
  endif
enddef
