vim9script
# Renames what is under the cursor or the file, lays text out, and pastes curl commands.

import autoload 'postkit/client.vim'
import autoload 'postkit/config.vim'
import autoload 'postkit/document.vim'
import autoload 'postkit/edit.vim'
import autoload 'postkit/position.vim'
import autoload 'postkit/uri.vim'

# Renames the variable or request under the cursor in all files; without a name it asks for one.
export def Rename(words: list<string>)
  if !empty(words)
    RenameTo(join(words))
    return
  endif
  document.Ask('textDocument/prepareRename', {}, (found, buffer) => {
    if empty(found)
      config.Say('There is nothing to rename here.')
      return
    endif
    # Asked where Vim is idle, for a prompt within a callback would keep all others waiting.
    timer_start(0, (_) => {
      var name = input('New name: ', Old(found, buffer))
      if name != ''
        RenameTo(name)
      endif
    })
  })
enddef

# The name that the server offers to change.
def Old(found: dict<any>, buffer: number): string
  if has_key(found, 'placeholder')
    return found.placeholder
  endif
  var range = get(found, 'range', found)
  var [lnum, first] = position.InBuffer(buffer, range.start)
  return strpart(getbufline(buffer, lnum)->get(0, ''), first - 1,
    position.InBuffer(buffer, range.end)[1] - first)
enddef

def RenameTo(name: string)
  document.Ask('textDocument/rename', {newName: name}, (change, _) => {
    if empty(change)
      config.Say('There is nothing to rename here.')
    elseif edit.Apply(change)
      var count = len(edit.Names(change))
      config.Say(printf('Renamed in %d file%s. `:wall` writes %s.', count, count == 1 ? '' : 's',
        count == 1 ? 'it' : 'them'))
    endif
  })
enddef

# Gives the file of the buffer another name; the paths in other files follow.
export def Move(words: list<string>)
  var old = expand('%:p')
  if empty(words) || !filereadable(old)
    config.Complain('Give the new path: :PostKit move PATH')
    return
  endif
  var path = fnamemodify(join(words), ':p')
  if filereadable(path)
    config.Complain(path .. ' already exists. Move it away first.')
    return
  endif
  var files = {files: [{oldUri: uri.FromPath(old), newUri: uri.FromPath(path)}]}
  if !document.Ready()
    return
  endif
  client.WhenRunning(() => client.Request('workspace/willRenameFiles', files, (change, error) => {
    if error != null
      config.Refused(error)
      return
    endif
    if !empty(change)
      edit.Apply(change)
    endif
    MoveFile(old, path)
    client.Notify('workspace/didRenameFiles', files)
  }))
enddef

def MoveFile(old: string, path: string)
  mkdir(fnamemodify(path, ':h'), 'p')
  if rename(old, path) != 0
    config.Complain(printf('Cannot move %s to %s.', old, path))
    return
  endif
  execute 'silent keepalt saveas! ' .. fnameescape(path)
  execute 'silent! bwipeout ' .. fnameescape(old)
  config.Say('Moved to ' .. path .. '. `:wall` writes the files whose paths follow.')
enddef

# Lays the buffer out, or with a range the requests that it touches.
export def Format(first: number, last: number)
  LayOut(first, last)
enddef

def LayOut(first: number, last: number)
  var whole = first <= 1 && last >= line('$')
  var shape = {tabSize: shiftwidth(), insertSpaces: !!&expandtab}
  var tick = b:changedtick
  document.Ask(whole ? 'textDocument/formatting' : 'textDocument/rangeFormatting', {
    options: shape,
    range: {
      start: {line: first - 1, character: 0},
      end: position.At(bufnr(), last, strlen(getline(last))),
    },
  }, (edits, buffer) => {
    if getbufvar(buffer, 'changedtick') != tick
      config.Say('The text has changed. Nothing was formatted.')
    elseif !empty(edits) && edit.Allowed(buffer)
      edit.Edit(buffer, edits)
    endif
  })
enddef

# 'formatexpr': lays out what |gq| is given; while typing Vim does it by itself.
export def Expression(): number
  if mode() =~# '[iR]'
    return 1
  endif
  LayOut(v:lnum, v:lnum + v:count - 1)
  return 0
enddef

# Switches the header and query lines of some lines off, or on where all of them are off.
export def Toggle(first: number, last: number)
  if !document.HasRequests()
    return
  endif
  var argument = {uri: document.Uri(bufnr()), range: {
    start: {line: first - 1, character: 0},
    end: position.At(bufnr(), last, strlen(getline(last))),
  }}
  client.WhenRunning(() => client.Execute('postkit.toggleLine', argument, (isSwitched, error) => {
    if error != null
      config.Refused(error)
    elseif !isSwitched
      config.Say('No header or query parameter on this line. Go to one.')
    endif
  }))
enddef

# Makes a request of the curl command in a register, behind the request under the cursor.
export def Paste(words: list<string>)
  var text = getreg(empty(words) ? '"' : words[0])
  if !document.HasRequests()
    return
  endif
  var argument = {uri: document.Uri(bufnr()), position: position.Cursor(), text: text}
  client.WhenRunning(() => client.Execute('postkit.pasteCurl', argument,
    (_, error) => config.Refused(error)))
enddef
