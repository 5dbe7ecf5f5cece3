vim9script
# The history, collections, cookies and session values, and their way in and out.

import './support.vim'
import './work.vim'
import autoload '../autoload/postkit/client.vim'
import autoload '../autoload/postkit/response.vim'
import autoload '../autoload/postkit/texts.vim'

def Remembers()
  work.Open('requests.http')
  system(join([$POSTKIT_BIN, 'run', $POSTKIT_WORK .. '/several.rest', '--line', '8']))
  support.Same(v:shell_error, 0, 'the exit code of the command line')
  PostKit history
  work.WaitList('n=3')
  support.Same(&l:statusline, '%!postkit#lists#Bar()', 'the status line')
  support.True(postkit#lists#Bar() =~# '^ History ', 'how the list is called')
  support.True(getline('.') =~# '200 .*GET .*n=3', 'the command line is on top: ' .. getline('.'))
  support.True(search('q=hello', 'nw') > 0, 'an own send is there')
  execute "normal \<CR>"
  support.Wait(() => work.ResponseText() =~# 'n=3.*HTTP/1.1 200', 'the response')
  support.Same(&filetype, 'httplist', 'where the cursor is')
  # Marks show, whoever makes them.
  work.Press('m', 'Pin it')
  work.WaitList('n=3  pinned')
  support.True(getline('.') =~# 'n=3', 'the cursor stays on its line: ' .. getline('.'))
  var id = matchstr(getline('.'), '\S\+$')
  system(join([$POSTKIT_BIN, 'history', 'label', 'odd', id]))
  support.Same(v:shell_error, 0, 'the exit code of label')
  work.WaitList('n=3  pinned  \[odd\]')
  var before = len(work.replies)
  normal s
  support.Wait(() => len(work.replies) > before, 'a reply to what is sent again')
  support.Same(work.replies[-1].status, 200, 'the status')
  work.WaitList('n=3  \x[-0-9a-f]*\n[^\n]*n=3  pinned')
  support.True(getline('.') =~# 'pinned', 'the cursor follows its line: ' .. getline('.'))
  cursor(1, 1)
  search('n=3')
  normal c
  support.Wait(() => bufname() =~# '^postkit:/diff/', 'a comparison')
  silent only!
  PostKit history label:odd status:2xx
  work.WaitList('n=3  pinned')
  normal q
  support.Same(response.ListWindow(), 0, 'the window of the list')
  work.Open('requests.http')
  PostKit history no\ such=words
  work.WaitList('No matching requests')
  normal q
  work.Open('requests.http')
  work.Go('GET {{$exampleServer}}/get?q=')
  PostKit timeline
  work.WaitList('Earlier responses of .*q=hello')
  normal q
enddef

# Figures lead to what they count; a search is kept under a name; all that it finds is changed.
def Counts()
  work.Open('requests.http')
  PostKit history status:4xx
  work.WaitList('  404  ', '  200  ')
  work.Type('i')
  work.WaitList('matching requests\= by request\.\n[^\n]*\n#\n# REQUEST *COUNT *FAILED')
  support.True(postkit#lists#Bar() =~# '^ Statistics ', 'how the list is called')
  work.Press('S', 'Count by host')
  work.WaitList('# HOST .*\n# 127\.0\.0\.1 ')
  support.True(getline('.') =~# '^# 127', 'the cursor is on a row: ' .. getline('.'))
  work.Type("\<CR>")
  support.Wait(() => bufname() =~# 'history?line=status:4xx%20host:127', 'the list of the row')
  work.WaitList('  404  ', '  200  ')
  PostKit stats status
  work.WaitList('# STATUS .*\n# 404 ')
  search('^# 404 ')
  work.Type("\<CR>")
  support.Wait(() => bufname() =~# 'history?line=status:404$', 'the list of a status')
  support.True(index(getcompletion('PostKit stats ', 'cmdline'), 'host') >= 0, 'words of stats')
  # A name for it.
  var messages = execute('messages')
  PostKit search save not found
  support.Wait(() => support.Messages(messages) =~# 'Saved the search `not found`', 'the news')
  support.Same(getcompletion('PostKit search open no', 'cmdline'), ['not found'], 'the names')
  PostKit search
  work.WaitList('^# Enter: show[^\n]*\n#\n# not found  status:404  \x\{16}$')
  work.Type("\<CR>")
  support.Wait(() => bufname() =~# 'history?line=status', 'what the search finds')
  PostKit search
  support.Wait(() => bufname() =~# '/searches$', 'the searches')
  PostKit search not found
  support.Wait(() => bufname() =~# 'history?line=status', 'what the search finds')
  work.WaitList('  404  ', '  200  ')
  PostKit search
  work.WaitList('not found')
  work.Press('x', 'Delete the search')
  work.WaitList('No saved searches yet\. `A` in')
  messages = execute('messages')
  PostKit search open not found
  support.Wait(() => support.Messages(messages) =~# 'no saved search `not found`', 'that it is gone')
  work.Type('q')
enddef

# The order of the history, and changes of all that a filter finds.
def Sweeps()
  work.Make('swept.http', ['GET {{$exampleServer}}/get?swept=1', '', '###',
    'GET {{$exampleServer}}/get?swept=2'])
  PostKit sendall
  support.Wait(() => get(work.Behind(4), 'state', '') =~# 'done\|failed', 'both')
  PostKit history
  work.WaitList('swept=2')
  var messages = execute('messages')
  work.Type('X')
  support.Wait(() => support.Messages(messages) =~# 'filter the history first', 'what is missing')
  PostKit history swept
  work.WaitList('swept=1', 'q=hello')
  work.Press('S', 'Sort by duration')
  work.WaitList('^# Slowest 2 matching requests')
  work.Press('M', 'Pin all that match')
  work.WaitList('swept=\d[^\n]*  pinned.*\n.*swept=\d[^\n]*  pinned')
  support.Wait(() => support.Messages(messages) =~# 'Pinned 2 requests', 'the number')
  work.Type('X')
  work.PickItem('Cancel')
  work.WaitList('swept=1')
  work.Type('X')
  support.Wait(() => work.PopupText() =~# 'Forget', 'the question')
  work.PickItem('Forget')
  work.WaitList('No matching requests')
  support.Wait(() => support.Messages(messages) =~# 'Forgot 2 requests', 'the number')
  work.Type('q')
enddef

def Collects()
  work.Open('requests.http')
  work.Go('GET {{$exampleServer}}/status/404')
  PostKit save
  work.PickItem('New collection')
  support.Wait(() => execute('messages') =~ 'Saved `missing`', 'the news')
  PostKit collections
  work.WaitList('# work/  \x[-0-9a-f]*\n#   missing  GET .*/status/404')
  var before = len(work.replies)
  normal s
  support.Wait(() => len(work.replies) > before, 'a reply')
  support.Same(work.replies[-1].status, 404, 'the status of what the list sends')
  support.Wait(() => work.ResponseText() =~# 'HTTP/1.1 404', 'the response')
  execute "normal \<CR>"
  support.Wait(() => bufname() =~# '/view/requests/' && &buftype == '', 'the stored request')
  support.True(response.ListWindow() > 0, 'the list is still there')
  support.Same(len(client.Folders()), 1, 'the number of folders')
  :%s/status.404/get?q=changed/
  silent write
  work.Send()
  support.Wait(() => work.ResponseText() =~# 'q=changed.*HTTP/1.1 200', 'what was saved is sent')
  PostKit collections
  work.WaitList('q=changed')
  # A favourite is marked, and listed alone.
  work.Type('*')
  work.WaitList('q=changed  ★  ')
  work.Press('S', 'Show favourites alone')
  work.WaitList('1 stored request.*work/missing  GET')
  support.Same(bufname(), 'postkit:/collections?favourite=yes', 'the list of favourites')
  work.Press('S', 'Sort by last send')
  work.WaitList('sent last first')
  PostKit collections
  work.WaitList('# work/')
  # What is known of a request.
  search('q=changed')
  work.Type('K')
  support.Wait(() => work.PopupText() =~# 'work/missing.*A favourite\_.*Created 20.*Changed 20',
    'created and changed')
  popup_clear()
  # A deletion is taken back.
  var messages = execute('messages')
  work.Press('x', 'Delete it')
  work.WaitList('work/', 'q=changed')
  support.Wait(() => support.Messages(messages) =~# 'Deleted\. `u` takes it back', 'how it comes back')
  work.Type('u')
  work.WaitList('q=changed  ★  ')
  search('q=changed')
  work.Press('x', 'Delete it')
  work.WaitList('work/', 'q=changed')
  messages = execute('messages')
  PostKit undo
  work.WaitList('q=changed  ★  ')
  normal q
enddef

# What a folder gives to its requests is shown and edited; all of it is sent from its line.
def Gives()
  work.Open('requests.http')
  PostKit collections
  work.WaitList('# work/')
  search('^# work/')
  work.Type('D')
  support.Wait(() => bufname() =~# '/view/defaults/.*/work\.http$', 'the defaults')
  append('$', ['@base = {{$exampleServer}}', 'Authorization: Bearer s3cret', 'X-Team: core'])
  silent write
  PostKit collections
  work.WaitList('# work/')
  search('^# work/')
  work.Type('K')
  support.Wait(() => work.PopupText() =~# '1 request\_.*@base = \_.*Bearer ••••••\_.*X-Team: core',
    'the defaults, masked')
  support.True(work.PopupText() !~# 's3cret', 'no secret')
  popup_clear()
  # Anew, the file has a mask, which keeps the value.
  work.Type('D')
  support.Wait(() => bufname() =~# '/view/defaults/', 'the defaults')
  silent edit!
  support.Wait(() => getline(1, '$')->join("\n") =~# 'Bearer s3cret\|Bearer ••••••', 'the text')
  :%s/core/apart/
  silent write
  PostKit collections
  work.WaitList('# work/')
  search('^# work/')
  var before = len(work.replies)
  work.Type('s')
  support.Wait(() => len(work.replies) > before, 'a reply')
  support.Wait(() => get(work.Behind(search('q=changed', 'nw')), 'state', '') == 'done',
    'the result behind the line')
  # A list that is fetched again and says the same keeps it.
  texts.Pour(bufnr(), getline(1, '$'), true)
  support.Same(work.Behind(search('q=changed', 'nw')).state, 'done', 'the result that stays')
  PostKit history q=changed
  work.WaitList('^# Latest.*q=changed')
  work.Type("\<CR>")
  support.Wait(() => work.ResponseText() =~# '"X-Team": "apart"', 'what was sent has the header')
  work.Type('q')
enddef

def Transfers()
  work.Open('requests.http')
  def Told(command: string, pattern: string)
    var before = execute('messages')
    execute command
    support.Wait(() => support.Messages(before) =~ pattern, pattern)
  enddef
  mkdir($POSTKIT_WORK .. '/100%/in', 'p')
  writefile(['### one', 'GET {{$exampleServer}}/get?one'], $POSTKIT_WORK .. '/100%/in/one.http')
  var folder = $POSTKIT_WORK .. '/100%'
  Told('PostKit import ' .. folder, 'Imported 1 request from .*/100%')
  Told('PostKit import ' .. folder, '`:PostKit!` brings it up')
  Told('PostKit! import ' .. folder, 'Imported \d\+ requests\=')
  var shop = $POSTKIT_WORK .. '/the shop.json'
  var schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
  var item = {name: 'List', request: {method: 'GET', url: 'http://a.test/list'}}
  writefile([json_encode({info: {name: 'Shop', schema: schema}, item: [item]})], shop)
  Told('PostKit import ' .. shop .. ' ' .. $POSTKIT_WORK .. '/a new/shop', 'Imported 1 request of Shop')
  support.True(search('created .*Shop.http', 'nw') > 0, 'the report: ' .. join(getline(1, '$'), "\n"))
  quit
  support.True(filereadable($POSTKIT_WORK .. '/a new/shop/Shop.http'), 'the requests')
  Told('PostKit import --fetch http://127.0.0.1:1/api.yaml', "api.yaml can't be fetched")
  support.True(index(getcompletion('PostKit import ' .. $POSTKIT_WORK .. '/se', 'cmdline'),
    $POSTKIT_WORK .. '/several.rest') >= 0, 'files are completed')
  var har = $POSTKIT_WORK .. '/out.har'
  Told('PostKit export har ' .. har .. ' hello', 'Exported \d\+ exchanges\=')
  support.True(!empty(json_decode(join(readfile(har), "\n")).log.entries), 'an entry')
  Told('PostKit export har ' .. har, 'already exists')
  Told('PostKit! export har ' .. har, 'Exported \d\+ exchanges\=')
  Told('PostKit export', 'Name the format')
  Told('PostKit export foo x', 'no format `foo`. Use :PostKit export har|jsonl|http|openapi')
  PostKit collections
  work.WaitList('100%/  \x[-0-9a-f]*\n#   in/  \x[-0-9a-f]*\n#     one  GET')
  normal q
enddef

def Lists()
  work.Open('requests.http')
  PostKit session
  work.WaitList('environment')
  normal q
  append('$', ['', '### cookie', 'GET {{$exampleServer}}/cookies/set?flavour=plain'])
  work.Go('GET {{$exampleServer}}/cookies/set')
  work.Send()
  PostKit cookies
  work.WaitList('flavour=••••••')
  work.Press('x', 'Delete the cookie')
  work.WaitList('No cookies yet', 'flavour')
  normal q
  silent edit!
enddef

def Searches()
  work.Make('shade.http', ['GET {{$exampleServer}}/cookies/set?shade=dark', '', '###',
    'GET {{$exampleServer}}/cookies/set?light=none'])
  PostKit sendall
  support.Wait(() => get(work.Behind(4), 'state', '') =~# 'done\|failed', 'the cookies')
  work.Open('requests.http')
  PostKit history
  work.WaitList('status/404')
  work.Type('o')
  work.Spell('hello', (_) => true)
  work.WaitList('q=hello', 'status/404')
  work.Type("\<CR>")
  support.Wait(() => bufname() =~# 'line=hello', 'the document of the search: ' .. bufname())
  work.WaitList('q=hello')
  work.Type("\<CR>")
  support.Wait(() => work.ResponseText() =~# 'HTTP/1.1 200', 'the response')
  work.Type('q')
  # A text that is in no line, but in a body.
  PostKit history
  work.WaitList('status/404')
  work.Type('o' .. 'production')
  work.WaitList('stage=', 'status/404')
  work.Type("\<Esc>q")
  work.Open('requests.http')
  work.Go('GET {{$exampleServer}}/status/404')
  PostKit save
  work.PickItem('\C\<work\>\|New collection')
  support.Wait(() => execute('messages') =~ 'Saved `missing`', 'the news')
  PostKit collections
  work.WaitList('missing')
  work.Type("onothing\<CR>")
  work.WaitList('', 'missing')
  work.Type("o\<C-U>MISS\<CR>")
  work.WaitList('missing')
  work.Type("o\<C-U>one in:100%\<CR>")
  work.WaitList('# 100%/in/one  GET', 'missing\|work/')
  var before = len(work.replies)
  normal s
  support.Wait(() => len(work.replies) > before, 'a reply to the line that was found')
  work.Type('q')
  # The words of the command are the same, and what was sent last comes first, at once.
  PostKit collections ONE method:get
  work.WaitList('1 stored request.*# 100%/in/one  GET', 'missing')
  work.Type('q')
  PostKit collections missing
  work.WaitList('missing', '100%')
  before = len(work.replies)
  normal s
  support.Wait(() => len(work.replies) > before, 'a reply to another')
  work.Type('q')
  PostKit collections sort:recent
  work.WaitList('sent last first.\n[^\n]*\n#\n# work/missing  GET [^\n]*\n# 100%/in/one  GET')
  work.Type('q')
  var messages = execute('messages')
  PostKit collections sort:size
  support.Wait(() => support.Messages(messages) =~ '`sort` must be order, .* or recent',
    'the words that there are')
  # Other lists are narrowed here; a heading stays with what is below it.
  PostKit cookies
  work.WaitList('shade=')
  work.Type("oshade\<CR>")
  work.WaitList('^#[^\n]*\n#\n# .*/work[^\n]*\n#   [^\n]*shade=[^\n]*$')
  work.Type('q')
enddef

# Runs the scenarios of this file.
export def Run()
  support.Run('E14', 'history', Remembers)
  support.Run('E14', 'statistics and saved searches', Counts)
  support.Run('E14', 'all that a filter finds', Sweeps)
  support.Run('E19', 'collections', Collects)
  support.Run('E19', 'defaults', Gives)
  support.Run('E21', 'in and out', Transfers)
  support.Run('E20', 'cookies and session values', Lists)
  support.Run('E28', 'search in lists', Searches)
enddef
