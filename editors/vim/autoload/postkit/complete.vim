vim9script
# Completes from the server without waiting: it asks, and shows the menu when the answer comes.

import autoload 'postkit/blocks.vim'
import autoload 'postkit/client.vim'
import autoload 'postkit/config.vim'
import autoload 'postkit/document.vim'
import autoload 'postkit/edit.vim'
import autoload 'postkit/position.vim'
import autoload 'postkit/rivals.vim'

# Time between a typed character and the question, when the menu opens by itself.
const delay_milliseconds = 40
# One letter per CompletionItemKind, as Vim's menu shows them.
const letters = ' tmfcfvcimpuvekscfrdesceot'

var request = 0
var timer = 0
# Where a person asked for the menu last; it does not open by itself there, too.
var asked: list<any> = []
# Whether the menu opens by itself, and what 'completeopt' was before it did.
var isAuto = false
var options = ''

# 'omnifunc': asks, leaves completion mode at once and lets the answer open the menu.
export def Omni(findstart: number, _: string): any
  if findstart == 1
    timer_stop(timer)
    isAuto = false
    asked = Place()
    Ask({triggerKind: 1})
    return -3
  endif
  return []
enddef

# After each typed character: opens the menu by itself where that is wanted.
export def Typed()
  var wish: any = config.Get('autocomplete')
  if empty(wish) || &paste || asked == Place() || (pumvisible() && !IsOurs())
    return
  endif
  var text = strpart(getline('.'), 0, col('.') - 1)
  var typed = matchstr(text, '.$')
  var triggers = get(client.Offers('completionProvider') ?? {}, 'triggerCharacters', [])
  var isTrigger = index(triggers, typed) >= 0
  if type(wish) == v:t_string ? !Expects(text) || rivals.Completes() : !isTrigger && typed !~ '\k'
    return
  endif
  timer_stop(timer)
  timer = timer_start(pumvisible() ? 0 : delay_milliseconds, (_) => {
    if mode() == 'i' && (!pumvisible() || IsOurs())
      isAuto = true
      Ask(isTrigger ? {triggerKind: 2, triggerCharacter: typed} : {triggerKind: 1})
    endif
  })
enddef

# Whether the menu in sight has opened by itself, and nothing is chosen from it yet.
def IsOurs(): bool
  return isAuto && complete_info(['selected']).selected < 0
enddef

# Whether a text up to the cursor is one that few type without looking for the words: a variable, a
# tag, the name or the value of a header.
def Expects(text: string): bool
  return text =~ '{{[^{}]*$' || text =~ '^\s*\%(#\|//\)\s*@[[:alnum:]-]*$'
    || (text =~ '^[[:alpha:]][[:alnum:]-]*\%(:\s*[^;,[:space:]]*\)\=$' && InHead())
enddef

# Whether the cursor's line is one of the headers of a request.
def InHead(): bool
  var first = blocks.RequestLine(bufnr(), line('.'))
  return first > 0 && first < line('.')
    && match(getline(first, line('.') - 1), '^\s*$') < 0
enddef

# The text around the cursor, by which an answer that comes too late is known.
def Place(): list<any>
  return [bufnr(), line('.'), getline('.'), col('.')]
enddef

def Ask(context: dict<any>)
  var buffer = bufnr()
  if !document.Attached(buffer) || client.State() != 'running'
    return
  endif
  client.Cancel(request)
  request = 0
  var place = Place()
  request = client.Request('textDocument/completion', {
    textDocument: {uri: document.Uri(buffer)},
    position: position.Cursor(),
    context: context,
  }, (result, error) => {
    if error == null && result != null && place == Place()
      Show(type(result) == v:t_list ? result : Items(result))
    endif
  })
enddef

# The items of a CompletionList, each with the defaults it leaves out.
def Items(list: dict<any>): list<dict<any>>
  var range: any = get(get(list, 'itemDefaults', {}), 'editRange', {})
  if empty(range)
    return list.items
  endif
  range = has_key(range, 'insert') ? range.insert : range
  return mapnew(list.items, (_, item) => has_key(item, 'textEdit') ? item
    : extend({textEdit: {range: range, newText: get(item, 'textEditText', item.label)}}, item))
enddef

def Show(items: list<dict<any>>)
  if mode() != 'i' || empty(items)
    return
  endif
  var text = getline('.')
  var caret = col('.') - 1
  var starts = mapnew(items, (_, item) => Start(item, text, caret))
  var start = min(starts)
  var typed = strpart(text, start, caret - start)
  var matches: list<dict<any>> = []
  var order = range(len(items))->sort((one, other) => Rank(items[one], items[other]))
  for index in order
    var item = items[index]
    var between = strpart(text, start, starts[index] - start)
    if Fits(item, strpart(text, starts[index], caret - starts[index]))
      add(matches, Match(item, between))
    endif
  endfor
  var isDone = empty(matches) || (len(matches) == 1 && matches[0].word ==# typed)
  if !isDone && isAuto
    # Who types on must not find a word in the text that nobody has chosen.
    options = options ?? &completeopt
    &completeopt = 'menuone,noinsert,noselect' .. (options =~# 'popup' ? ',popup' : '')
  endif
  if !isDone || pumvisible()
    complete(start + 1, isDone ? [] : matches)
  endif
enddef

# Brings back what the menu has changed.
def Restore()
  if options != '' && !pumvisible()
    &completeopt = options
    options = ''
  endif
enddef

def Rank(one: dict<any>, other: dict<any>): number
  var first = get(one, 'sortText', one.label)
  var second = get(other, 'sortText', other.label)
  return first ==# second ? 0 : first ># second ? 1 : -1
enddef

def Start(item: dict<any>, text: string, caret: number): number
  if !has_key(item, 'textEdit')
    return match(strpart(text, 0, caret), '\k*$')
  endif
  var range = has_key(item.textEdit, 'range') ? item.textEdit.range : item.textEdit.insert
  return position.Offset(text, float2nr(range.start.character))
enddef

# Whether an item belongs to what is typed: its letters appear in this order, in either case.
def Fits(item: dict<any>, typed: string): bool
  var letters_typed = split(typed, '\zs')->mapnew((_, each) => escape(each, '\'))
  var pattern = '\c\V' .. join(letters_typed, '\.\{-}')
  return get(item, 'filterText', item.label) =~ pattern
enddef

def Match(item: dict<any>, before: string): dict<any>
  var text = has_key(item, 'textEdit') ? item.textEdit.newText : get(item, 'insertText', item.label)
  var lines = split(text, "\n", true)
  var documentation: any = get(item, 'documentation', '')
  var origin = get(get(item, 'labelDetails', {}), 'description', '')
  return {
    word: before .. lines[0],
    abbr: item.label,
    menu: join(filter([get(item, 'detail', ''), origin], (_, each) => each != ''), '  '),
    info: &completeopt !~ 'popup' ? ''
      : type(documentation) == v:t_dict ? documentation.value : documentation,
    kind: letters[get(item, 'kind', 0)],
    icase: 1, dup: 1, empty: 1, equal: 1,
    user_data: {postkit: {rest: lines[1 :], edits: get(item, 'additionalTextEdits', [])}},
  }
enddef

# After a choice: writes the lines below the first and the edits elsewhere that belong to it.
export def Finish()
  Restore()
  var data: any = get(v:completed_item, 'user_data', {})
  if type(data) != v:t_dict || !has_key(data, 'postkit')
    return
  endif
  var rest: list<string> = data.postkit.rest
  if !empty(rest)
    var text = getline('.')
    var tail = strpart(text, col('.') - 1)
    setline('.', strpart(text, 0, col('.') - 1))
    append('.', rest[: -2] + [rest[-1] .. tail])
    cursor(line('.') + len(rest), strlen(rest[-1]) + 1)
  endif
  if !empty(data.postkit.edits)
    edit.Edit(bufnr(), data.postkit.edits)
  endif
enddef
