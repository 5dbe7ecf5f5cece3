# Completion of postkit's command line in fish; the program itself says what there is.

function __postkit_file
    string match --regex '.*\.(?:http|rest)$' -- (commandline -opc) | head -n 1
end

function __postkit_options
    set -l words (commandline -opc)
    test (count $words) -ge 2; and postkit help $words[2] 2>/dev/null | string replace --filter --regex '^  (-[^ ,]*).*?  +(.*)$' '$1\t$2'
end

function __postkit_names
    set -l file (__postkit_file)
    test -n "$file"; and postkit $argv[1] $file --json 2>/dev/null | string match --all --regex "\"$argv[2]\":\"[^\"]*\"" | string split --fields 4 '"'
end

complete --command postkit --no-files
complete --command postkit --condition __fish_use_subcommand --arguments '(postkit help 2>/dev/null | string replace --filter --regex "^  ([a-z]+)  +(.*)" "\$1\t\$2")'
complete --command postkit --condition 'not __fish_use_subcommand' --arguments '(__fish_complete_suffix .http; __fish_complete_suffix .rest; __postkit_options)'
complete --command postkit --long-option env --short-option e --exclusive --arguments '(__postkit_names env environment)'
complete --command postkit --long-option name --exclusive --arguments '(__postkit_names check name)'
complete --command postkit --long-option dialect --exclusive --arguments 'auto restclient jetbrains httpyac kulala restnvim visualstudio'
