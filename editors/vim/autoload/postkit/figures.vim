vim9script
# Counts the history, and keeps searches of it under names.

import autoload 'postkit/client.vim'
import autoload 'postkit/config.vim'
import autoload 'postkit/lists.vim'
import autoload 'postkit/uri.vim'

# What requests are counted by.
const KEYS = ['request', 'host', 'path', 'status', 'method', 'environment', 'day']

# What can be done with saved searches.
const VERBS = ['delete', 'open', 'save']

# The longest time that completion waits for names.
const patience_milliseconds = 500

# What may follow `:PostKit stats`.
export def Keys(): list<string>
  return KEYS + lists.Filters('history')
enddef

# Shows figures of the history, or of what some words find: `:PostKit stats host since:2d`.
export def Count(words: list<string>)
  var isKey = index(KEYS, get(words, 0, '')) >= 0
  var query = lists.Query('history', isKey ? words[1 :] : words)
  lists.Show('postkit.statistics', extend(isKey ? {by: words[0]} : {},
    query == '' ? {} : {query: query}))
enddef

# Lists the saved searches, or opens, saves or deletes one: `:PostKit search save broken`.
export def Search(words: list<string>)
  var verb = get(words, 0, '')
  if verb == ''
    lists.Show('postkit.savedSearches', {})
    return
  elseif !client.Ensure()
    return
  endif
  var isVerb = index(VERBS, verb) >= 0
  var name = join(isVerb ? words[1 :] : words)
  if name == ''
    config.Complain(printf('Name the search: `:PostKit search %s NAME`.', verb))
  elseif verb == 'save'
    Save(name)
  elseif verb == 'delete'
    Edit({op: 'search.delete', name: name}, 'Deleted the search `' .. name .. '`.')
  else
    client.WhenRunning(() => client.Request('postkit/savedSearches', {},
      (found, error) => Open(name, found, error)))
  endif
enddef

def Edit(operation: dict<any>, done: string)
  client.WhenRunning(() => client.Execute('postkit.historyEdit', operation, (_, error) => {
    if error != null
      config.Refused(error)
    else
      config.Say(done)
    endif
  }))
enddef

def Save(name: string)
  if bufname() !~# '^postkit:/history'
    config.Complain('Filter the history first, such as `:PostKit history status:4xx`. '
      .. 'There, `:PostKit search save NAME` saves the search.')
    return
  endif
  lists.Offer('postkit.list.save', (action) => {
    if action == null
      config.Complain('This list has no filter to save. Press `f` and type one.')
    else
      Edit({op: 'search.save', name: name, query: action.command.arguments[0].query},
        'Saved the search `' .. name .. '`. `:PostKit search ' .. name .. '` opens it.')
    endif
  })
enddef

def Open(name: string, found: any, error: any)
  if error != null
    config.Refused(error)
    return
  endif
  var search = copy(found.searches)->filter((_, each) => each.name ==# name)
  if empty(search)
    config.Complain(printf('There is no saved search `%s`. `:PostKit search` lists them.', name))
  else
    lists.Show('postkit.history', {query: 'line=' .. uri.Escaped(search[0].query)})
  endif
enddef

# What may follow `:PostKit search`: its verbs, and names behind some of them.
export def Names(words: list<string>): list<string>
  var verb = get(words, 0, '')
  if verb == 'save'
    return []
  endif
  var names = Saved()
  return index(VERBS, verb) >= 0 ? names : VERBS + names
enddef

def Saved(): list<string>
  var found = client.Wait('postkit/savedSearches', {}, patience_milliseconds)
  return type(found) == v:t_dict ? mapnew(found.searches, (_, each) => each.name) : []
enddef
