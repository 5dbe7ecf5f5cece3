vim9script
# Sends requests and shows how they fare; the server does the sending, this only asks and draws.

import autoload 'postkit/blocks.vim'
import autoload 'postkit/client.vim'
import autoload 'postkit/config.vim'
import autoload 'postkit/document.vim'
import autoload 'postkit/hints.vim'
import autoload 'postkit/position.vim'
import autoload 'postkit/response.vim'
import autoload 'postkit/results.vim'
import autoload 'postkit/words.vim'

# What follows a response is shown live from this time on; a quick one is shown when it is whole.
const live_seconds = 0.4
# How many results are drawn anew wherever they stand.
const drawn_marks = 20
# Time between two drawings of how much has come.
const drawn_seconds = 0.1

# Sends under way: {bufnr, marks, started, drawn, id, request, head, received, lines, isLive}, by
# the token of their partial results.
var sends: dict<dict<any>> = {}
var count = 0
var ticker = 0
# The exchange that this Vim sent last: {id, bufnr}.
var last: dict<any> = {}

# How many sends are under way.
export def Running(): number
  return len(sends)
enddef

# Sends what stands in no buffer, such as a stored request or one of the history.
export def Run(command: string, argument: dict<any>)
  if command =~# '\.resend$'
    Start(bufnr(), [], {historyId: argument.id})
    return
  endif
  var key = Begin(bufnr(), [])
  client.Execute(command, argument, (result, error) => Sent(key, result, error))
enddef

# Sends the request under the cursor.
export def Send()
  var buffer = bufnr()
  var place = line('.')
  if !document.HasRequests()
    return
  endif
  client.WhenRunning(() => SendAt(buffer, place))
enddef

def SendAt(buffer: number, place: number)
  var lnum = blocks.RequestLine(buffer, place)
  if lnum > 0 && get(results.At(buffer, lnum), 'state', '') == 'sending'
    config.Say('this request is under way; :PostKit cancel ends it')
    return
  endif
  Start(buffer, lnum > 0 ? [lnum] : [], {
    textDocument: {uri: document.Uri(buffer)}, position: position.At(buffer, place, 0)})
enddef

# Sends again what was sent last, as it was then; after a restart, what the history has last.
export def Again()
  var buffer = bufnr()
  if !client.Ensure()
    return
  endif
  client.WhenRunning(() => {
    if !empty(last)
      Repeat(last)
      return
    endif
    client.Request('postkit/history', {limit: 1}, (found, error) => {
      if error != null
        config.Refused(error)
      elseif empty(found.items)
        config.Say('nothing was sent yet')
      else
        Repeat({id: found.items[0].id, bufnr: buffer})
      endif
    })
  })
enddef

def Repeat(one: dict<any>)
  var lnum = bufloaded(one.bufnr) ? results.Find(one.bufnr, one.id) : 0
  Start(one.bufnr, lnum > 0 ? [lnum] : [], {historyId: one.id})
enddef

def Start(buffer: number, lines: list<number>, params: dict<any>)
  var key = Begin(buffer, lines)
  sends[key].request = client.Request('postkit/send',
    extend({partialResultToken: key}, params), (result, error) => Sent(key, result, error))
enddef

# Sends every request of the current buffer, or those that have one of some lines, in order.
export def SendAll(range: list<number> = [])
  var buffer = bufnr()
  if !document.HasRequests()
    return
  endif
  client.WhenRunning(() => SendEach(buffer, range))
enddef

def SendEach(buffer: number, range: list<number>)
  var [first, final] = empty(range) ? [1, getbufinfo(buffer)[0].linecount] : range
  var key = Begin(buffer, blocks.RequestLines(buffer, first, final))
  var argument: dict<any> = {uri: document.Uri(buffer)}
  if !empty(range)
    argument.range = {start: position.At(buffer, first, 0),
      end: position.At(buffer, final, strlen(getbufline(buffer, final)[0]))}
  endif
  client.Execute('postkit.sendAll', argument, (result, error) => SentAll(key, result, error))
enddef

def Begin(bufnr: number, lines: list<number>): string
  count += 1
  var key = 'postkit-send-' .. count
  sends[key] = {
    bufnr: bufnr,
    marks: mapnew(lines, (_, lnum) => results.Set(bufnr, lnum, 'sending', 'sending...')),
    started: reltime(), drawn: reltime(), id: '', head: '', received: 0, lines: [], isLive: false,
  }
  if ticker == 0
    ticker = timer_start(1000, (_) => Tick(), {repeat: -1})
  endif
  return key
enddef

# Takes a partial result; false when the token is of none of our sends.
export def Progress(token: any, value: dict<any>): bool
  if type(token) != v:t_string || !has_key(sends, token)
    return type(token) == v:t_string && token =~# '^postkit-send-'
  endif
  var send = sends[token]
  if value.kind == 'started'
    send.id = value.id
  elseif value.kind == 'head'
    send.head = string(value.status)
    send.lines = ['HTTP ' .. send.head]
      + mapnew(value.headers, (_, field) => join(field, ': ')) + ['', '']
  elseif value.kind == 'data'
    send.received = value.received
    Grow(send, get(value, 'text', ''))
    if reltimefloat(reltime(send.drawn)) > drawn_seconds
      Retell(send)
    endif
  endif
  return true
enddef

# Adds text of a body that arrives bit by bit, and shows it once it has lasted for a while.
def Grow(send: dict<any>, text: string)
  if text == ''
    return
  endif
  var lines = split(text, '\r\?\n', true)
  send.lines[-1] ..= lines[0]
  extend(send.lines, lines[1 :])
  if send.isLive
    send.isLive = response.Grow(send.lines)
    send.lines = [remove(send.lines, -1)]
  elseif config.Get('open') == 'auto' && reltimefloat(reltime(send.started)) > live_seconds
    response.Live(send.lines, send.bufnr)
    send.isLive = true
    send.lines = [send.lines[-1]]
  endif
enddef

# Shows how long each send has taken, once a second while there is one.
def Tick()
  for send in values(sends)
    Retell(send)
  endfor
enddef

def Retell(send: dict<any>)
  send.drawn = reltime()
  var seconds = float2nr(reltimefloat(reltime(send.started)))
  var told = 'sending... ' .. (send.head == '' ? '' : send.head .. '  ')
    .. (send.received == 0 ? '' : words.Size(send.received) .. '  ') .. seconds .. ' s'
  var seen = win_findbuf(send.bufnr)
    ->mapnew((_, window) => [line('w0', window), line('w$', window)])
  send.marks = mapnew(send.marks, (_, mark) => {
    var lnum = results.Line(send.bufnr, mark)
    # Of many, what is out of sight is drawn when it is over.
    var isSeen = len(send.marks) < drawn_marks
      || !copy(seen)->filter((_, each) => each[0] <= lnum && lnum <= each[1])->empty()
    return lnum == 0 || !isSeen
      ? mark : results.Set(send.bufnr, lnum, 'sending', told)
  })
enddef

def Finish(key: string): dict<any>
  var send = remove(sends, key)
  if empty(sends)
    timer_stop(ticker)
    ticker = 0
  endif
  hints.Later(send.bufnr)
  return send
enddef

def Sent(key: string, result: any, error: any)
  var send = Finish(key)
  var lnum = empty(send.marks) ? 0 : results.Line(send.bufnr, send.marks[0])
  if error != null
    Refused(send.bufnr, lnum, error)
    return
  endif
  Draw(send.bufnr, lnum, result)
  last = {id: result.id, bufnr: send.bufnr}
  if result.state == 'failed'
    config.Complain(words.Reason(result))
  endif
  if get(result, 'uri', null) != null && config.Get('open') == 'auto'
    response.Open(result.uri, false, 'httpresponse', null_function, send.bufnr)
  elseif get(result, 'uri', null) == null
    response.Replace(words.Describe(result))
  endif
  Announce(result)
enddef

def SentAll(key: string, replies: any, error: any)
  var send = Finish(key)
  var lines = mapnew(send.marks, (_, mark) => results.Line(send.bufnr, mark))
  if error != null
    for lnum in lines
      results.Clear(send.bufnr, lnum)
    endfor
    Refused(send.bufnr, 0, error)
    return
  endif
  var failures = 0
  for lnum in lines
    results.Clear(send.bufnr, lnum)
  endfor
  for index in range(len(replies))
    var reply = replies[index]
    # A server that tells the lines knows better than the guess.
    Draw(send.bufnr, has_key(reply, 'line') ? float2nr(reply.line * 1.0) + 1
      : len(replies) == len(lines) ? lines[index] : 0, reply)
    failures += words.State(reply) == 'done' ? 0 : 1
    last = {id: reply.id, bufnr: send.bufnr}
    Announce(reply)
  endfor
  config.Say(printf('sent %d, %d failed', len(replies), failures),
    failures > 0 ? 'WarningMsg' : 'None')
enddef

def Draw(bufnr: number, lnum: number, reply: dict<any>)
  if lnum > 0
    results.Set(bufnr, lnum, words.State(reply), words.Describe(reply), reply)
  endif
enddef

# Nothing was sent: say why, and at which place when the server knows it.
def Refused(bufnr: number, lnum: number, error: dict<any>)
  var message = get(error, 'message', 'unknown')
  if get(error, 'code', 0) == -32800
    message = 'cancelled'
  endif
  if lnum > 0
    results.Set(bufnr, lnum, 'failed', 'not sent: ' .. split(message .. ' ', "\n")[0])
  endif
  var data: any = get(error, 'data', {})
  var place = ''
  if type(data) == v:t_dict && type(get(data, 'range', null)) == v:t_dict
    place = printf('line %d: ', data.range.start.line + 1)
  endif
  config.Complain(place .. message)
enddef

# Lets the user's autocommands see a reply, in g:postkit_response.
def Announce(reply: dict<any>)
  g:postkit_response = reply
  if exists('#User#PostKitResponse')
    doautocmd <nomodeline> User PostKitResponse
  endif
enddef

# Cancels the send under the cursor, else every send.
export def Cancel()
  if client.State() != 'running'
    config.Say('nothing is under way')
    return
  endif
  var buffer = bufnr()
  var lnum = blocks.RequestLine(buffer, line('.'))
  var here = document.Attached(buffer) && lnum > 0
    && get(results.At(buffer, lnum), 'state', '') == 'sending'
  client.Execute('postkit.cancel', here
      ? {uri: document.Uri(buffer), position: position.At(buffer, lnum, 0)} : {},
    (_, error) => config.Refused(error))
enddef
