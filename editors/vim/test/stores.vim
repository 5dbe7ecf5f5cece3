vim9script
# The history, collections, cookies and session values, and their way in and out.

import './support.vim'
import './work.vim'
import autoload '../autoload/postkit/client.vim'
import autoload '../autoload/postkit/response.vim'

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
  PostKit history label=odd status=2xx
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

def Collects()
  work.Open('requests.http')
  work.Go('GET {{$exampleServer}}/status/404')
  PostKit save
  work.PickItem('New collection')
  support.Wait(() => execute('messages') =~ 'Saved `missing`', 'the news')
  PostKit collections
  work.WaitList('# work/\n#   missing  GET .*/status/404')
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
  work.Press('x', 'Delete it')
  work.WaitList('work/', 'q=changed')
  normal q
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
  var har = $POSTKIT_WORK .. '/out.har'
  Told('PostKit export har ' .. har .. ' hello', 'Exported \d\+ exchanges\=')
  support.True(!empty(json_decode(join(readfile(har), "\n")).log.entries), 'an entry')
  Told('PostKit export har ' .. har, 'already exists')
  Told('PostKit! export har ' .. har, 'Exported \d\+ exchanges\=')
  Told('PostKit export', 'Name the format')
  Told('PostKit export foo x', 'no format `foo`. Use :PostKit export har|jsonl|http')
  PostKit collections
  work.WaitList('100%/\n#   in/\n#     one  GET')
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
  work.Open('requests.http')
  PostKit history
  work.WaitList('status/404')
  work.Type('o')
  work.Spell('hello', (_) => true)
  work.WaitList('q=hello', 'status/404')
  work.Type("\<CR>")
  support.Wait(() => bufname() =~# 'search=hello', 'the document of the search: ' .. bufname())
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
  # A word may be that of a heading, which stays: what is below it is meant, and nothing else.
  work.Type("o\<C-U>100 get\<CR>")
  work.WaitList('# 100%/\n#   in/\n#     one  GET', 'missing\|work/')
  work.Type('q')
enddef

# Runs the scenarios of this file.
export def Run()
  support.Run('E14', 'history', Remembers)
  support.Run('E19', 'collections', Collects)
  support.Run('E21', 'in and out', Transfers)
  support.Run('E20', 'cookies and session values', Lists)
  support.Run('E28', 'search in lists', Searches)
enddef
