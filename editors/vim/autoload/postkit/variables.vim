vim9script
# Lists the variables that a request sees: value, and where the definition stands that counts.

import autoload 'postkit/client.vim'
import autoload 'postkit/config.vim'
import autoload 'postkit/document.vim'
import autoload 'postkit/environment.vim'
import autoload 'postkit/position.vim'
import autoload 'postkit/register.vim'
import autoload 'postkit/response.vim'

# The request whose variables are listed: {buffer, position}.
var source: dict<any> = {}
# What the list shows: the items of the server.
var shown: list<dict<any>> = []

# Lists the variables of the request under the cursor.
export def Show()
  if document.HasRequests()
    source = {buffer: bufnr(), position: position.Cursor()}
    client.WhenRunning(() => response.Open('postkit:/variables', true))
  endif
enddef

# Makes the list; false for the name of any other document.
export def Make(name: string, Done: func): bool
  if name !=# 'postkit:/variables' || empty(source)
    return false
  endif
  client.Request('postkit/variables', {
    textDocument: {uri: document.Uri(source.buffer)}, position: source.position,
  }, (found, error) => {
    if error != null
      config.Refused(error)
    else
      shown = found.items
      Done(Lines())
    endif
  })
  return true
enddef

def Lines(): list<string>
  var name = environment.Active(source.buffer)
  var head = printf('# %d variable%s, %s. Enter: open · y: copy · f: filter · g?: more keys',
    len(shown), len(shown) == 1 ? '' : 's', name == '' ? 'no environment' : 'environment ' .. name)
  var width = mapnew(shown, (_, item) => strdisplaywidth(item.name))->max()
  var room = mapnew(shown, (_, item) => strdisplaywidth(Value(item)))->add(1)->max()
  return [head, ''] + mapnew(shown, (_, item) => printf('# %-' .. width .. 'S  %-'
    .. min([room, 60]) .. 'S  %s', item.name, Value(item), Origin(item)))
enddef

def Value(item: dict<any>): string
  return item.masked ? '••••••' : substitute(item.value ?? '', '\n', '⏎', 'g')
enddef

def Origin(item: dict<any>): string
  if item.origin.file == ''
    return '(no file)'
  endif
  var line = item.origin.line > 0 ? ':' .. item.origin.line : ''
  return fnamemodify(item.origin.file, ':.') .. line
enddef

def Item(): dict<any>
  var name = matchstr(getline('.'), '^# \zs\S\+')
  var found = copy(shown)->filter((_, item) => item.name ==# name)
  return line('.') < 3 || empty(found) ? {} : found[0]
enddef

# Opens the definition of the variable under the cursor.
export def Open()
  var item = Item()
  if empty(item)
    config.Say('There is no variable in this line.')
  elseif item.origin.file == ''
    config.Say('No file defines ' .. item.name .. '.')
  else
    response.Leave()
    execute (&hidden || !&modified ? 'edit ' : 'split ') .. fnameescape(item.origin.file)
    cursor(max([1, item.origin.line]), 1)
  endif
enddef

# Copies the value of the variable under the cursor; that of a secret stays hidden.
export def Copy()
  var item = Item()
  if empty(item)
    config.Say('There is no variable in this line.')
  elseif item.masked
    config.Complain(item.name .. ' is a secret. Its value is not copied.')
  else
    register.Take(item.value, null)
  endif
enddef
