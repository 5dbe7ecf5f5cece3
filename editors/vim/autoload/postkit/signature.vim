vim9script
# Shows the parameters of a function, tag or call in a popup while they are typed.

import autoload 'postkit/client.vim'
import autoload 'postkit/config.vim'
import autoload 'postkit/document.vim'
import autoload 'postkit/highlight.vim'
import autoload 'postkit/position.vim'

var popup = 0
var asked = 0

# After each change in Insert mode: asks after a character that begins parameters, and again while
# they are shown.
export def Typed()
  # A byte is enough to tell most keys from what begins parameters, which is ASCII.
  if popup == 0 && strpart(getline('.'), col('.') - 2, 1) =~# '\w'
    return
  elseif !config.Get('signature') || client.State() != 'running'
    return
  endif
  var typed = strpart(getline('.'), 0, col('.') - 1)->matchstr('.$')
  var triggers = get(client.Offers('signatureHelpProvider') ?? {}, 'triggerCharacters', [])
  if popup != 0 || index(triggers, typed) >= 0
    Ask(false)
  endif
enddef

# Shows the parameters at the cursor, or says that there are none.
export def Show()
  if document.Ready()
    client.WhenRunning(() => Ask(true))
  endif
enddef

def Ask(says: bool)
  asked += 1
  var turn = asked
  var buffer = bufnr()
  client.Request('textDocument/signatureHelp', {
    textDocument: {uri: document.Uri(buffer)}, position: position.Cursor(),
  }, (found, error) => {
    if turn != asked || bufnr() != buffer
      return
    endif
    Shut()
    if error == null && !empty(found) && !empty(found.signatures)
      Open(found)
    elseif says
      config.Say('There are no parameters to show here.')
    endif
  })
enddef

# Takes the popup away.
export def Close()
  Shut()
enddef

def Shut()
  if popup != 0
    popup_close(popup)
    popup = 0
  endif
enddef

def Open(found: dict<any>)
  highlight.Ready()
  var one = found.signatures[get(found, 'activeSignature', 0) ?? 0]
  var active: any = get(one, 'activeParameter', get(found, 'activeParameter', 0))
  var parameters = get(one, 'parameters', [])
  var line: dict<any> = {text: one.label, props: []}
  if type(active) == v:t_number && active < len(parameters)
    var label: any = parameters[active].label
    var [first, last] = type(label) == v:t_list
      ? [byteidx(one.label, label[0]), byteidx(one.label, label[1])]
      : [stridx(one.label, label), stridx(one.label, label) + strlen(label)]
    if first >= 0 && last > first
      add(line.props, {col: first + 1, length: last - first, type: 'PostKitParameter'})
    endif
  endif
  var about = Words(get(get(parameters, active ?? 0, {}), 'documentation', get(one,
    'documentation', '')))
  popup = popup_create([line] + mapnew(about, (_, text) => ({text: text})), {
    line: 'cursor-1', col: 'cursor', pos: 'botleft', padding: [0, 1, 0, 1], highlight: 'Pmenu',
    maxwidth: max([30, &columns * 2 / 3]), callback: (_, _) => {
      popup = 0
    },
  })
enddef

def Words(documentation: any): list<string>
  var text: string = type(documentation) == v:t_dict ? documentation.value : documentation
  return split(text, "\n")->slice(0, 3)
enddef
