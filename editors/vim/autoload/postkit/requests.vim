vim9script
# Answers what the server asks of the editor and takes note of what it tells.

import autoload 'postkit/client.vim'
import autoload 'postkit/config.vim'
import autoload 'postkit/diagnostics.vim'
import autoload 'postkit/document.vim'
import autoload 'postkit/edit.vim'
import autoload 'postkit/environment.vim'
import autoload 'postkit/hints.vim'
import autoload 'postkit/menu.vim'
import autoload 'postkit/output.vim'
import autoload 'postkit/response.vim'
import autoload 'postkit/send.vim'

# The last `postkit/status` of the server, and the titles of work under way by token.
var status: dict<any> = {}
var progress: dict<string> = {}

# The last status the server sent: `folder`, `environment`, `inFlight`, `health`.
export def Status(): dict<any>
  return status
enddef

# What the server is doing at length, for a status line.
export def Progress(): string
  return join(values(progress), ', ')
enddef

# Answers one request of the server.
export def Handle(id: any, method: string, params: any)
  if method == 'workspace/configuration'
    client.Answer(id, mapnew(params.items, (_, item) => config.Setting(get(item, 'section', ''))))
  elseif method == 'workspace/applyEdit'
    client.Answer(id, {applied: edit.Apply(params.edit)})
  elseif method == 'window/showDocument'
    client.Answer(id, {success: response.Show(params)})
  elseif method == 'window/showMessageRequest'
    Choose(id, params)
  elseif method == 'postkit/input'
    Ask(id, params)
  elseif method == 'workspace/textDocumentContent/refresh'
    client.Answer(id, null)
    response.Refresh(params.uri)
  elseif method =~ '/refresh$'
    client.Answer(id, null)
    hints.All()
  elseif method =~ '^client/\|^window/workDoneProgress/create$'
    client.Answer(id, null)
  elseif method == 'workspace/workspaceFolders'
    client.Answer(id, client.Folders())
  else
    client.Answer(id, null, {code: -32601, message: 'Vim does not know ' .. method})
  endif
enddef

# Takes note of one notification of the server.
export def Note(method: string, params: any)
  if method == 'textDocument/publishDiagnostics'
    var bufnr = document.Buffer(params.uri)
    if bufnr > 0
      diagnostics.Publish(bufnr, params.diagnostics)
    endif
  elseif method == 'window/showMessage'
    config.Say(params.message, params.type <= 2 ? 'WarningMsg' : 'None')
  elseif method == 'window/logMessage' || method == '$/logTrace'
    # What is traced has no type.
    client.Remember(params.message, get(params, 'type', 5))
  elseif method == 'postkit/didPrint'
    output.Told(params)
  elseif method == 'postkit/status'
    status = params
    environment.Told(params)
    redrawstatus!
  elseif method == 'postkit/didChangeStore'
    hints.All()
    if exists('#User#PostKitStore')
      doautocmd <nomodeline> User PostKitStore
    endif
  elseif method == '$/progress' && !send.Progress(params.token, params.value)
    Progressed(string(params.token), params.value)
  endif
enddef

def Progressed(token: string, value: dict<any>)
  if get(value, 'kind', '') == 'end'
    if has_key(progress, token)
      remove(progress, token)
    endif
  elseif get(value, 'kind', '') == 'begin'
    progress[token] = value.title
  endif
  redrawstatus!
enddef

def Choose(id: number, params: dict<any>)
  var actions = get(params, 'actions', [])
  if empty(actions)
    config.Say(params.message)
    client.Answer(id, null)
    return
  endif
  menu.Pick(params.message, mapnew(actions, (_, action) => action.title), (index) => {
    client.Answer(id, index < 0 ? null : actions[index])
  })
enddef

# Asks for a value the server needs; the prompt waits for a moment in which Vim is idle.
def Ask(id: number, params: dict<any>)
  var options = get(params, 'options', [])
  if params.kind == 'select' && !empty(options)
    menu.Pick(params.title, options, (index) => {
      client.Answer(id, index < 0 ? null : {value: options[index]})
    })
    return
  endif
  timer_start(0, (_) => {
    try
      client.Answer(id, Prompt(params))
    catch /^Vim:Interrupt$/
      client.Answer(id, null)
    endtry
  })
enddef

def Prompt(params: dict<any>): any
  var label = 'PostKit: ' .. params.title .. ': '
  if params.kind == 'confirm'
    return confirm(params.title, "&Yes\n&No", 2) == 1 ? {value: 'yes'} : null
  endif
  const nothing = "\u0001"
  var offered = get(params, 'default', '')
  # What a request was given last is rarely a beginning of what it is given now; a path is.
  var isHint = offered != '' && send.Running() > 0
  if isHint
    label = printf('PostKit: %s (Enter: %s): ', params.title, offered)
  endif
  var given = params.kind == 'password' ? inputsecret(label)
    : inputdialog(label, isHint ? '' : offered, nothing)
  return given == nothing ? null : {value: isHint && given == '' ? offered : given}
enddef
