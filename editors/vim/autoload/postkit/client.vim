vim9script
# Runs one `postkit lsp` process for this Vim and carries messages to and from it, never waiting.

import autoload 'postkit/config.vim'
import autoload 'postkit/document.vim'
import autoload 'postkit/requests.vim'
import autoload 'postkit/uri.vim'
import autoload 'postkit/words.vim'

# How long a program has to answer the first message.
const answer_milliseconds = 10000
# What this plugin asks for beyond the standard, and the version that has it all.
const needed = ['postkit/environments', 'postkit/exchange', 'postkit/history', 'postkit/send',
  'postkit/variables']
const oldest = '0.1.0'
const naming = "let g:postkit = {'command': ['/path/to/postkit', 'lsp']}"

var process: job = null_job
# The command that was of no use when it was tried last.
var useless: list<string> = []
var state = 'stopped'
var server: dict<any> = {}
var folders: list<string> = []
var queue: list<func> = []
var waiting: dict<func> = {}
var log: list<string> = []

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

# The last lines the server wrote to its log.
export def Log(): list<string>
  return log
enddef

# Keeps one line of the server's log.
export def Remember(line: string)
  add(log, line)
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
  if state == 'starting' || state == 'running'
    AddFolder(root)
    return true
  endif
  var command = config.Command()
  if !asked && command == useless
    return false
  endif
  useless = command
  if !executable(command[0])
    config.Complain(printf("cannot find the program `%s`. Install PostKit, or name it: %s",
      command[0], naming))
    return false
  endif
  state = 'starting'
  g:postkit_running = 1
  folders = [root]
  log = []
  process = job_start(command, {
    in_mode: 'lsp', out_mode: 'lsp', err_mode: 'nl', noblock: 1, stoponexit: 'term',
    out_cb: (_, message) => Take(message),
    err_cb: (_, line) => Remember(line),
    exit_cb: Ended,
  })
  if job_status(process) == 'fail'
    state = 'stopped'
    config.Complain('cannot start ' .. join(command))
    return false
  endif
  Send('initialize', InitializeParams(root), Initialized)
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
  var version = has_key(server, 'version') ? ' (' .. server.version .. ')' : ''
  config.Complain(printf('`%s` %s: it is no PostKit, or one that is too old%s. '
    .. 'Install PostKit %s or newer, or name it: %s',
    join(config.Command()), why, version, oldest, naming))
enddef

# Starts the server for the folder of the current buffer; false when it can't run.
export def Ensure(): bool
  return Start(uri.Root(bufnr()))
enddef

def InitializeParams(root: string): dict<any>
  var options = extend({settings: config.Get('settings')}, config.Get('options'))
  return {
    processId: getpid(),
    clientInfo: {name: 'Vim', version: printf('%d.%d', v:version / 100, v:version % 100)},
    rootUri: uri.FromPath(root),
    workspaceFolders: [Folder(root)],
    capabilities: Capabilities(),
    initializationOptions: {postkit: options},
  }
enddef

def Folder(root: string): dict<string>
  return {uri: uri.FromPath(root), name: fnamemodify(root, ':t')}
enddef

def Capabilities(): dict<any>
  return {
    general: {positionEncodings: config.Get('encodings')},
    window: {
      workDoneProgress: true,
      showDocument: {support: true},
      showMessage: {messageActionItem: {additionalPropertiesSupport: false}},
    },
    workspace: {
      applyEdit: true,
      configuration: true,
      workspaceFolders: true,
      workspaceEdit: {documentChanges: true, resourceOperations: ['create']},
      fileOperations: {willRename: true, didRename: true},
      symbol: {dynamicRegistration: false},
      executeCommand: {dynamicRegistration: false},
      inlayHint: {refreshSupport: true},
      textDocumentContent: {dynamicRegistration: false},
    },
    textDocument: {
      synchronization: {didSave: true},
      publishDiagnostics: {versionSupport: true},
      hover: {contentFormat: ['plaintext', 'markdown']},
      inlayHint: {dynamicRegistration: false},
      completion: {
        contextSupport: true,
        completionItem: {
          snippetSupport: false,
          labelDetailsSupport: true,
          documentationFormat: ['plaintext'],
        },
      },
      definition: {linkSupport: false},
      implementation: {linkSupport: false},
      references: {dynamicRegistration: false},
      documentHighlight: {dynamicRegistration: false},
      documentSymbol: {hierarchicalDocumentSymbolSupport: true},
      documentLink: {tooltipSupport: true},
      callHierarchy: {dynamicRegistration: false},
      rename: {prepareSupport: false},
      formatting: {dynamicRegistration: false},
      rangeFormatting: {dynamicRegistration: false},
      foldingRange: {lineFoldingOnly: true, foldingRange: {collapsedText: true}},
      signatureHelp: {signatureInformation: {
        documentationFormat: ['plaintext'],
        activeParameterSupport: true,
        parameterInformation: {labelOffsetSupport: true},
      }},
      codeAction: {
        dataSupport: true,
        disabledSupport: true,
        resolveSupport: {properties: ['edit', 'command']},
        codeActionLiteralSupport: {codeActionKind: {valueSet: [
          '', 'quickfix', 'refactor', 'source', 'postkit']}},
      },
    },
    experimental: {postkit: {
      version: 1, stream: true, input: true, storeEvents: true, status: true}},
  }
enddef

def Initialized(result: any, error: any)
  if error != null
    # One that has ended already tells so by itself, with its code.
    if state == 'starting' && job_status(process) == 'run'
      Reject('refused to start: ' .. error.message)
    endif
    return
  endif
  server = extend({capabilities: result.capabilities}, get(result, 'serverInfo', {}))
  var ours = get(get(result.capabilities, 'experimental', {}), 'postkit', {})
  if !copy(needed)->filter((_, method) => index(get(ours, 'methods', []), method) < 0)->empty()
    Reject('lacks what this plugin needs')
    return
  endif
  useless = []
  state = 'running'
  Notify('initialized', {})
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
  WhenRunning(() => Notify('workspace/didChangeWorkspaceFolders',
    {event: {added: [Folder(root)], removed: []}}))
enddef

# The project folders the server was told about, in LSP form.
export def Folders(): list<dict<string>>
  return mapnew(folders, (_, root) => Folder(root))
enddef

# Runs `Work` now, or as soon as the server is ready.
export def WhenRunning(Work: func)
  if state == 'running'
    Work()
  elseif state == 'starting'
    add(queue, Work)
  endif
enddef

def Send(method: string, params: any, Done: func): number
  try
    var sent = ch_sendexpr(process, {method: method, params: params}, {
      callback: (_, message) => Take(message),
    })
    waiting[sent.id] = Done
    return sent.id
  catch /^Vim\%((\S\+)\)\?:E\(906\|630\|631\|716\)/
    Done(null, {code: -32803, message: 'the server does not listen'})
  endtry
  return 0
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
  if state != 'running'
    Done(null, {code: -32002, message: 'the server is not running'})
    return 0
  endif
  document.FlushAll()
  return Send(method, params, Done)
enddef

# Runs one of the server's commands with its one argument.
export def Execute(command: string, argument: dict<any>, Done: func): number
  return Request('workspace/executeCommand', {command: command, arguments: [argument]}, Done)
enddef

# Tells the server something that has no answer.
export def Notify(method: string, params: any)
  if state != 'running'
    return
  endif
  try
    ch_sendexpr(process, {method: method, params: params})
  catch /^Vim\%((\S\+)\)\?:E\(906\|630\|631\)/
    Remember('not sent: ' .. method)
  endtry
enddef

# Asks the server to give up a request; its callback still runs, with the error.
export def Cancel(id: number)
  if id > 0
    Notify('$/cancelRequest', {id: id})
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
    Remember('not answered: ' .. id)
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
      ch_sendexpr(ending, {method: 'exit'})
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

def Ended(_: job, code: number)
  var expected = state == 'stopping'
  var isUnknown = state == 'starting'
  state = 'stopped'
  server = {}
  queue = []
  unlet! g:postkit_running
  var lost = waiting
  waiting = {}
  for Done in values(lost)
    Done(null, {code: -32099, message: 'the server ended'})
  endfor
  document.CloseAll()
  if isUnknown
    var tail = empty(log) ? '' : "\nlast words: " .. log[-1]
    config.Complain(printf('`%s` ended with code %d before it answered: it is no PostKit, or '
      .. 'broken. Install PostKit, or name it: %s%s', join(config.Command()), code, naming, tail))
  elseif !expected
    var reason = empty(log) ? '' : "\nlast words: " .. log[-1]
    config.Complain(printf('the server ended with code %d; :PostKit start runs it again%s',
      code, reason))
  endif
enddef
