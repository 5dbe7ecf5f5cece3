vim9script
# Draws the result of a send behind its request line: waiting, sending, done, failed or cancelled.

import autoload 'postkit/highlight.vim'

const groups = {
  waiting: 'PostKitSending',
  sending: 'PostKitSending',
  done: 'PostKitDone',
  failed: 'PostKitFailed',
  cancelled: 'PostKitFailed',
}
const types = ['PostKitSending', 'PostKitDone', 'PostKitFailed']

# By buffer number, then by text property id: {state, text, reply, ours}; `ours` is false where
# the words are the server's, which may take them back.
var results: dict<dict<dict<any>>> = {}

# Draws a result on a line and answers its mark, which moves with the line.
export def Set(bufnr: number, lnum: number, state: string, text: string,
    reply: dict<any> = {}): number
  return Put(bufnr, lnum, state, text, reply)
enddef

def Put(bufnr: number, lnum: number, state: string, text: string,
    reply: dict<any> = {}): number
  Wipe(bufnr, lnum)
  var mark = Draw(bufnr, lnum, state, text)
  if mark != 0
    var own = get(results, string(bufnr), {})
    own[mark] = {state: state, text: text, reply: reply, ours: true, lnum: lnum}
    results[bufnr] = own
  endif
  return mark
enddef

def Draw(bufnr: number, lnum: number, state: string, text: string): number
  if !bufloaded(bufnr) || lnum < 1 || lnum > getbufinfo(bufnr)[0].linecount
    return 0
  endif
  return prop_add(lnum, 0, {
    bufnr: bufnr, type: groups[state], text: '  ' .. text, text_align: 'after',
    # What does not fit is cut at the edge of the window, so that no request takes two rows.
    text_wrap: 'truncate'})
enddef

# The line a mark is on now, 0 when its line is gone.
export def Line(bufnr: number, mark: number): number
  # Mostly where it was; a long file is not looked through for each of its requests.
  var was = get(get(get(results, string(bufnr), {}), string(mark), {}), 'lnum', 0)
  if was > 0 && bufloaded(bufnr) && was <= getbufinfo(bufnr)[0].linecount
      && match(Marks(bufnr, was, was)->mapnew((_, prop) => prop.id), '^' .. mark .. '$') >= 0
    return was
  endif
  for prop in Marks(bufnr, 1, -1)
    if prop.id == mark
      return prop.lnum
    endif
  endfor
  return 0
enddef

# The line that shows what became of an exchange, 0 when there is none.
export def Find(bufnr: number, id: string): number
  for prop in Marks(bufnr, 1, -1)
    var known = get(get(results, string(bufnr), {}), string(prop.id), {})
    if get(get(known, 'reply', {}), 'id', '') == id
      return prop.lnum
    endif
  endfor
  return 0
enddef

def Marks(bufnr: number, first: number, last: number): list<dict<any>>
  highlight.Ready()
  return bufloaded(bufnr) ? prop_list(first, {bufnr: bufnr, end_lnum: last, types: types}) : []
enddef

# What is known about a line: {state, text, reply}, or nothing.
export def At(bufnr: number, lnum: number): dict<any>
  return Known(bufnr, lnum)
enddef

def Known(bufnr: number, lnum: number): dict<any>
  for prop in Marks(bufnr, lnum, lnum)
    var found = get(get(results, string(bufnr), {}), string(prop.id), {})
    if !empty(found)
      return found
    endif
  endfor
  return {}
enddef

# Removes what a line shows.
export def Clear(bufnr: number, lnum: number)
  Wipe(bufnr, lnum)
enddef

def Wipe(bufnr: number, lnum: number)
  for prop in Marks(bufnr, lnum, lnum)
    prop_remove({bufnr: bufnr, id: prop.id, type: prop.type, both: true, all: true})
    if has_key(get(results, string(bufnr), {}), string(prop.id))
      remove(results[bufnr], string(prop.id))
    endif
  endfor
enddef

# Whether what a line shows is not the end yet.
export def Awaits(bufnr: number, lnum: number): bool
  return IsOpen(Known(bufnr, lnum))
enddef

def IsOpen(known: dict<any>): bool
  return index(['waiting', 'sending'], get(known, 'state', '')) >= 0
enddef

# Lets the server's results, [line, state, text, id] each, replace ours and its former ones; a line
# that waits or is sending keeps its own. Lines before `first` and behind `last` were not asked for.
export def Server(bufnr: number, told: list<list<any>>, first: number, last: number)
  var lines = mapnew(told, (_, each) => each[0])
  for prop in Marks(bufnr, first, min([last, getbufinfo(bufnr)[0].linecount]))
    var known = get(get(results, string(bufnr), {}), string(prop.id), {})
    if index(lines, prop.lnum) < 0 && !get(known, 'ours', false)
      Wipe(bufnr, prop.lnum)
    endif
  endfor
  for [lnum, state, text, id] in told
    var known = Known(bufnr, lnum)
    if IsOpen(known)
      continue
    endif
    # Of a failure the sentence that came with it says more.
    var isTold = id != '' && type(get(get(known, 'reply', {}), 'error', null)) == v:t_dict
      && known.reply.id == id
    if get(known, 'text', '') !=# text && !isTold
      Put(bufnr, lnum, state, text, get(known, 'reply', id == '' ? {} : {id: id}))
    endif
    extend(Known(bufnr, lnum), {ours: false})
  endfor
enddef

# Forgets a buffer that is no longer served.
export def Forget(bufnr: number)
  if has_key(results, string(bufnr))
    remove(results, string(bufnr))
  endif
  if bufloaded(bufnr)
    highlight.Ready()
    prop_remove({bufnr: bufnr, types: types, all: true}, 1, getbufinfo(bufnr)[0].linecount)
  endif
enddef
