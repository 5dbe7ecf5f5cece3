vim9script
# Puts requests into collections, and folders of them in and out of the store.

import autoload 'postkit/client.vim'
import autoload 'postkit/config.vim'
import autoload 'postkit/document.vim'
import autoload 'postkit/lists.vim'
import autoload 'postkit/position.vim'
import autoload 'postkit/uri.vim'

# The forms in which the history is written.
const FORMS = ['har', 'jsonl', 'http', 'openapi']

# The request under the cursor as the argument of a command.
def Here(): dict<any>
  return {uri: document.Uri(bufnr()), position: position.Cursor()}
enddef

# Saves the request under the cursor; the server asks where to.
export def Save()
  if document.HasRequests()
    var argument = extend({op: 'collection.save'}, Here())
    client.WhenRunning(() => client.Execute('postkit.collectionEdit', argument,
      (_, error) => config.Refused(error)))
  endif
enddef

# Has the server show what the expression under the cursor comes to.
export def Evaluate()
  if document.HasRequests()
    client.WhenRunning(() => client.Execute('postkit.evaluateExpression', Here(),
      (_, error) => config.Refused(error)))
  endif
enddef

# Takes back the last deletion in the collections.
export def Undo()
  if client.Ensure()
    client.WhenRunning(() => client.Execute('postkit.collectionEdit', {op: 'collection.undo'},
      (_, error) => {
        if error != null
          config.Refused(error)
        else
          config.Say('The last deletion is taken back.')
        endif
      }))
  endif
enddef

# Shows what a command answers about the request under the cursor.
export def About(command: string)
  if document.HasRequests()
    lists.Show(command, Here())
  endif
enddef

def Transfer(command: string, argument: dict<any>, done: string)
  if !client.Ensure()
    return
  endif
  client.WhenRunning(() => client.Execute(command, argument, (result, error) => {
    if error != null
      config.Refused(error)
    elseif has_key(result, 'format')
      Report(result.text)
    else
      var told = printf(done, result.count)->substitute('\<\(\a\+ 1 \a\+\)s\>', '\1', '')
      config.Say(join([told] + result.warnings, "\n"),
        empty(result.warnings) ? 'None' : 'WarningMsg')
    endif
  }))
enddef

def Place(path: string): string
  return uri.FromPath(substitute(fnamemodify(path, ':p'), '.\zs/$', '', ''))
enddef

# Shows a report: its first line as a message, and where it has more, all of it in a window.
def Report(text: string)
  var lines = split(text, "\n", true)
  while len(lines) > 1 && empty(lines[-1])
    remove(lines, -1)
  endwhile
  if len(lines) > 1
    new
    setlocal buftype=nofile bufhidden=wipe noswapfile
    setline(1, lines)
    setlocal nomodifiable
  endif
  config.Say(lines[0])
enddef

# Brings in a file or folder of another tool as request files, or a folder of request files as a
# collection. The first words that name something that is there are the source. With --fetch before
# them a URL may be one, and what a description names by URLs is fetched.
export def Import(all: list<string>, overwrites: bool)
  var fetches = !empty(all) && all[0] ==# '--fetch'
  var words = fetches ? all[1 :] : all
  if empty(words)
    config.Complain('Name a file or folder: :PostKit import [--fetch] FILE [FOLDER]')
    return
  endif
  var count = len(words)
  while count > 1 && empty(getftype(fnamemodify(join(words[: count - 1]), ':p')))
    count -= 1
  endwhile
  var path = join(words[: count - 1])
  var isURL = path =~# '^https\?://'
  var argument: dict<any> = {uri: isURL ? path : Place(path), overwrite: overwrites}
  if fetches
    argument.fetch = true
  endif
  if count < len(words)
    argument.target = Place(join(words[count :]))
  endif
  Transfer('postkit.import', argument,
    'Imported %d requests from ' .. substitute(path, '%', '%%', 'g'))
enddef

# Writes the history, or what of it has some words, into a file.
export def Export(words: list<string>, overwrites: bool)
  if len(words) < 2
    config.Complain('Name the format and the file: :PostKit export har|jsonl|http|openapi FILE')
    return
  elseif index(FORMS, words[0]) < 0
    config.Complain(printf('There is no format `%s`. Use :PostKit export har|jsonl|http|openapi FILE.', words[0]))
    return
  endif
  var argument = {format: words[0], target: Place(words[1]), overwrite: overwrites}
  Transfer('postkit.export',
    len(words) == 2 ? argument : extend(argument, {query: join(words[2 :])}),
    'Exported %d exchanges to ' .. substitute(words[1], '%', '%%', 'g'))
enddef
