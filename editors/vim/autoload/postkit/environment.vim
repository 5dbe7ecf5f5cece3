vim9script
# Lets a person choose the environment whose variables are used.

import autoload 'postkit/badge.vim'
import autoload 'postkit/client.vim'
import autoload 'postkit/config.vim'
import autoload 'postkit/document.vim'
import autoload 'postkit/hints.vim'
import autoload 'postkit/menu.vim'
import autoload 'postkit/uri.vim'

# What the menu offers first: to use none.
const NONE = 'No environment'
# By folder: the environment chosen last.
var active: dict<any> = {}
# By folder: the names of all environments.
var names: dict<list<string>> = {}
# By folder: the environments in which sends are confirmed.
var guarded: dict<list<string>> = {}

# The environment of a buffer as far as this Vim knows, '' for none.
export def Active(bufnr: number): string
  return Chosen(bufnr)
enddef

def Chosen(bufnr: number): string
  return get(active, uri.Root(bufnr), '') ?? ''
enddef

# What the badge of a buffer says; '' where no environment is known.
export def Words(bufnr: number): string
  var none = empty(get(names, uri.Root(bufnr), [])) ? '' : 'no environment'
  return Chosen(bufnr) ?? none
enddef

# Whether a person is asked before a request of a buffer is sent, as its environment wants it.
export def Guarded(bufnr: number): bool
  return Confirms(bufnr)
enddef

def Confirms(bufnr: number): bool
  return index(get(guarded, uri.Root(bufnr), []), Chosen(bufnr)) >= 0
enddef

# The environment of a buffer for a status line, in its colour.
export def Bar(bufnr: number): string
  var name = Chosen(bufnr)
  return name == '' ? '' : printf('%%#%s# %s %%*',
    Confirms(bufnr) ? 'PostKitGuarded' : 'PostKitEnvironment', substitute(name, '%', '%%', 'g'))
enddef

# Takes note of the environment in a `postkit/status`.
export def Told(status: dict<any>)
  if get(status, 'folder', null) != null
    var folder = substitute(uri.ToPath(status.folder), '/$', '', '')
    Become(folder, get(status, 'environment', null) ?? '', get(status, 'confirm', null))
  endif
enddef

# Notes the environment of a folder; where the server has not told whether sends are confirmed in
# it, it is asked.
def Become(folder: string, name: string, confirms: any = null)
  var isNew = !has_key(active, folder) || active[folder] != name
  active[folder] = name
  if confirms != null
    guarded[folder] = confirms ? [name] : []
  endif
  badge.Update()
  redrawstatus!
  if isNew
    Learn(folder)
  endif
enddef

# Asks what environments a folder has, and in which of them sends are confirmed.
def Learn(folder: string)
  client.Request('postkit/environments', {textDocument: {uri: Somewhere(folder)}},
    (result, error) => {
      if error == null
        names[folder] = mapnew(result.items, (_, each) => each.name)
        guarded[folder] = copy(result.items)->filter((_, each) => get(each, 'confirm', false))
          ->mapnew((_, each) => each.name)
        badge.Update()
        redrawstatus!
      endif
    })
enddef

# A document of a folder, as environments are looked up for documents.
def Somewhere(folder: string): string
  for bufnr in document.Buffers()
    if uri.Root(bufnr) == folder
      return document.Uri(bufnr)
    endif
  endfor
  return uri.FromPath(folder .. '/new.http')
enddef

# The names of the environments of a buffer, as far as they are known; they are asked for anew.
export def Names(bufnr: number): list<string>
  if document.Attached(bufnr) && client.State() == 'running'
    Learn(uri.Root(bufnr))
  endif
  return get(names, uri.Root(bufnr), [])
enddef

# Offers the environments of the current buffer, or takes the one that is named.
export def Choose(name = '')
  var buffer = bufnr()
  if !document.Ready()
    return
  endif
  client.WhenRunning(() => name == '' ? Ask(buffer) : Select(buffer, name))
enddef

def Ask(buffer: number)
  client.Request('postkit/environments', {textDocument: {uri: document.Uri(buffer)}},
    (result, error) => Listed(buffer, result, error))
enddef

def Listed(buffer: number, result: any, error: any)
  if error == null
    Offer(buffer, result.items)
  elseif error.code == -32601
    Execute(buffer, {folder: uri.FromPath(uri.Root(buffer))})
  else
    config.Refused(error)
  endif
enddef

def Offer(buffer: number, found: list<dict<any>>)
  var known = mapnew(found, (_, each) => each.name)
  names[uri.Root(buffer)] = known
  if empty(known)
    config.Say('No environments yet. Create `http-client.env.json` next to the request file.')
    return
  endif
  var any_active = copy(found)->filter((_, each) => !!get(each, 'active', false))
  var lines = mapnew(found, (_, each) =>
    (get(each, 'active', false) ? '* ' : '  ') .. Title(each))
  menu.Pick('Environment', [(empty(any_active) ? '* ' : '  ') .. NONE] + lines, (index) => {
    if index >= 0
      Select(buffer, index == 0 ? null : known[index - 1])
    endif
  })
enddef

# Offers the environments in which a request that was refused could be sent, while none is chosen:
# those that the server names in its refusal. `Done(isChosen)` runs at the end, in which what is sent
# is sent with the choice.
export def Wanted(buffer: number, refusal: dict<any>, Done: func)
  var data: any = get(refusal, 'data', null) ?? {}
  if Chosen(buffer) != '' || type(data) != v:t_dict || get(data, 'code', '') !=# 'unresolved-variable'
    Done(false)
    return
  endif
  client.Request('postkit/environments', {textDocument: {uri: document.Uri(buffer)}},
    (result, error) => {
      var found = error != null ? [] : copy(result.items)->filter((_, each) =>
        has_key(data, 'environments') ? index(data.environments, each.name) >= 0
        : stridx(refusal.message, '`' .. each.name .. '`') >= 0)
      if empty(found)
        Done(false)
        return
      endif
      menu.Pick('Send with which environment?', mapnew(found, (_, each) => Title(each)), (index) => {
        if index >= 0
          Select(buffer, found[index].name)
        endif
        Done(index >= 0)
      })
    })
enddef

# An environment in a menu, where one that is called like none is another.
def Title(each: dict<any>): string
  return (each.name ==# NONE ? printf('`%s`', NONE) : each.name) .. (get(each, 'confirm', false) ? ' (confirms each request)' : '')
enddef

def Select(buffer: number, name: any)
  Execute(buffer, {name: name, folder: uri.FromPath(uri.Root(buffer))})
enddef

def Execute(buffer: number, argument: dict<any>)
  client.Execute('postkit.selectEnvironment', argument, (result, error) => {
    if error != null
      config.Refused(error)
      return
    endif
    var chosen = type(result) == v:t_dict ? get(result, 'active', null) : null
    Become(uri.Root(buffer), chosen == null ? '' : chosen)
    config.Say(chosen == null ? 'No environment is selected.' : printf('Environment `%s` is selected.', chosen))
    hints.All()
  })
enddef
