vim9script
# Sends requests and shows how they fare; the server does the sending, this only asks and draws.

import autoload 'postkit/blocks.vim'
import autoload 'postkit/client.vim'
import autoload 'postkit/config.vim'
import autoload 'postkit/document.vim'
import autoload 'postkit/environment.vim'
import autoload 'postkit/hints.vim'
import autoload 'postkit/memory.vim'
import autoload 'postkit/parts.vim'
import autoload 'postkit/position.vim'
import autoload 'postkit/progress.vim'
import autoload 'postkit/response.vim'
import autoload 'postkit/results.vim'
import autoload 'postkit/words.vim'

# What follows a response is shown live from this time on; a quick one is shown when it is whole.
const live_seconds = 0.4
# Time between two drawings of how much has come.
const drawn_seconds = 0.1
const tick_milliseconds = 200

# Sends under way, by the token of their partial results: what `progress.vim` draws of them, and
# {params, drawn, lines, isLive, live}; `live` is the exchange that is shown as it comes.
var sends: dict<dict<any>> = {}
var count = 0
var ticker = 0
# The exchange that this Vim sent last: {id, bufnr}.
var last: dict<any> = {}

# How many sends are under way.
export def Running(): number
  return len(sends)
enddef

# What is under way in a few words: `3 of 40` where several are sent in order.
export def Words(): string
  for send in values(sends)
    if send.total > 1
      return printf('%d of %d', min([send.done + 1, send.total]), send.total)
    endif
  endfor
  return empty(sends) ? '' : 'sending' .. (len(sends) > 1 ? ' ' .. len(sends) : '')
enddef

# Sends what stands in no buffer, such as a stored request or one of the history.
export def Run(command: string, argument: dict<any>)
  if command =~# '\.resend$'
    Start(bufnr(), [], {historyId: argument.id})
    return
  endif
  var key = Begin(bufnr(), [], 'sending')
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

# What the key that sends does: on a request it sends, with a count or elsewhere it is Vim's own.
export def Key(name: string): string
  return v:count == 0 && blocks.RequestLine(bufnr(), line('.')) > 0 ? "\<Cmd>PostKit send\<CR>"
    : eval('"' .. substitute(name, '<', '\\<', 'g') .. '"')
enddef

def SendAt(buffer: number, place: number)
  var lnum = blocks.RequestLine(buffer, place)
  if lnum > 0 && results.Awaits(buffer, lnum)
    config.Say('This request is already being sent. `:PostKit cancel` stops it.')
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
        config.Say('Nothing has been sent yet.')
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
  var key = Begin(buffer, lines, 'sending')
  sends[key].params = params
  client.Request('postkit/send', extend({partialResultToken: key}, params),
    (result, error) => Sent(key, result, error))
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
  var key = Begin(buffer, blocks.RequestLines(buffer, first, final), 'waiting')
  var argument: dict<any> = {uri: document.Uri(buffer), partialResultToken: key}
  if !empty(range)
    argument.range = {start: position.At(buffer, first, 0),
      end: position.At(buffer, final, strlen(getbufline(buffer, final)[0]))}
  endif
  client.Execute('postkit.sendAll', argument, (result, error) => SentAll(key, result, error))
enddef

# Sends all of a collection or folder, from its line in a list or wherever the cursor is. Lines of a
# list that stand for its requests show how far each is.
export def Collection(argument: dict<any>)
  var key = Begin(bufnr(), [], 'waiting')
  sends[key].places = Places(bufnr())
  client.Execute('postkit.sendAll', extendnew(argument, {partialResultToken: key}),
    (result, error) => SentAll(key, result, error))
enddef

# The lines of a list of stored requests, by the URI with which each ends.
def Places(buffer: number): dict<number>
  var places: dict<number> = {}
  for [index, line] in items(getbufline(buffer, 1, '$'))
    var name = matchstr(line, 'postkit:/collections/\S\+$')
    if name != ''
      places[name] = index + 1
    endif
  endfor
  return places
enddef

def Begin(bufnr: number, lines: list<number>, state: string): string
  count += 1
  var key = 'postkit-send-' .. count
  sends[key] = extend(progress.New(bufnr, lines, state), {
    params: {}, drawn: reltime(), lines: [], isLive: false, live: ''})
  if ticker == 0
    ticker = timer_start(tick_milliseconds, (_) => Tick(), {repeat: -1})
  endif
  redrawstatus!
  return key
enddef

# Takes a partial result; false when the token is of none of our sends.
export def Progress(token: any, value: dict<any>): bool
  if type(token) != v:t_string || !has_key(sends, token)
    return type(token) == v:t_string && token =~# '^postkit-send-'
  endif
  var send = sends[token]
  if value.kind == 'head'
    send.head = get(value, 'summary', '')
    send.lines = ['HTTP ' .. value.status]
      + mapnew(value.headers, (_, field) => join(field, ': ')) + ['', '']
  elseif value.kind == 'data'
    send.head = get(value, 'summary', send.head)
    Grow(send, get(value, 'text', ''))
    if reltimefloat(reltime(send.drawn)) > drawn_seconds
      progress.Draw(send)
    endif
  else
    progress.Take(send, value)
    if value.kind == 'result' && value.result.id ==# send.live
      # What came bit by bit is whole now; the next request may have begun meanwhile.
      Open(send, value.result)
    endif
  endif
  return true
enddef

# Adds text of a body that arrives bit by bit, and shows it once it has lasted for a while.
def Grow(send: dict<any>, text: string)
  # Without a head it belongs to a response before, which an older server tells late.
  if text == '' || empty(send.lines)
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
    send.live = send.id
    send.lines = [send.lines[-1]]
  endif
enddef

# Shows how long what is being sent has taken.
def Tick()
  for send in values(sends)
    progress.Draw(send)
  endfor
enddef

def Finish(key: string): dict<any>
  var send = remove(sends, key)
  if empty(sends)
    timer_stop(ticker)
    ticker = 0
  endif
  hints.Later(send.bufnr)
  redrawstatus!
  return send
enddef

# What became of the one request that was asked for.
def Sent(key: string, result: any, error: any)
  var send = Finish(key)
  var lnum = empty(send.marks) ? 0 : progress.Line(send.marks[0])
  if error != null
    Refused(send, lnum, error)
    return
  endif
  Draw(send.bufnr, lnum, result)
  last = {id: result.id, bufnr: send.bufnr}
  if result.state == 'failed'
    # The response beside the request has the whole sentence.
    config.Complain(get(result, 'uri', null) != null && config.Get('open') == 'auto'
      && bufwinid(send.bufnr) > 0 ? words.Summary(result) .. '.'
      : get(result.error ?? {}, 'message', words.Summary(result)))
  endif
  Open(send, result)
  Announce(result)
enddef

# Shows a response, or why there is none.
def Open(send: dict<any>, reply: dict<any>)
  memory.Keep(reply, send.bufnr, get(send.params, 'historyId', ''))
  if get(reply, 'uri', null) == null
    response.Replace(words.Summary(reply))
  elseif config.Get('open') == 'auto'
    response.Open(parts.First(reply), false, 'httpresponse', null_function, send.bufnr)
  endif
enddef

# What became of several. Where the server has told of each, all is drawn by now.
def SentAll(key: string, replies: any, error: any)
  var send = Finish(key)
  if error != null
    progress.Fail(send, error.code == config.lost_code)
    Refused(send, 0, error)
    return
  endif
  var lines = mapnew(send.marks, (_, row) => progress.Line(row))
  progress.Unmark(send)
  for [index, reply] in items(replies)
    if empty(send.rows)
      # A server that tells the lines knows better than the guess.
      Draw(send.bufnr, has_key(reply, 'line') ? float2nr(reply.line * 1.0) + 1
        : len(replies) == len(lines) ? lines[index] : 0, reply)
    endif
    last = {id: reply.id, bufnr: send.bufnr}
    memory.Keep(reply, send.bufnr)
    Announce(reply)
  endfor
  var isBad = !copy(replies)->filter((_, reply) => words.Mood(reply) != 'done')->empty()
  var told = empty(replies) ? 'No requests were sent.' : words.Summary(replies[-1])
  config.Say(send.summary ?? told, isBad ? 'WarningMsg' : 'None')
enddef

def Draw(bufnr: number, lnum: number, reply: dict<any>)
  if lnum > 0
    results.Set(bufnr, lnum, words.Mood(reply), words.Summary(reply), reply)
  endif
enddef

# There is no reply: say why, and at which place when the server knows it.
def Refused(send: dict<any>, lnum: number, error: dict<any>)
  var data = type(get(error, 'data', null)) == v:t_dict ? error.data : {}
  if error.code == config.lost_code
    # The server may have sent it before it ended, so that this is no refusal.
    Tell(send.bufnr, lnum, words.lost)
    return
  endif
  var message = error.code == -32800 ? 'The request was cancelled before it was sent.'
    : error.message
  Tell(send.bufnr, lnum, get(data, 'summary', 'not sent: ' .. message), get(data, 'mood', 'failed'))
  var place = type(get(data, 'range', null)) == v:t_dict
    ? printf('line %d: ', data.range.start.line + 1) : ''
  if has_key(send.params, 'position')
    environment.Wanted(send.bufnr, error, (isChosen) => {
      if isChosen
        Start(send.bufnr, lnum > 0 ? [lnum] : [], send.params)
      else
        config.Complain(place .. message)
      endif
    })
  else
    config.Complain(place .. message)
  endif
enddef

# Shows on its line, and where an earlier response would be taken for it, what became of a request.
def Tell(bufnr: number, lnum: number, text: string, mood = 'failed')
  if lnum > 0
    results.Set(bufnr, lnum, mood, text)
  endif
  response.Replace(text)
enddef

# Lets the user's autocommands see a reply, in g:postkit_response.
def Announce(reply: dict<any>)
  g:postkit_response = reply
  if exists('#User#PostKitResponse')
    doautocmd <nomodeline> User PostKitResponse
  endif
enddef

# Cancels the send under the cursor, of which the other requests are not sent either; else every send.
export def Cancel()
  if client.State() != 'running'
    config.Say('No requests are being sent.')
    return
  endif
  var buffer = bufnr()
  var lnum = blocks.RequestLine(buffer, line('.'))
  var here = document.Attached(buffer) && lnum > 0
    && get(results.At(buffer, lnum), 'state', '') == 'sending'
    && values(sends)->filter((_, send) => send.total > 1)->empty()
  client.Execute('postkit.cancel', here
      ? {uri: document.Uri(buffer), position: position.At(buffer, lnum, 0)} : {},
    (_, error) => config.Refused(error))
enddef
