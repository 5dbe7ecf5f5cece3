vim9script
# Offers the server's code actions for the cursor's line in a menu.

import autoload 'postkit/body.vim'
import autoload 'postkit/client.vim'
import autoload 'postkit/config.vim'
import autoload 'postkit/diagnostics.vim'
import autoload 'postkit/document.vim'
import autoload 'postkit/edit.vim'
import autoload 'postkit/menu.vim'
import autoload 'postkit/parts.vim'
import autoload 'postkit/position.vim'
import autoload 'postkit/register.vim'
import autoload 'postkit/send.vim'

# Asks for the actions and lets the person pick one.
export def Show()
  var buffer = bufnr()
  if !document.Ready()
    return
  endif
  client.WhenRunning(() => Ask(buffer))
enddef

def Ask(buffer: number)
  var here = position.Cursor()
  var near = copy(diagnostics.Of(buffer))->filter((_, each) =>
    each.range.start.line <= here.line && each.range.end.line >= here.line)
  # Beside what is marked in its line, the cursor means that.
  var isOn = copy(near)->filter((_, each) => Holds(each.range, here))
  var place = empty(near) || !empty(isOn) || near[0].range.start.line != here.line
    ? here : near[0].range.start
  var name = parts.Whole(document.Uri(buffer))
  document.Opened(name, () => client.Request('textDocument/codeAction', {
    textDocument: {uri: name},
    range: {start: place, end: place},
    context: {diagnostics: near, triggerKind: 1},
  }, (result, error) => Offer(buffer, result, error)))
enddef

# Whether a range holds a position.
def Holds(range: dict<any>, place: dict<number>): bool
  return (range.start.line < place.line
      || (range.start.line == place.line && range.start.character <= place.character))
    && (range.end.line > place.line
      || (range.end.line == place.line && range.end.character >= place.character))
enddef

def Offer(buffer: number, actions: any, error: any)
  if error != null
    config.Refused(error)
  elseif empty(actions)
    config.Say('There are no actions for this line.')
  else
    var offered = body.Offered(actions)
    menu.Pick('Actions', mapnew(offered, (_, action) => Title(action)),
      (index) => Chosen(buffer, offered, index))
  endif
enddef

def Chosen(buffer: number, actions: list<any>, index: number)
  if index >= 0
    Perform(buffer, actions[index])
  endif
enddef

# An action that can't be done says why.
def Title(action: dict<any>): string
  return has_key(action, 'disabled') ? printf('%s (%s)', action.title, action.disabled.reason)
    : action.title
enddef

# Carries out an action that the server offered for a buffer.
export def Run(buffer: number, action: dict<any>)
  Perform(buffer, action)
enddef

def Perform(buffer: number, action: dict<any>)
  if has_key(action, 'disabled')
    config.Say(action.disabled.reason)
  elseif has_key(action, 'edit') || has_key(action, 'command')
    Do(buffer, action)
  else
    client.Request('codeAction/resolve', action, (resolved, error) => {
      if error != null
        config.Refused(error)
      else
        Do(buffer, resolved)
      endif
    })
  endif
enddef

def Do(buffer: number, action: dict<any>)
  if has_key(action, 'edit')
    edit.Apply(action.edit)
  endif
  var command: any = get(action, 'command', {})
  command = type(command) == v:t_string ? action : command
  if empty(command)
    return
  endif
  if command.command ==# body.view
    body.View()
    return
  endif
  var argument = get(get(command, 'arguments', []), 0, {})
  if command.command =~# '\.copy\a*$'
    client.Execute(command.command, argument, register.Take)
    return
  elseif command.command =~# '\.sendAll$' && has_key(argument, 'collection')
    send.Collection(argument)
    return
  elseif command.command =~# '\.resend$' || get(argument, 'uri', '') =~# '^postkit:'
    send.Run(command.command, argument)
    return
  elseif command.command =~# '\.send$' && bufnr() == buffer
    send.Send()
    return
  endif
  client.Execute(command.command, argument,
    (_, error) => config.Refused(error))
enddef
