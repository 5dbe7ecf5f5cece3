vim9script
# Shows what the server knows about the word under the cursor in a popup.

import autoload 'postkit/client.vim'
import autoload 'postkit/config.vim'
import autoload 'postkit/document.vim'
import autoload 'postkit/position.vim'
import autoload 'postkit/register.vim'

# Asks about the cursor's place; the popup goes away when the cursor moves.
export def Show()
  var place = [bufnr(), line('.'), col('.')]
  if !document.Ready()
    return
  endif
  client.WhenRunning(() => Ask(place))
enddef

def Ask(place: list<number>)
  client.Request('textDocument/hover', {
    textDocument: {uri: document.Uri(place[0])},
    position: position.At(place[0], place[1], place[2] - 1),
  }, (result, error) => Told(place, result, error))
enddef

def Told(place: list<number>, result: any, error: any)
  if error != null
    config.Refused(error)
  elseif empty(result)
    config.Say('There is nothing to show here.')
  elseif place == [bufnr(), line('.'), col('.')]
    Popup(Lines(result.contents))
  endif
enddef

# The text of all three forms that hover contents may have.
def Lines(contents: any): list<string>
  if type(contents) == v:t_list
    return mapnew(contents, (_, each) => Lines(each))->flattennew()
  endif
  var text: string = type(contents) == v:t_dict ? contents.value : contents
  if type(contents) == v:t_dict && get(contents, 'kind', '') == 'plaintext'
    return split(text, "\n")
  endif
  return split(text, "\n")
    ->filter((_, line) => line !~ '^\s*```')
    ->mapnew((_, line) => substitute(line, '\*\*\|`', '', 'g'))
enddef

# Shows lines that somebody asked for, until the cursor moves: `q` and <Esc> close them, `y` copies
# them.
export def Tell(lines: list<string>)
  var id = Popup(lines)
  popup_setoptions(id, {mapping: false, filtermode: 'n', filter: (_, key) => {
    if key ==? 'y'
      register.Take(join(lines, "\n"), null)
    elseif key !=# 'q' && key != "\<Esc>"
      return false
    endif
    popup_close(id)
    return true
  }})
enddef

def Popup(lines: list<string>): number
  var frame = &encoding == 'utf-8' ? ['─', '│', '─', '│', '┌', '┐', '┘', '└'] : []
  var id = popup_atcursor(lines, {
    moved: 'any', close: 'click', border: [], padding: [0, 1, 0, 1],
    maxwidth: max([30, &columns * 2 / 3]), maxheight: max([8, &lines / 2]),
    highlight: 'Pmenu', borderchars: frame,
  })
  win_execute(id, 'setlocal linebreak')
  return id
enddef
