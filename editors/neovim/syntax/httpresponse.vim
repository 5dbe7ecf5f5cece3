" Colours a response document: status line, headers, and the body by its content type.
if exists('b:current_syntax')
  finish
endif

let s:type = ''
for s:line in getline(1, min([line('$'), 200]))
  if s:line ==# ''
    break
  endif
  let s:found = matchstr(tolower(s:line), '^content-type:\s*\zs[^; ]*')
  let s:type = s:found ==# '' ? s:type : s:found
endfor
let s:file = s:type =~# 'json' ? 'json' : s:type =~# 'html' ? 'html' : s:type =~# 'xml' ? 'xml' : ''
if s:file !=# ''
  execute 'syntax include @httpresponseBody syntax/' . s:file . '.vim'
  unlet! b:current_syntax
  syntax region httpresponseBody start=/^$/ end=/\%$/ contains=@httpresponseBody
endif

syntax match httpresponseStatus /^HTTP\/.*$/ contains=httpresponseGood,httpresponseBad
syntax match httpresponseGood /\(HTTP\/\S\+ \)\@<=[123]\d\d.*$/ contained
syntax match httpresponseBad /\(HTTP\/\S\+ \)\@<=[45]\d\d.*$/ contained
syntax match httpresponseName /^[A-Za-z0-9-]\+:\@=/
syntax match httpresponseNote /^#.*$/

highlight default link httpresponseStatus Comment
highlight default link httpresponseGood MoreMsg
highlight default link httpresponseBad WarningMsg
highlight default link httpresponseName Type
highlight default link httpresponseNote Comment

let b:current_syntax = 'httpresponse'
