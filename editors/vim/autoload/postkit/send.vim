vim9script
# Sends requests and shows how they fare; the server does the sending, this only asks and draws.

import autoload 'postkit/client.vim'
import autoload 'postkit/config.vim'
import autoload 'postkit/document.vim'
import autoload 'postkit/hints.vim'
import autoload 'postkit/position.vim'
import autoload 'postkit/response.vim'
import autoload 'postkit/results.vim'

# Sends under way: {bufnr, mark, started, all}, by a number of our own.
var sends: dict<dict<any>> = {}
var count = 0
var ticker = 0

# How many sends are under way.
export def Running(): number
  return len(sends)
enddef

# The request line of the block around a line: where its result is drawn. 0 when there is none.
# The server decides what a request is; this guess only places a mark until its answer comes.
export def RequestLine(bufnr: number, lnum: number): number
  var first = lnum
  while first > 1 && getbufline(bufnr, first)[0] !~ '^###'
    first -= 1
  endwhile
  var script = false
  for index in range(first, getbufinfo(bufnr)[0].linecount)
    var text = getbufline(bufnr, index)[0]
    if index > first && text =~ '^###'
      return 0
    elseif script
      script = text !~ '%}'
    elseif text =~ '^<\s*{%'
      script = text !~ '%}'
    elseif text !~ '^\s*$\|^\s*#\|^\s*//\|^@\|^<\|^import\>\|^run\>'
      return index
    endif
  endfor
  return 0
enddef

# All request lines of a buffer, from top to bottom.
def RequestLines(bufnr: number): list<number>
  var lines: list<number> = []
  var text = getbufline(bufnr, 1, '$')
  for index in range(1, len(text))
    if index == 1 || text[index - 1] =~ '^###'
      var found = RequestLine(bufnr, index)
      if found > 0
        add(lines, found)
      endif
    endif
  endfor
  return lines
enddef

# Sends what stands in no buffer, such as a stored request or one of the history.
export def Run(command: string, argument: dict<any>)
  var key = Begin(bufnr(), [])
  client.Execute(command, argument, (result, error) => Sent(key, result, error))
enddef

# Sends the request under the cursor.
export def Send()
  var buffer = bufnr()
  var place = line('.')
  if !document.Ready()
    return
  endif
  client.WhenRunning(() => SendAt(buffer, place))
enddef

def SendAt(buffer: number, place: number)
  var lnum = RequestLine(buffer, place)
  if lnum > 0 && get(results.At(buffer, lnum), 'state', '') == 'sending'
    config.Say('this request is under way; :PostKit cancel ends it')
    return
  endif
  var key = Begin(buffer, lnum > 0 ? [lnum] : [])
  client.Execute('postkit.send', {
    uri: document.Uri(buffer), position: position.At(buffer, place, 0),
  }, (result, error) => Sent(key, result, error))
enddef

# Sends every request of the current buffer, in order.
export def SendAll()
  var buffer = bufnr()
  if !document.Ready()
    return
  endif
  client.WhenRunning(() => SendEach(buffer))
enddef

def SendEach(buffer: number)
  var key = Begin(buffer, RequestLines(buffer))
  client.Execute('postkit.sendAll', {uri: document.Uri(buffer)},
    (result, error) => SentAll(key, result, error))
enddef

def Begin(bufnr: number, lines: list<number>): string
  count += 1
  sends[count] = {
    bufnr: bufnr,
    marks: mapnew(lines, (_, lnum) => results.Set(bufnr, lnum, 'sending', 'sending...')),
    started: reltime(),
  }
  if ticker == 0
    ticker = timer_start(1000, (_) => Tick(), {repeat: -1})
  endif
  return string(count)
enddef

# Shows how long each send has taken, once a second while there is one.
def Tick()
  for send in values(sends)
    var seconds = float2nr(reltimefloat(reltime(send.started)))
    send.marks = mapnew(send.marks, (_, mark) => Retold(send.bufnr, mark, seconds))
  endfor
enddef

def Retold(bufnr: number, mark: number, seconds: number): number
  var lnum = results.Line(bufnr, mark)
  return lnum == 0 ? mark
    : results.Set(bufnr, lnum, 'sending', printf('sending... %d s', seconds))
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
  if result.state == 'failed'
    config.Complain(Reason(result))
  endif
  if get(result, 'uri', null) != null && config.Get('open') == 'auto'
    response.Open(result.uri, false)
  elseif get(result, 'uri', null) == null
    response.Replace(Describe(result))
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
  for index in range(len(lines))
    results.Clear(send.bufnr, lines[index])
    if len(replies) == len(lines)
      Draw(send.bufnr, lines[index], replies[index])
    endif
  endfor
  for reply in replies
    failures += reply.state == 'done' ? 0 : 1
    Announce(reply)
  endfor
  config.Say(printf('sent %d, %d failed', len(replies), failures),
    failures > 0 ? 'WarningMsg' : 'None')
enddef

def Draw(bufnr: number, lnum: number, reply: dict<any>)
  if lnum > 0
    results.Set(bufnr, lnum, State(reply), Describe(reply), reply)
  endif
enddef

def State(reply: dict<any>): string
  return reply.state == 'done' && (get(reply, 'status', 0) >= 400 || FailedTests(reply) > 0)
    ? 'failed' : reply.state
enddef

def FailedTests(reply: dict<any>): number
  var tests = get(reply, 'tests', {})
  return type(tests) == v:t_dict ? get(tests, 'failed', 0) : 0
enddef

# A reply in a few words.
export def Describe(reply: dict<any>): string
  if reply.state == 'cancelled'
    return 'cancelled after ' .. Duration(reply.ms)
  elseif reply.state == 'failed'
    return 'failed: ' .. Reason(reply)
  endif
  var words = printf('%s  %s  %s', trim(reply.status .. ' ' .. get(reply, 'reason', '')),
    Duration(reply.ms), Size(reply.size))
  var failed = FailedTests(reply)
  return failed == 0 ? words
    : printf('%s  %d of %d tests failed', words, failed, failed + reply.tests.passed)
enddef

def Reason(reply: dict<any>): string
  return type(reply.error) == v:t_dict ? get(reply.error, 'message', 'unknown') : 'unknown'
enddef

# A duration for a person.
export def Duration(milliseconds: any): string
  return milliseconds < 10000 ? printf('%d ms', float2nr(milliseconds * 1.0))
    : printf('%.1f s', milliseconds / 1000.0)
enddef

# A number of bytes for a person.
export def Size(bytes: any): string
  if bytes < 1000
    return printf('%d B', float2nr(bytes * 1.0))
  endif
  return bytes < 1000000 ? printf('%.1f kB', bytes / 1000.0) : printf('%.1f MB', bytes / 1000000.0)
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
  var lnum = RequestLine(buffer, line('.'))
  var here = document.Attached(buffer) && lnum > 0
    && get(results.At(buffer, lnum), 'state', '') == 'sending'
  client.Execute('postkit.cancel', here
      ? {uri: document.Uri(buffer), position: position.At(buffer, lnum, 0)} : {},
    (_, error) => config.Refused(error))
enddef
