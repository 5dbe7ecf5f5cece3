vim9script
# Carries out :PostKit and completes its words.

import autoload 'postkit/action.vim'
import autoload 'postkit/blocks.vim'
import autoload 'postkit/body.vim'
import autoload 'postkit/client.vim'
import autoload 'postkit/config.vim'
import autoload 'postkit/document.vim'
import autoload 'postkit/environment.vim'
import autoload 'postkit/figures.vim'
import autoload 'postkit/hover.vim'
import autoload 'postkit/lists.vim'
import autoload 'postkit/menu.vim'
import autoload 'postkit/output.vim'
import autoload 'postkit/parts.vim'
import autoload 'postkit/places.vim'
import autoload 'postkit/position.vim'
import autoload 'postkit/refactor.vim'
import autoload 'postkit/register.vim'
import autoload 'postkit/requests.vim'
import autoload 'postkit/response.vim'
import autoload 'postkit/results.vim'
import autoload 'postkit/rivals.vim'
import autoload 'postkit/send.vim'
import autoload 'postkit/signature.vim'
import autoload 'postkit/store.vim'
import autoload 'postkit/variables.vim'

# The programs for which a request can be copied.
const TARGETS = ['curl', 'httpie', 'wget', 'python', 'httpx', 'javascript', 'axios', 'go',
  'rust', 'java', 'kotlin', 'csharp', 'php', 'ruby', 'powershell', 'swift', 'hurl', 'http']

# The pages to which a key or command leads.
const PAGES = ['next', 'previous']

# What each word after :PostKit does with the words behind it, the ! and the range.
def Verbs(words: list<string>, overwrites: bool, range: list<number>): dict<func>
  var isOurs = bufname() =~# '^postkit:/'
  return {
    action: action.Show,
    again: send.Again,
    callers: places.Callers,
    calls: places.Calls,
    cancel: send.Cancel,
    collections: () => lists.Find('collections', words),
    copyas: () => CopyAs(words),
    curl: Curl,
    definition: places.Definition,
    diff: () => isOurs ? lists.Press('c') : store.About('postkit.diffResponses'),
    env: () => environment.Choose(get(words, 0, '')),
    evaluate: store.Evaluate,
    export: () => store.Export(words, overwrites),
    filter: () => body.Select([]),
    format: () => refactor.Format(get(range, 0, 1), get(range, 1, line('$'))),
    history: () => lists.Find('history', words),
    hover: hover.Show,
    import: () => store.Import(words, overwrites),
    link: places.Link,
    move: () => refactor.Move(words),
    open: body.View,
    output: output.Show,
    paste: () => refactor.Paste(words),
    page: () => Page(words),
    path: body.Path,
    preview: parts.Preview,
    references: places.References,
    rename: () => refactor.Rename(words),
    response: Response,
    restart: Restart,
    save: store.Save,
    search: () => figures.Search(words),
    select: () => body.Select(words),
    send: () => isOurs ? lists.Press('s') : empty(range) ? send.Send() : send.SendAll(range),
    sendall: () => send.SendAll(),
    signature: signature.Show,
    start: document.Ready,
    stats: () => figures.Count(words),
    status: Status,
    stop: client.Stop,
    symbols: () => places.Symbols(words),
    timeline: () => parts.Id(bufname()) == ''
      ? store.About('postkit.history') : parts.Show(['history']),
    toggle: () => refactor.Toggle(get(range, 0, line('.')), get(range, 1, line('.'))),
    undo: store.Undo,
    values: places.Implementation,
    variables: variables.Show,
    view: () => parts.Show(words),
    write: () => body.Write(words, overwrites),
    # From protocol/commands.json, by generate-protocol:
    cookies: () => lists.Show('postkit.cookies', {}),
    session: () => lists.Show('postkit.session', {}),
    # Until here.
  }
enddef

# A bar that is no letter, as it is after a backslash.
const BAR = '\\\@<!|'

# The words behind which a bar belongs to a path, or to what is searched for.
const TAKE_BARS = ['collections', 'history', 'select', 'stats']

# Runs `:PostKit {words}`, then the command behind a bar; without a word it sends the request under
# the cursor, or with a range those of its lines. `text` is what was typed, `overwrites` whether
# what is there may be replaced.
export def Run(words: list<string>, text: string, overwrites: bool, range: list<number>)
  if index(TAKE_BARS, get(words, 0, '')) >= 0
    Obey(words, overwrites, range)
    return
  endif
  var own: list<string>
  for word in words
    var bar = match(word, BAR)
    var part = substitute(bar < 0 ? word : strpart(word, 0, bar), '\\|', '|', 'g')
    if part != ''
      own->add(part)
    endif
    if bar >= 0
      Obey(own, overwrites, range)
      # As it was typed, for the blanks at which words are split may have a meaning in it.
      Behind(strpart(text, match(text, BAR) + 1))
      return
    endif
  endfor
  Obey(own, overwrites, range)
enddef

# Runs a command that was typed, which is none of this script's language.
function Behind(command)
  execute a:command
endfunction

def Obey(words: list<string>, overwrites = false, range: list<number> = [])
  # What callbacks drew since the last key would make Vim ask for Enter after this command.
  redraw
  var verb = get(words, 0, 'send')
  var commands = Verbs(words[1 :], overwrites, range)
  if !has_key(commands, verb)
    var near = keys(commands)->sort()->matchfuzzy(verb)
    config.Complain(printf('There is no command `:PostKit %s`. %s', verb, empty(near)
      ? 'Press <Tab> after :PostKit for a list, or see :help :PostKit.'
      : 'Did you mean `' .. join(near[: 2], '`, `') .. '`?'))
    return
  endif
  call(commands[verb], [])
enddef

# Runs `:PostKit {verb}` for the lines of the selection.
export def Selected(verb: string)
  Obey([verb], false, sort([line('v'), line('.')], 'n'))
enddef

# Completes the words of :PostKit.
export def Complete(lead: string, line: string, _: number): list<string>
  # The range before the command and its ! are of no matter.
  var words = split(substitute(line, '^.\{-}\<PostKit\>!\=', 'PostKit', ''))
  var known = len(words) > 2 || (len(words) == 2 && lead == '')
    ? After(words[1], lead, words[2 :]) : keys(Verbs([], false, []))->sort()
  return copy(known)->filter((_, word) => stridx(word, lead) == 0)
enddef

# What may follow a verb, behind some words.
def After(verb: string, lead: string, words: list<string>): list<string>
  if verb == 'env'
    return environment.Names(bufnr())
  elseif verb == 'copyas'
    return TARGETS
  elseif verb == 'page'
    return PAGES
  elseif index(['collections', 'history'], verb) >= 0
    return lists.Filters(verb)
  elseif verb == 'stats'
    return figures.Keys()
  elseif verb == 'search'
    return figures.Names(lead == '' ? words : words[: -2])
  elseif verb == 'view'
    return parts.Names()
  elseif index(['import', 'export', 'move', 'write'], verb) >= 0
    return (verb == 'export' ? ['har', 'http', 'jsonl', 'openapi'] : []) + getcompletion(lead, 'file')
  endif
  return []
enddef

# Goes to another page of the response in the current buffer.
def Page(words: list<string>)
  var word = get(words, 0, 'next')
  if index(PAGES, word) < 0
    config.Complain(printf('There is no page `%s`: :PostKit page %s', word, join(PAGES, '|')))
  else
    body.Page(word == 'next' ? 1 : -1)
  endif
enddef

# Shows the last response of the request under the cursor and moves there.
def Response()
  var buffer = bufnr()
  var lnum = blocks.RequestLine(buffer, line('.'))
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
  if !document.HasRequests()
    return
  endif
  var here = position.Cursor()
  client.WhenRunning(() => client.Execute('postkit.copyAsCurl',
    {uri: document.Uri(buffer), position: here}, register.Take))
enddef

# Copies the request under the cursor for the program that is named, or chosen from a menu. Code
# reads secrets from its environment unless `reveal` is written last.
def CopyAs(words: list<string>)
  var buffer = bufnr()
  if !document.HasRequests()
    return
  endif
  if empty(words) || words == ['reveal']
    var title = 'Copy the request as' .. (empty(words) ? '' : ' (with secrets)')
    menu.Pick(title, TARGETS, (index) => {
      if index >= 0
        CopyAs([TARGETS[index]] + words)
      endif
    })
    return
  endif
  if index(TARGETS, words[0]) < 0
    config.Complain(printf('There is no target `%s`. Use :PostKit copyas %s.', words[0],
      join(TARGETS, '|')))
    return
  endif
  var argument = {uri: document.Uri(buffer), position: position.Cursor(), target: words[0],
    reveal: get(words, 1, '') == 'reveal'}
  client.WhenRunning(() => client.Execute('postkit.copyAs', argument, register.Take))
enddef

# Says how the server is, and what is in force in each folder.
def Status()
  var others = rivals.Found(bufnr()) + client.Log(5)
  if client.State() != 'running'
    hover.Tell(['The server is ' .. client.State() .. '. `:PostKit start` starts it.'] + others)
    return
  endif
  var ours = printf('The server is `%s`, process %d. Columns count in %s.',
    join(config.Command()), client.ProcessId(), client.Encoding())
  client.Execute('postkit.status', {}, (text, error) => {
    config.Refused(error)
    hover.Tell((error == null ? split(text, "\n") : []) + [ours] + others)
  })
enddef

# Ends all sends and closes all connections; the next send opens new ones.
def Restart()
  if client.State() != 'running'
    config.Say('The server is ' .. client.State() .. '. `:PostKit start` starts it.')
    return
  endif
  client.Execute('postkit.restartEngine', {}, (text, error) => {
    config.Refused(error)
    config.Say(text ?? '')
  })
enddef

# A few words for a status line: the environment and what is under way.
export def StatusLine(): string
  if client.State() != 'running'
    return ''
  endif
  var name = environment.Active(bufnr())
  var mock = has_key(requests.Status(), 'mock') ? 'mock' : ''
  return join(filter(['PostKit', name == '' ? '' : '[' .. name .. ']', mock, Busy()],
    (_, each) => each != ''))
enddef

# What is under way in a few words: `3 of 40`, `sending`, or what the server does at length.
export def Work(): string
  return Busy()
enddef

def Busy(): string
  return send.Words() ?? requests.Progress()
enddef
