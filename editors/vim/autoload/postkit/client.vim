vim9script
# Runs one `postkit lsp` process for this Vim and carries messages to and from it, never waiting.

import autoload 'postkit/config.vim'
import autoload 'postkit/document.vim'
import autoload 'postkit/introduction.vim'
import autoload 'postkit/requests.vim'
import autoload 'postkit/uri.vim'
import autoload 'postkit/words.vim'

# How long a program has to answer the first message.
const answer_milliseconds = 10000
# What this plugin asks for beyond the standard, and the version that has it all.
const needed = ['postkit/environments', 'postkit/exchange', 'postkit/history', 'postkit/send',
  'postkit/variables']
const oldest = '0.1.0'
# The level of a warning in the protocol's log; those below it are errors.
const warning_level = 2
const naming = "let g:postkit = {'command': ['/path/to/postkit', 'lsp']}"

var process: job = null_job
# The command that was of no use when it was tried last.
var useless: list<string> = []
var state = 'stopped'
var server: dict<any> = {}
var folders: list<string> = []
var queue: list<func> = []
var waiting: dict<func> = {}
# What the server logged, newest last: how bad it is, from 1 (an error) to 5, and the line.
var log: list<dict<any>> = []

# `stopped`, `starting`, `running` or `stopping`.
export def State(): string
  return state
enddef

# What the server said about itself: `name`, `version` and its `capabilities`.
export def Server(): dict<any>
  return server
enddef

# The process id of the server, 0 when there is none.
export def ProcessId(): number
  return state == 'stopped' ? 0 : job_info(process).process
enddef

# The newest lines of the server's log, `most` of them and each once: those that warn before those
# that only tell, and the newest of each last.
export def Log(most: number): list<string>
  var warnings: list<string> = []
  var others: list<string> = []
  for entry in reverse(copy(log))
    if index(warnings, entry.line) < 0 && index(others, entry.line) < 0
      add(entry.level <= warning_level ? warnings : others, entry.line)
    endif
  endfor
  var shown = slice(warnings, 0, most)
  return reverse(copy(shown)) + reverse(slice(others, 0, most - len(shown)))
enddef

# Keeps one line of the server's log.
export def Remember(line: string, level: number)
  Keep(line, level)
enddef

def Keep(line: string, level: number)
  add(log, {line: line, level: level})
  if len(log) > 200
    remove(log, 0)
  endif
enddef

# The position encoding of this session.
export def Encoding(): string
  return get(get(server, 'capabilities', {}), 'positionEncoding', 'utf-16')
enddef

# What the server advertises under one key of its capabilities.
export def Offers(key: string): any
  return get(get(server, 'capabilities', {}), key, v:null)
enddef

# Starts the server if it does not run; true when it runs or is about to. Where nobody `asked` for
# it, such as when a file is opened, a program that was of no use is not tried a second time.
export def Start(root: string, asked = true): bool
  return Launch(root, asked)
enddef

def Launch(root: string, asked = true): bool
  if state == 'starting' || state == 'running'
    AddFolder(root)
    return true
  elseif state == 'stopping' && !asked
    # What opens a response that comes late must not bring back what somebody stops.
    return false
  endif
  Forget()
  var command = config.Command()
  if !asked && command == useless
    return false
  endif
  useless = command
  if !executable(command[0])
    config.Complain(printf('`%s` %s. Install it, or set its path: %s', command[0],
      command[0] =~ '/' ? 'is not a program' : 'is not on your PATH', naming))
    return false
  endif
  state = 'starting'
  g:postkit_running = 1
  folders = [root]
  log = []
  process = job_start(command, {
    in_mode: 'lsp', out_mode: 'lsp', err_mode: 'nl', noblock: 1, stoponexit: 'term',
    out_cb: (channel, message) => Heard(channel, message),
    # What is not logged but written is how a program tells that it fails.
    err_cb: (_, line) => Keep(line, warning_level),
    exit_cb: Ended,
  })
  if job_status(process) == 'fail'
    state = 'stopped'
    config.Complain(printf('`%s` does not start. Set its path: %s', join(command), naming))
    return false
  endif
  Send('initialize', introduction.Params(root), Initialized)
  var started = process
  timer_start(answer_milliseconds, (_) => {
    if state == 'starting' && process == started
      Reject('does not answer')
    endif
  })
  return true
enddef

# Ends a program that is none of ours, and says what to do.
def Reject(why: string)
  state = 'stopping'
  job_stop(process, 'kill')
  config.Complain(printf('`%s` %s. This is not PostKit, or it is too old (%s%s is needed). '
    .. 'Install it, or set its path: %s', join(config.Command()), why,
    has_key(server, 'version') ? server.version .. '; ' : '', oldest, naming))
enddef

# Says what to do about a program that ended before it answered.
def Useless(code: number)
  var how = code < 0 ? 'was killed at once' : printf('exited at once (code %d)', code)
  config.Complain(printf('`%s` %s. Is this the right program? Set its path: %s%s',
    join(config.Command()), how, naming, LastWords()))
enddef

# The last line of the server's log, which often tells why it ended.
def LastWords(): string
  return empty(log) ? '' : "\nIts log ends with: " .. log[-1].line
enddef

# Starts the server for the folder of the current buffer; false when it can't run.
export def Ensure(): bool
  return Launch(uri.Root(bufnr()))
enddef

def Folder(root: string): dict<string>
  return {uri: uri.FromPath(root), name: fnamemodify(root, ':t')}
enddef

def Initialized(result: any, error: any)
  if error != null
    # One that has ended already tells so by itself, with its code.
    if state == 'starting' && job_status(process) == 'run'
      Reject('refuses to start: ' .. substitute(error.message, '\.$', '', ''))
    endif
    return
  endif
  server = extend({capabilities: result.capabilities}, get(result, 'serverInfo', {}))
  var ours = get(get(result.capabilities, 'experimental', {}), 'postkit', {})
  if !copy(needed)->filter((_, method) => index(get(ours, 'methods', []), method) < 0)->empty()
    Reject('lacks methods that this plugin needs')
    return
  endif
  useless = []
  state = 'running'
  Tell('initialized', {})
  document.OpenAll()
  var work = queue
  queue = []
  for Job in work
    Job()
  endfor
enddef

# Tells a running server about another project folder.
def AddFolder(root: string)
  if index(folders, root) >= 0
    return
  endif
  add(folders, root)
  Later(() => Tell('workspace/didChangeWorkspaceFolders',
    {event: {added: [Folder(root)], removed: []}}))
enddef

# The project folders the server was told about, in LSP form.
export def Folders(): list<dict<string>>
  return mapnew(folders, (_, root) => Folder(root))
enddef

# Runs `Work` now, or as soon as the server is ready.
export def WhenRunning(Work: func)
  Later(Work)
enddef

def Later(Work: func)
  if state == 'running'
    Work()
  elseif state == 'starting'
    add(queue, Work)
  endif
enddef

def Send(method: string, params: any, Done: func): number
  try
    var sent = ch_sendexpr(process, {method: method, params: params}, {
      callback: (channel, message) => Heard(channel, message),
    })
    waiting[sent.id] = Done
    return sent.id
  catch /^Vim\%((\S\+)\)\?:E\(906\|630\|631\|716\)/
    Done(null, {code: -32803, message: 'The server does not read. `:PostKit stop` ends it.'})
  endtry
  return 0
enddef

# One that was stopped may still write while the next one starts, whose replies have the same ids.
def Heard(channel: channel, message: any)
  if ch_getjob(channel) == process
    Take(message)
  endif
enddef

# Vim tells replies from requests by the id alone: a request of the server that has the id of one
# of ours runs its callback, and the reply that follows comes as if nobody had asked for it. So both
# ways lead here, and `method` decides.
def Take(message: any)
  if type(message) != v:t_dict
    return
  elseif has_key(message, 'method')
    Receive(message)
  elseif has_key(message, 'id')
    Reply(message)
  endif
enddef

def Reply(reply: dict<any>)
  if !has_key(waiting, string(reply.id))
    return
  endif
  var Done = remove(waiting, string(reply.id))
  if has_key(reply, 'error')
    Done(null, extendnew(reply.error, {message: words.InVim(reply.error.message)}))
  else
    Done(get(reply, 'result', null), null)
  endif
enddef

# Sends a request; `Done(result, error)` runs later. Answers the id, 0 when it could not be sent.
export def Request(method: string, params: any, Done: func): number
  return Ask(method, params, Done)
enddef

def Ask(method: string, params: any, Done: func): number
  if state != 'running'
    Done(null, {code: -32002, message: 'The server is not running. `:PostKit start` starts it.'})
    return 0
  endif
  document.FlushAll()
  return Send(method, params, Done)
enddef

# As Request(), for completion, which waits for the answer, but not for long; null without one.
export def Wait(method: string, params: any, milliseconds: number): any
  try
    var reply = state != 'running' ? null
      : ch_evalexpr(process, {method: method, params: params}, {timeout: milliseconds})
    return type(reply) == v:t_dict ? get(reply, 'result', null) : null
  catch /^Vim\%((\S\+)\)\?:E\(906\|630\|631\)/
    Keep('not asked: ' .. method, warning_level)
  endtry
  return null
enddef

# Runs one of the server's commands with its one argument.
export def Execute(command: string, argument: dict<any>, Done: func): number
  return Ask('workspace/executeCommand', {command: command, arguments: [argument]}, Done)
enddef

# Tells the server something that has no answer.
export def Notify(method: string, params: any)
  Tell(method, params)
enddef

def Tell(method: string, params: any)
  if state != 'running'
    return
  endif
  try
    ch_sendexpr(process, {method: method, params: params})
  catch /^Vim\%((\S\+)\)\?:E\(906\|630\|631\)/
    # The server has ended, which Vim tells a moment later.
  endtry
enddef

# Asks the server to give up a request; its callback still runs, with the error.
export def Cancel(id: number)
  if id > 0
    Tell('$/cancelRequest', {id: id})
  endif
enddef

# Answers a request of the server.
export def Answer(id: number, result: any, error: any = null)
  if state != 'running' && state != 'starting'
    return
  endif
  try
    ch_sendexpr(process, error == null ? {id: id, result: result} : {id: id, error: error})
  catch /^Vim\%((\S\+)\)\?:E\(906\|630\|631\)/
    # The server has ended, which Vim tells a moment later.
    Keep('not answered: ' .. id, warning_level)
  endtry
enddef

def Receive(message: dict<any>)
  if has_key(message, 'id')
    requests.Handle(message.id, message.method, get(message, 'params', {}))
  else
    requests.Note(message.method, get(message, 'params', {}))
  endif
enddef

# Ends the server in good order.
export def Stop()
  if state == 'stopped'
    return
  endif
  var ending = process
  if state == 'running'
    Send('shutdown', null, (_, _) => {
      if job_status(ending) == 'run'
        ch_sendexpr(ending, {method: 'exit'})
      endif
    })
  else
    job_stop(ending)
  endif
  state = 'stopping'
  timer_start(2000, (_) => {
    if job_status(ending) == 'run'
      job_stop(ending, 'kill')
    endif
  })
enddef

# Ends the server before Vim exits; the one place that waits, and at most half a second.
export def Leave()
  if state == 'running'
    state = 'stopping'
    ch_evalexpr(process, {method: 'shutdown'}, {timeout: 500})
    ch_sendexpr(process, {method: 'exit'})
  elseif state == 'starting'
    job_stop(process)
  endif
enddef

# Forgets the server that was, and tells those who wait for it.
def Forget()
  server = {}
  document.CloseAll()
  queue = []
  var lost = waiting
  waiting = {}
  for Done in values(lost)
    Done(null, {code: config.lost_code, message: 'The server ended.'})
  endfor
enddef

def Ended(ended: job, code: number)
  # Another one may have been started while this one was ending.
  if ended != process
    return
  endif
  var expected = state == 'stopping'
  var isUnknown = state == 'starting'
  state = 'stopped'
  unlet! g:postkit_running
  Forget()
  if isUnknown
    Useless(code)
  elseif !expected
    config.Complain('The PostKit server stopped unexpectedly. It restarts with your next request.'
      .. LastWords())
  endif
enddef
