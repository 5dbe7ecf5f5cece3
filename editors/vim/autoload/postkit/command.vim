vim9script
# Carries out :PostKit and completes its words.

import autoload 'postkit/action.vim'
import autoload 'postkit/client.vim'
import autoload 'postkit/config.vim'
import autoload 'postkit/document.vim'
import autoload 'postkit/environment.vim'
import autoload 'postkit/hover.vim'
import autoload 'postkit/lists.vim'
import autoload 'postkit/position.vim'
import autoload 'postkit/register.vim'
import autoload 'postkit/requests.vim'
import autoload 'postkit/response.vim'
import autoload 'postkit/results.vim'
import autoload 'postkit/send.vim'
import autoload 'postkit/store.vim'

def Verbs(overwrites = false): dict<func>
  return {
    action: (_) => action.Show(),
    cancel: (_) => send.Cancel(),
    collections: (_) => lists.Show('postkit.collections', {}),
    cookies: (_) => lists.Show('postkit.cookies', {}),
    curl: (_) => Curl(),
    diff: (_) => store.Compare(),
    env: (words) => environment.Choose(get(words, 0, '')),
    export: (words) => store.Export(words, overwrites),
    history: (words) => lists.History(words),
    hover: (_) => hover.Show(),
    import: (words) => store.Import(words, overwrites),
    response: (_) => Response(),
    save: (_) => store.Save(),
    send: (_) => send.Send(),
    sendall: (_) => send.SendAll(),
    session: (_) => lists.Show('postkit.session', {}),
    start: (_) => document.Ready(),
    status: (_) => Status(),
    stop: (_) => client.Stop(),
    timeline: (_) => store.Timeline(),
  }
enddef

# Runs `:PostKit {words}`; without a word it sends the request under the cursor.
# `overwrites` is whether what is there may be replaced by an import or export.
export def Run(words: list<string>, overwrites = false)
  var verb = get(words, 0, 'send')
  var commands = Verbs(overwrites)
  if !has_key(commands, verb)
    config.Complain(printf('`%s` is not one of %s', verb, keys(commands)->sort()->join(', ')))
    return
  endif
  # What callbacks drew since the last key would make Vim ask for Enter after this command.
  redraw
  call(commands[verb], [words[1 :]])
enddef

# Completes the words of :PostKit.
export def Complete(lead: string, line: string, _: number): list<string>
  var words = split(line)
  var known = len(words) > 2 || (len(words) == 2 && lead == '')
    ? After(words[1], lead) : keys(Verbs())->sort()
  return copy(known)->filter((_, word) => stridx(word, lead) == 0)
enddef

# What may follow a verb.
def After(verb: string, lead: string): list<string>
  if verb == 'env'
    return environment.Names()
  elseif verb == 'history'
    return lists.Filters()
  elseif verb == 'import' || verb == 'export'
    return (verb == 'export' ? ['har', 'http', 'jsonl'] : []) + getcompletion(lead, 'file')
  endif
  return []
enddef

# Shows the last response of the request under the cursor and moves there.
def Response()
  var buffer = bufnr()
  var lnum = send.RequestLine(buffer, line('.'))
  var reply = get(lnum > 0 ? results.At(buffer, lnum) : {}, 'reply', {})
  if get(reply, 'uri', null) != null
    response.Open(reply.uri, true)
    return
  endif
  if !document.Ready()
    return
  endif
  var here = position.Cursor()
  client.WhenRunning(() => client.Execute('postkit.showResponse',
    {uri: document.Uri(buffer), position: here, takeFocus: true},
    (_, error) => config.Refused(error)))
enddef

# Copies the request under the cursor as a curl line into the unnamed and the system register.
def Curl()
  var buffer = bufnr()
  if !document.Ready()
    return
  endif
  var here = position.Cursor()
  client.WhenRunning(() => client.Execute('postkit.copyAsCurl',
    {uri: document.Uri(buffer), position: here}, register.Take))
enddef

# Says how the server is.
def Status()
  var server = client.Server()
  if client.State() != 'running'
    config.Say('the server is ' .. client.State())
  else
    config.Say(printf('server %s, process %d, %s columns, %d under way, environment %s',
      get(server, 'version', '?'), client.ProcessId(), client.Encoding(), send.Running(),
      environment.Active(bufnr()) ?? '(none)'))
  endif
  for line in client.Log()[-5 :]
    config.Say(line)
  endfor
enddef

# A few words for a status line: the environment and what is under way.
export def StatusLine(): string
  if client.State() != 'running'
    return ''
  endif
  var name = environment.Active(bufnr())
  var work = send.Running() > 0 ? printf(' sending %d', send.Running()) : ''
  return 'PostKit' .. (name == '' ? '' : ' [' .. name .. ']') .. work
    .. (requests.Progress() == '' ? '' : ' ' .. requests.Progress())
enddef
