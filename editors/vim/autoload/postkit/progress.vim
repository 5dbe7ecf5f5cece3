vim9script
# Draws how far a send is, behind each of its requests: waiting, sending, and what became of it.

import autoload 'postkit/results.vim'
import autoload 'postkit/words.vim'

# A send of the requests on some lines, which it draws: {bufnr, marks, rows, now, done, total,
# started, id, head, summary, places}. `marks` are the places of this plugin's guess where
# the requests stand, `rows` those that the server tells, [bufnr, mark] each, by file and line; `now`
# is the one whose time is shown, `places` are the lines of a list by what they name.
export def New(bufnr: number, lines: list<number>, state: string): dict<any>
  var text = state == 'waiting' ? state : 'sending…'
  var send: dict<any> = {
    bufnr: bufnr, rows: {}, now: [], done: 0, total: 0, started: reltime(), id: '', head: '',
    summary: '', places: {},
    marks: mapnew(lines, (_, lnum) => [bufnr, results.Set(bufnr, lnum, state, text)]),
  }
  if state == 'sending' && !empty(lines)
    send.now = send.marks[0]
  endif
  return send
enddef

# Takes a partial result that tells how far a send is.
export def Take(send: dict<any>, value: dict<any>)
  if value.kind == 'queue'
    Queue(send, value.requests)
  elseif value.kind == 'started'
    Begin(send, value)
  elseif value.kind == 'skipped' && has_key(value, 'request')
    Show(Row(send, value.request), 'cancelled', get(value, 'summary', 'skipped'))
  elseif value.kind == 'result'
    Outcome(send, value)
  elseif value.kind == 'over'
    send.summary = value.summary
    for request in get(value, 'notSent', [])
      Show(Row(send, request), 'cancelled', get(request, 'summary', 'not sent'))
    endfor
  endif
enddef

# The server tells which requests it is about to send, and knows better than the guess.
def Queue(send: dict<any>, requests: list<dict<any>>)
  var guessed = send.marks
  var rows = mapnew(requests, (_, request) => Row(send, request))
  send.total = len(requests)
  send.marks = copy(guessed)->filter((_, mark) => index(rows, mark) < 0)
  Clear(send)
  redrawstatus!
enddef

# The place where a request of the server's is drawn. What was drawn for it once is found again,
# wherever its line has moved; in a file that is in no buffer it has none.
def Row(send: dict<any>, request: dict<any>): list<number>
  var file = get(request, 'file', '')
  var lnum = get(send.places, file) ?? float2nr(request.line * 1.0) + 1
  var key = file .. ':' .. request.line
  if !has_key(send.rows, key)
    var bufnr = file == '' || has_key(send.places, file) ? send.bufnr
      : bufnr('^' .. escape(file, '\*?[{,') .. '$')
    var guessed = copy(send.marks)
      ->filter((_, mark) => mark[0] == bufnr && Place(mark) == lnum)
    send.rows[key] = empty(guessed) ? [bufnr, 0] : guessed[0]
    if empty(guessed) && bufnr > 0 && bufloaded(bufnr)
      send.rows[key][1] = results.Set(bufnr, lnum, 'waiting', 'waiting')
    endif
  endif
  return send.rows[key]
enddef

# Draws anew what became of a row, which keeps its place.
def Show(row: list<number>, state: string, text: string, reply: dict<any> = {})
  var lnum = Place(row)
  if lnum > 0
    row[1] = results.Set(row[0], lnum, state, text, reply)
  endif
enddef

# The line where a row is now, 0 where it has none.
export def Line(row: list<number>): number
  return Place(row)
enddef

def Place(row: list<number>): number
  return get(row, 1) != 0 && bufloaded(row[0]) ? results.Line(row[0], row[1]) : 0
enddef

# A request has its turn.
def Begin(send: dict<any>, value: dict<any>)
  send.id = value.id
  if has_key(value, 'request')
    send.now = Row(send, value.request)
    send.total = float2nr(get(value, 'total', send.total) * 1.0)
    extend(send, {started: reltime(), head: '', lines: [], isLive: false})
    Tell(send)
    redrawstatus!
  endif
enddef

# One of several requests is done with.
def Outcome(send: dict<any>, value: dict<any>)
  send.done = float2nr(value.done * 1.0)
  send.total = float2nr(value.total * 1.0)
  var row = Row(send, value.request)
  Show(row, words.Mood(value.result), words.Summary(value.result), value.result)
  if row is send.now
    send.now = []
  endif
  redrawstatus!
enddef

# Draws how long what is being sent has taken, and how much of the response is there.
export def Draw(send: dict<any>)
  Tell(send)
enddef

def Tell(send: dict<any>)
  send.drawn = reltime()
  Show(send.now, 'sending', (send.head == '' ? 'sending… ' : send.head .. '  ')
    .. words.Clock(reltimefloat(reltime(send.started))))
enddef

# Takes away the marks of the guess that wait for a result.
export def Unmark(send: dict<any>)
  Clear(send)
enddef

def Clear(send: dict<any>)
  for row in send.marks
    if Waits(row)
      results.Clear(row[0], Place(row))
    endif
  endfor
  send.marks = []
enddef

def Waits(row: list<number>): bool
  var lnum = Place(row)
  return lnum > 0 && results.Awaits(row[0], lnum)
enddef

# Ends a send without an answer: of what has no result yet it is not known whether it was sent where
# the server was lost; else it was not.
export def Fail(send: dict<any>, isLost: bool)
  for row in isLost ? values(send.rows) + send.marks : []
    if Waits(row)
      Show(row, 'failed', words.lost)
    endif
  endfor
  extend(send.marks, values(send.rows))
  Clear(send)
enddef
