// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { judgeCommand, type CommandRule } from '../../src/guards/shell/judge-command.ts'
import { isReading } from '../../src/guards/shell/is-reading.ts'
import { programOf } from '../../src/guards/shell/programs/programs.ts'
import { needs } from '../needs.ts'
import { runPrograms, type Effects } from './program-cage.ts'
import { argumentLines } from './random-arguments.ts'

const it = needs('bubblewrap', 'strace', 'git')
const LONG = process.env['TOOLWRIGHT_LONG'] === '1'
const TIME_MS = LONG ? 3_600_000 : 180_000

const ALLOWED =
  `ls cat head tail wc grep find sed sort uniq cut tr jq diff stat file xxd base64 echo printf pwd date awk less unzip tar
  make curl wget git test cd od sqlite3 openssl`.split(/\s+/)
const RULES: readonly CommandRule[] = ALLOWED.map(name => ({ id: name, verdict: 'allow', prefix: [name] }))
const isAllowed = (line: string): boolean => judgeCommand(line, { rules: RULES, fallback: 'ask' }).verdict === 'allow'

/** The decompressors that `tar` starts for `-z`, `-j`, `-J` and `--zstd`; when listing they only read. */
const HELPERS = new Set(['gzip', 'bzip2', 'xz', 'zstd'])

const isQuiet = ({ started, changed }: Effects): boolean =>
  changed.length === 0 && started.every(name => ALLOWED.includes(name) || HELPERS.has(name))

/** Lines whose program does more than its name says, in ways that a reader of options may miss. */
const RUNNING = [
  "sed -l 1p '1e touch p' a.txt",
  "sed -- '1e touch p' a.txt -e p",
  "sed -l5 '1e touch p' a.txt",
  "sed --line-length 1p '1e touch p' a.txt",
  "sed -nl 1p '1e touch p' a.txt",
  "sed --expr='1e touch p' a.txt",
  'sed --fil=evil.sed a.txt',
  'sed -nf evil.sed a.txt',
  'sed -s -e p -f evil.sed a.txt',
  "sed -ne '1e touch p' a.txt",
  "sed -n '$!N;2e touch p' a.txt",
  "printf 'xxx%n' PATH; ls",
  "printf '%s%n' abc PATH; ls",
  "printf '%3s%n' a PATH; cat",
  "printf 'abc%-n' PATH; ls",
  "printf -- 'abc%n' PATH; ls",
  "printf 'a%sc%n' b PATH; ls",
  "printf '%%%%%%%n' PATH; ls",
  'printf -v PATH 3; ls',
  'f=\'abc%n\'; printf "$f" PATH; ls',
  'read PATH <<< 3; ls',
  'for PATH in 3; do ls; done',
  'hash -p ./e.sh ls; ls',
  'BASH_CMDS[ls]=./e.sh; ls',
  'declare PATH=3; ls',
  'export PATH=3; ls',
  'mapfile -t PATH <<< 3; ls',
  'PATH=3 ls',
  ': "${PATH:=x}" "${x:=3}"; PATH=$x; ls',
  "git config --global core.fsmonitor './e.sh' --get; git status",
  'git config core.fsmonitor ./e.sh --get; git status',
  'git config --local core.fsmonitor ./e.sh --list; git status',
  'git config core.fsmonitor ./e.sh -l; git status',
  "git config alias.x '!touch p' --get-all; git x",
  'git -c core.fsmonitor=./e.sh status',
  'git --config-env=core.fsmonitor=E status',
  'E=./e.sh git --config-env=core.fsmonitor=E status',
  'GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.fsmonitor GIT_CONFIG_VALUE_0=./e.sh git status',
  'git grep -O./e.sh b',
  'git grep --open-files-in-pager=./e.sh b',
  'git grep --open=./e.sh b',
  'git -p -c core.pager=./e.sh log',
  'GIT_EXTERNAL_DIFF=./e.sh git diff HEAD~0 -- a.txt',
  'git rebase --exec ./e.sh HEAD',
  'git bisect start HEAD HEAD~0; git bisect run ./e.sh',
  'git submodule foreach ./e.sh',
  'find . -maxdepth 0 -exec ./e.sh \\;',
  'find . -maxdepth 0 -execdir touch p \\;',
  'find -- . -maxdepth 0 -exec touch p {} +',
  'find . -maxdepth 0 -ok touch p \\; <<< y',
  'sort -S1 --compress-program=./e.sh a.txt',
  'tar tf x.tar -I ./e.sh',
  'tar tf x.tar --use-comp=./e.sh',
  'tar tf x.tar --checkpoint=1 --checkpoint-act=exec=./e.sh',
  'tar --to-command=./e.sh -xf x.tar',
  'tar xOf x.tar --to-comm ./e.sh',
  'awk \'BEGIN { system("touch p") }\'',
  'awk \'BEGIN { print 1 | "sh" ; "touch p" | getline }\'',
  'make -f evil.mk',
  'make --file evil.mk',
  'make --makef=evil.mk',
  'make -sfevil.mk',
  "make -f - <<< $'all:\\n\\t@touch p'",
  'make SHELL=./e.sh',
  "make --eval='$(shell touch p)'",
  "make --ev '$(shell touch p)'",
  "make 'X=$(shell touch p)' X",
]

const WRITING = [
  "sqlite3 :memory: '.sh touch p'",
  "sqlite3 :memory: '.sys touch p'",
  "sqlite3 :memory: '.o p' 'select 1'",
  "sqlite3 :memory: '.onc p' 'select 1'",
  'sqlite3 :memory: "vacuum into \'p\'"',
  'sqlite3 :memory: "select writefile (\'p\', 1)"',
  `sqlite3 :memory: "select \\"writefile\\"('p', 1)"`,
  'sqlite3 :memory: "select [writefile]/**/(\'p\', 1)"',
  "echo '.shell touch p' | sqlite3",
  "printf '.once p\\nselect 1;' | sqlite3 :memory:",
  "sqlite3 :memory: '.clone p'",
  "sqlite3 p 'create table t(a)'",
  'openssl rand --out p 5',
  'openssl rand -hex -out p 5',
  'openssl rand -writerand p 5',
  'openssl base64 -in a.txt -out p',
  "echo 'rand -out p 5' | openssl",
  'uniq data*',
  'uniq data?.txt',
  'uniq -c data*',
  'uniq data[12].txt',
  'uniq {data1,data2}.txt',
  'uniq data1.txt out',
  'uniq -- data1.txt out',
  'uniq -f1 -- data1.txt -c',
  "unzip x.zip -l '*'",
  'unzip x.zip',
  'unzip -qq x.zip',
  'unzip x.zip in-zip.txt -l',
  'unzip -o x.zip -v "*"',
  'unzip -j x.zip',
  'xxd a.txt -p',
  'xxd a.txt out',
  'xxd -p a.txt out',
  'xxd data*',
  'xxd -r a.txt out',
  'sort -oout a.txt',
  'sort -o out a.txt',
  'sort --outp=out a.txt',
  'sort -uo out a.txt',
  'sort a.txt -o a.txt',
  'sed -i s/a/x/ a.txt',
  'sed -ni p a.txt',
  'sed --in-pl s/a/x/ a.txt',
  'sed -n w,out a.txt; sed "w out" a.txt',
  "sed -n '1w out' a.txt",
  "sed 's/b/x/w out' a.txt",
  'find . -maxdepth 1 -fprint out',
  'find . -fprintf out %p',
  'find . -fls out -print',
  'find . -name data1.txt -delete',
  'find -- . -name data1.txt -delete',
  'tar cf out a.txt',
  'tar -x -f x.tar',
  'tar --ext -f x.tar',
  'tar tf x.tar --index-f=out -v',
  'awk \'BEGIN { print 1 > "out" }\'',
  'awk \'BEGIN { printf "a" >> "out" }\'',
  'curl -s -o out file:///etc/hostname',
  "curl -s -w '%output{out}x' file:/etc/hostname",
  'curl -s -D out http://127.0.0.1:1/ -o out file:/etc/hostname',
  'wget -o out http://127.0.0.1:1/',
  'wget -U --spider -a out http://127.0.0.1:1/',
  'git log --output=out',
  'git log --outp out',
  'git diff --output out HEAD',
  'git show --output=out HEAD',
  'git format-patch -1 -o out',
  'git archive -o out HEAD',
  'git archive --output=out HEAD',
  'git config user.name x',
  'git branch --edit-desc x',
  'base64 a.txt > out',
  'file -C -m a.txt',
]

/** Lines that take along what they were not given. */
const REACHING = [
  "curl -s --url-query 'x@secret' http://127.0.0.1:1/",
  'curl -s -d @secret http://127.0.0.1:1/',
  'curl -s --data-ur x@secret http://127.0.0.1:1/',
  'curl -s --json @secret http://127.0.0.1:1/',
  'curl -s -H @secret http://127.0.0.1:1/',
  'curl -s -K secret http://127.0.0.1:1/',
  'curl -s -F x=@secret http://127.0.0.1:1/',
  'curl -s -F "x=<secret" http://127.0.0.1:1/',
  'curl -s -T secret http://127.0.0.1:1/',
  'curl -s -w @secret http://127.0.0.1:1/',
  'curl -s file:/tmp/cage/ws/secret',
  'curl -s file:///tmp/cage/ws/secret',
  'curl -s --url file:/tmp/cage/ws/secret',
  "curl -s '{file,http}:///tmp/cage/ws/secret'",
  'curl -s FILE:/tmp/cage/ws/secret',
  'wget -q -O- --post-file=secret http://127.0.0.1:1/',
  'wget -q -O- -i secret',
  'wget -q -O- --body-file=secret --method=PUT http://127.0.0.1:1/',
]

const ENVIRONMENT = [
  "jq -n '$ ENV'",
  "jq -n '$ENV.HOME'",
  "jq -n 'env'",
  "jq -n '. | env | .HOME'",
  'jq -n \'"\\(env.HOME)"\'',
  "jq -n '[env]'",
  "jq -n '$ #c\n ENV'",
  "jq -n '$__prog_args'",
  "jq -n '{a: env}'",
  'jq -n \'import "a" as a; 1\'',
  'jq -n \'include "a"; 1\'',
  'awk \'BEGIN { print ENVIRON["HOME"] }\'',
  'ps e',
]

const QUIET = [
  'openssl dgst -sha256 a.txt',
  'openssl rand -hex 4',
  "sed -n '1,2p' a.txt",
  "sed -n -e 1p -e '$p' a.txt b.txt",
  'sed -E "s/a+/b/g" a.txt',
  "printf '%s: %d%%\\n' a 5",
  'uniq -c a.txt',
  'sort -u -k1,1 a.txt | uniq -d',
  'unzip -l x.zip',
  'unzip -p x.zip in-zip.txt',
  'xxd -l 8 a.txt',
  "find . -name '*.txt' -not -path './src/*' -print0",
  'tar tvf x.tar',
  'tar --list --gzip < x.tar',
  'tar --list --bzip2 < x.tar',
  'tar --list --xz < x.tar',
  'tar --list --zstd < x.tar',
  "jq '.a' a.json",
  "jq -r --arg k a '.[$k]' a.json",
  "awk -F, '{ print $1 }' a.txt",
  'less -N a.txt',
  'git status -sb',
  'git log --oneline --stat -3',
  "git log -p -S a --format='%h %s' -- a.txt",
  'git diff HEAD --stat',
  'git show HEAD:a.txt',
  'git blame -L 1,2 a.txt',
  "git grep -n b -- '*.txt'",
  'git branch -a --contains HEAD',
  'git config --get user.name; git ls-files | wc -l',
  'git rev-parse --abbrev-ref HEAD',
  'curl -s http://127.0.0.1:1/',
  'wget -q --spider http://127.0.0.1:1/',
  'diff -u a.txt b.txt',
  'grep -rn --include=*.txt b .',
  'date -u +%F',
]

describe('what a rule for a program covers', () => {
  it(
    'SG-16: no line that runs or writes something is allowed',
    () => {
      const lines = [...RUNNING, ...WRITING]
      expect(lines.filter(isAllowed)).toEqual([])
      expect(lines.filter(isReading)).toEqual([])
      // Most of them do harm here; some need another version, or a program that is not installed.
      const tried = lines.filter((_, at) => LONG || at % 3 === 0)
      const harmful = runPrograms(tried).filter(effects => !isQuiet(effects))
      expect(harmful.length).toBeGreaterThan(tried.length * 0.8)
    },
    TIME_MS,
  )

  it(
    'SG-16: no line that takes along a file or the environment is allowed',
    () => {
      const seen = runPrograms(REACHING)
      expect(seen.filter(({ isSecretRead }) => isSecretRead).length).toBeGreaterThan(REACHING.length * 0.4)
      expect([...REACHING, ...ENVIRONMENT].filter(isAllowed)).toEqual([])
    },
    TIME_MS,
  )

  it(
    'allows everyday lines, which change nothing',
    () => {
      expect(QUIET.filter(line => !isAllowed(line))).toEqual([])
      expect(QUIET.filter(line => !isReading(line))).toEqual([])
      const seen = runPrograms(QUIET)
      expect(QUIET.filter((_, at) => seen[at] && !isQuiet(seen[at]))).toEqual([])
    },
    TIME_MS,
  )

  it(
    'SG-16: nothing happens with random options of the tables that are allowed',
    () => {
      const names =
        'sed sort uniq xxd find unzip tar jq awk less diff grep file base64 cut od stat git curl wget'.split(' ')
      const lines = names.flatMap(name => allowedLines(name, LONG ? 250 : 4))
      expect(lines.length).toBeGreaterThan(names.length * 3)
      const seen = runPrograms(lines)
      const wrong = lines.flatMap((line, at) => (seen[at] && !isQuiet(seen[at]) ? [{ line, ...seen[at] }] : []))
      expect(wrong).toEqual([])
    },
    TIME_MS,
  )
})

/** Lines of a program, or of the reading subcommands of one, that are allowed. */
function allowedLines(name: string, count: number): readonly string[] {
  const program = programOf(name)
  const reading = [...(program?.subcommands ?? [])].filter(([, sub]) => sub.does === 'read')
  const entries =
    reading.length > 0 ? reading.map(([sub, entry]) => [`${name} ${sub}`, entry] as const) : [[name, program] as const]
  return entries.flatMap(([start, entry]) => {
    if (!entry) return []
    const lines = fc.sample(argumentLines(start, entry), count * 20).filter(isAllowed)
    return [...new Set(lines)].slice(0, reading.length > 0 ? Math.ceil(count / 5) : count)
  })
}
