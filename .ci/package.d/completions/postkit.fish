# Completion of postkit's command line in fish. Subcommands and options are asked of the program
# itself, names of requests and environments of the file on the line.

function __postkit_subcommands
    postkit help 2>/dev/null | string replace --filter --regex '^  ([a-z]+)  +(.*)' '$1\t$2'
end

# Every spelling of every option, with its description.
function __postkit_options
    set -l words (commandline -opc)
    for line in (postkit help $words[2] 2>/dev/null | string match --regex '^  -.*')
        set -l description (string replace --regex '^  .*?[^ ]  +' '' -- $line)
        for spelling in (string replace --regex '^  (.*?[^ ])  .*' '$1' -- $line | string match --all --regex -- '--?[A-Za-z-]+')
            printf '%s\t%s\n' $spelling $description
        end
    end
end

function __postkit_dialects
    postkit help run 2>/dev/null | string replace --filter --regex '^  --dialect.* as ' '' | string split ', '
end

function __postkit_targets
    postkit help check 2>/dev/null | string replace --filter --regex '^  --target.* in ' '' | string split ', '
end

# The values of a member in what a subcommand says about the file on the line.
function __postkit_names
    set -l file (string match --regex '.*\.(?:http|rest)$' -- (commandline -opc))[1]
    test -n "$file"; and postkit $argv[1] $file --json 2>/dev/null | string match --all --regex "\"$argv[2]\":\"[^\"]*\"" | string split --fields 4 '"'
end

# Whether the word before is one of these.
function __postkit_after
    set -l words (commandline -opc)
    contains -- $words[-1] $argv
end

set -l value --env -e --name --dialect --target --store help
complete --command postkit --no-files
complete --command postkit --condition __fish_use_subcommand --arguments '(__postkit_subcommands)'
complete --command postkit --condition __fish_use_subcommand --arguments help --description 'Says more about a subcommand.'
complete --command postkit --condition '__postkit_after help' --arguments '(__postkit_subcommands)'
complete --command postkit --condition '__postkit_after --env -e' --arguments '(__postkit_names env environment)'
complete --command postkit --condition '__postkit_after --name' --arguments '(__postkit_names check name)'
complete --command postkit --condition '__postkit_after --dialect' --arguments '(__postkit_dialects)'
complete --command postkit --condition '__postkit_after --target' --arguments '(__postkit_targets)'
complete --command postkit --condition '__postkit_after --store' --arguments '(__fish_complete_directories)'
complete --command postkit --condition "not __fish_use_subcommand; and not __postkit_after $value" --arguments '(__fish_complete_suffix .http; __fish_complete_suffix .rest; __postkit_options)'
