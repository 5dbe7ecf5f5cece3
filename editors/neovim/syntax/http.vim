" Colours HTTP request files: separators, request lines, headers, variables, comments and bodies.
if exists('b:current_syntax')
  finish
endif

syntax include @httpJson syntax/json.vim
unlet! b:current_syntax
syntax include @httpJavaScript syntax/javascript.vim
unlet! b:current_syntax
syntax sync minlines=200

syntax match httpSeparator /^###.*$/ contains=httpName
syntax match httpName /\(^###\s*\)\@<=\S.*$/ contained
syntax match httpComment /^\s*\(#\(##\)\@!\|\/\/\).*$/ contains=httpTag
syntax match httpTag /\(^\s*\(#\|\/\/\)\s*\)\@<=@[A-Za-z-]\+/ contained

syntax match httpVariableLine /^@[^ =]\+\s*=.*$/ contains=httpVariableName,httpReference
syntax match httpVariableName /^@[^ =]\+/ contained
syntax match httpReference /{{[^}]*}}/ contains=httpDynamic
syntax match httpDynamic /\({{\s*\)\@<=\$[A-Za-z_.]\+/ contained

syntax match httpRequest /^[A-Z]\{3,}\s\+\S.*$/
  \ contains=httpMethod,httpUrl,httpVersion nextgroup=httpQuery,httpHeader skipnl
syntax match httpRequest /^\(https\?:\/\/\|{{\)\S.*$/ contains=httpUrl,httpVersion
syntax match httpMethod /^[A-Z]\+/ contained
syntax match httpUrl /\(^[A-Z]\+\s\+\)\@<=\S\+/ contained contains=httpReference
syntax match httpUrl /^\(https\?:\|{{\)\S\+/ contained contains=httpReference
syntax match httpVersion /HTTP\/[0-9.]\+\s*$/ contained
syntax match httpQuery /^\s\+[?&].*$/ contains=httpReference
syntax match httpHeader /^[A-Za-z0-9-]\+:.*$/ contains=httpHeaderName,httpReference
syntax match httpHeaderName /^[A-Za-z0-9-]\+:\@=/ contained
syntax match httpInclude /^\(<@\k*\|<>\|<\|>>!\?\|>\)\s\+\S.*$/ contains=httpReference
syntax match httpHeader /^\.\.\.\S.*$/ contains=httpReference
syntax match httpDirective /^\(import\|run\)\s.*$/ contains=httpReference
syntax match httpAssertion /^??\s.*$/ contains=httpPredicate,httpReference
syntax match httpPredicate /\(^??\s\+\)\@<=\(status\|header\|body\|duration\|js\|xpath\)\>/ contained
syntax region httpCurl start=/^\s*\(\$\s\+\)\?curl\s/ end=/\\\@1<!$/ keepend
  \ contains=httpCurlName,httpCurlOption,httpCurlText,httpReference
syntax match httpCurlName /^\s*\(\$\s\+\)\?curl\>/ contained
syntax match httpCurlOption /\s\@1<=--\?[A-Za-z][A-Za-z0-9.-]*/ contained
syntax region httpCurlText start=/'/ end=/'/ contained contains=httpReference
syntax region httpCurlText start=/"/ skip=/\\"/ end=/"/ contained contains=httpReference

syntax region httpBody start=/^[{\[]\({\)\@!/ end=/^\(###\)\@=\|^[}\]]\s*$/ keepend
  \ contains=@httpJson,httpReference
syntax region httpScript matchgroup=httpInclude start=/^[<>=]\s*{%/ end=/%}/ keepend
  \ contains=@httpJavaScript
syntax region httpScript matchgroup=httpInclude start=/^{{[@+]\?\a*\s*$/ end=/^}}\s*$\|^\(###\)\@=/
  \ keepend contains=@httpJavaScript
syntax region httpGraphQL matchgroup=httpMethod
  \ start=/^\(query\|mutation\|subscription\|fragment\)\>\ze\s*[A-Za-z_({@]/
  \ end=/^}\s*$\|^\(###\)\@=/ contains=httpReference,httpGraphQLName
syntax match httpGraphQLName /\$\w\+/ contained
syntax match httpReference /{{[^}]*}}/ contained containedin=jsonString,jsonNoise
  \ contains=httpDynamic

highlight default link httpSeparator PreProc
highlight default link httpName Title
highlight default link httpComment Comment
highlight default link httpTag SpecialComment
highlight default link httpVariableName Identifier
highlight default link httpReference Special
highlight default link httpDynamic Function
highlight default link httpMethod Statement
highlight default link httpUrl Underlined
highlight default link httpVersion Comment
highlight default link httpQuery String
highlight default link httpHeaderName Type
highlight default link httpInclude Include
highlight default link httpDirective Include
highlight default link httpAssertion Statement
highlight default link httpPredicate Type
highlight default link httpCurlName Statement
highlight default link httpCurlOption Identifier
highlight default link httpCurlText String
highlight default link httpGraphQLName Identifier

let b:current_syntax = 'http'
