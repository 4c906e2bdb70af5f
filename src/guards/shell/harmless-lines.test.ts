import { describe, expect, it } from 'vitest'
import { loadBothReaders } from '../../../tests/command-parsers.ts'
import { isHarmlessAwk } from './awk-program.ts'
import { isReading } from './is-reading.ts'
import { judgeCommand } from './judge-command.ts'

await loadBothReaders()

const ALLOWED =
  'npm test,npm run,git status,git log,git diff,git ls-files,find,wc,grep,cat,head,echo,ls,sort,awk,env,sed -n,jq,date,node'
const RULES = ALLOWED.split(',').map(command => ({
  id: command,
  verdict: 'allow' as const,
  prefix: command.split(' '),
}))
const verdictOf = (line: string): string => judgeCommand(line, { rules: RULES, fallback: 'ask' }).verdict

describe('a line of allowed commands', () => {
  it.each([
    'CI=1 npm test',
    'CI=true NODE_ENV=test npm test',
    'NODE_ENV=test npm test -- --run',
    'FORCE_COLOR=0 npm run build',
    'NO_COLOR=1 git status',
    'TZ=UTC date',
    'TZ=Europe/Berlin date',
    'LC_ALL=C sort names.txt | head -3',
    'LANG=C.UTF-8 ls',
    'LC_ALL=en_US.UTF-8 sort a',
    "DEBUG='app:*' npm test",
    'COLUMNS=200 git log --oneline',
    'NODE_ENV=test; npm test',
    'GIT_PAGER=cat git log -3',
    'PAGER=cat GIT_EDITOR=true git status',
    'git -C . status',
    'git -C sub log --oneline',
    'git --no-pager -C packages/a diff --stat',
    'git -C sub -P log -3',
    "find . -name '*.ts' -exec wc -l {} +",
    String.raw`find src -type f -exec grep -n x {} \;`,
    String.raw`find . -name '*.md' -exec head -5 {} ';' -exec wc -l {} \;`,
    "find . -name a.json -exec jq '.name' {} +",
    'while read -r x; do echo "$x"; done < f',
    'while IFS= read -r line; do echo "$line"; done < src/a.txt',
    'cat f | while read -r a b; do echo "$b" "$a"; done',
    'ls | while read -r f; do wc -l "$f"; done',
    'ls -1 src | while read -r f; do echo "$f"; cat "$f"; done',
    'ls *.ts | while IFS= read -r f; do head -1 "$f"; done',
    'git ls-files | while read -r f; do wc -l "$f"; done',
    'env | grep PATH',
    'env -0 | sort -z',
    "awk '$3 > 100 { print $1 }' data",
    'awk \'NR > 1 && NF >= 3 || $1 == "a" { n++ } END { print n }\' data',
    "awk -F: '{ if ($3 > 5) print $1; else print $2 }' data",
    'awk \'{ print ($1 > 5 ? "big" : "small") }\' data',
    'awk \'{ sum += $1 / 2 } END { printf "%d\\n", sum / NR }\' data',
    "awk '/a[[:alpha:]]+b/ { print }' data",
    "awk 'length($0) > 80' data",
    'set -e; ls',
    'set -euo pipefail; npm test',
    'set -Eeu -o pipefail -o xtrace; npm test',
    'set -x; ls; set +x',
    'set +e; npm test; ls',
    'set -e',
  ])('is silent: %s', line => {
    expect(verdictOf(line)).toBe('allow')
  })

  it.each([
    'PATH=. npm test',
    'NODE_OPTIONS=--import=./x npm test',
    'npm_config_script_shell=./x npm test',
    'LD_PRELOAD=./x.so ls',
    'GIT_EXTERNAL_DIFF=./x git diff',
    'GIT_DIR=x git status',
    'BASH_ENV=x npm test',
    'foo=1 npm test',
    'LC_ALL=zh_TW.BIG5 ls',
    'LC_ALL=ja_JP ls',
    'LANGUAGE=../x ls',
    'LOCPATH=. LC_ALL=C ls',
    'TZ=../../etc/passwd date',
    'TZ=:/etc/passwd date',
    'CI=$(touch x) npm test',
    'CI="$x" npm test',
    'CI[0]=1 npm test',
    'CI+=1 PATH=. npm test',
    'NODE_ENV=../x npm test',
    'PS4=x ls',
    'IFS=/ ls',
    'git -C / status',
    'git -C .. status',
    'git -C sub/../.. log',
    'git -C "$x" status',
    'git -C sub push',
    'git -C sub -c core.fsmonitor=./x status',
    'git -C sub --git-dir=x status',
    'git -C sub',
    String.raw`find . -exec rm {} \;`,
    'find . -exec wc -l {} + -delete',
    String.raw`find . -exec sh -c 'id' \;`,
    String.raw`find . -exec sed -i s/a/b/ {} \;`,
    String.raw`find . -exec awk {} \;`,
    String.raw`find . -exec awk -f {} \;`,
    String.raw`find . -exec sed -n {} \;`,
    String.raw`find . -exec {} \;`,
    String.raw`find . -exec wc -l x{} \;`,
    String.raw`find . -execdir wc -l {} \;`,
    String.raw`find . -ok wc -l {} \;`,
    String.raw`find / -exec cat {} \;`,
    String.raw`find . -exec cat /etc/passwd \;`,
    String.raw`find . -exec npm test \;`,
    String.raw`find . -exec find . -exec rm {} \; \;`,
    String.raw`find . -exec cat "$x" \;`,
    'find . -exec wc -l {}',
    'find . -exec sort -o x {} +',
    'while read -r x; do $x; done < f',
    'while read -r x; do cat "$x"; done < f',
    'while read -r x; do rm "$x"; done < f',
    'while read -r PATH; do ls; done < f',
    "read 'a[$(id)]' < f",
    'read -r BASH_ENV < f; npm test',
    'while read -r x; do eval "$x"; done < f',
    'IFS=/ read -r x < f; IFS=/ ls',
    'ls | while read -r f; do f=/etc/passwd; cat "$f"; done',
    'ls | while read -r f; do read -r f; cat "$f"; done',
    'ls | while read f; do cat "$f"; done',
    'ls -a | while read -r f; do cat "$f"; done',
    'ls -R | while read -r f; do cat "$f"; done',
    'ls */* | while read -r f; do cat "$f"; done',
    'find . | while read -r f; do cat "$f"; done',
    'ls | while read -r f; do cat $f; done',
    'ls | while read -r f; do sort "$f"; done',
    'ls | while read -r f; do cat "/$f"; done',
    'ls | while read -r f < /etc/passwd; do cat "$f"; done',
    'echo /etc/passwd | while read -r f; do cat "$f"; done',
    'ls | while read -r f; do cat "$f"; done; cat "$f"',
    'ls | while read -r f; do "$f"; done',
    'git ls-files -z | while read -r f; do cat "$f"; done',
    'env x',
    'env FOO=1 npm test',
    'env -S "ls"',
    'env -u PATH npm test',
    'awk \'{ print > "x" }\' data',
    'awk \'{ print $1, $2 >> "x" }\' data',
    'awk \'{ print ($1) > "x" }\' data',
    'awk \'{ printf("%s", $1) > "x" }\' data',
    'awk \'{ print | "sh" }\' data',
    'awk \'BEGIN { system("id") }\'',
    'awk \'BEGIN { while (("id" | getline x) > 0) print x }\'',
    'awk \'{ getline x < "/etc/passwd"; print x }\' data',
    'awk \'BEGIN { print ENVIRON["HOME"] }\'',
    'awk \'BEGIN { ARGV[1] = "/etc/passwd" } { print }\' data',
    'awk \'BEGIN { f = "system"; @f("id") }\'',
    'awk ./* data',
    'set',
    'set -k; ls',
    'set -a; ls',
    'set -f; ls',
    'set -ef; ls',
    'set -p; ls',
    'set -o; ls',
    'set -eo; ls',
    'set -o posix; ls',
    'set -o pipefail x; ls',
    'set -- id; ls',
    'set -e -- id; "$@"',
    'set - id; ls',
    'set -e "$x"; ls',
    'set -e > f; ls',
    'foo=1 set -e; ls',
    "PS4='$(touch p)'; set -x; ls",
    'set -e; id',
  ])('asks: %s', line => {
    expect(verdictOf(line)).toBe('ask')
  })

  it('says why a builtin that changes the shell is not covered', () => {
    const rules = [{ id: 'set', verdict: 'allow' as const, prefix: ['set'] }]
    expect(judgeCommand('set -k', { rules, fallback: 'ask' }).why).toMatch(/^set may change what later commands do/)
    expect(
      judgeCommand('eval ls', { rules: [{ id: 'eval', verdict: 'allow', prefix: ['eval'] }], fallback: 'ask' }).why,
    ).toMatch(/^eval runs a command/)
  })

  it('reads only, where each part of it does', () => {
    const reading = [
      'LC_ALL=C sort a',
      "find . -name '*.ts' -exec wc -l {} +",
      'ls | while read -r f; do wc -l "$f"; done',
    ]
    expect(reading.filter(line => !isReading(line))).toEqual([])
    expect(['CI=1 npm test', String.raw`find . -exec rm {} \;`, 'PATH=. ls'].filter(isReading)).toEqual([])
  })
})

describe('a rule for a program alone', () => {
  const PROGRAMS = 'npm,pnpm,yarn,cargo,go,go run,eslint,prettier,docker,tsc,rg,tree'
  const rules = PROGRAMS.split(',').map(command => ({
    id: command,
    verdict: 'allow' as const,
    prefix: command.split(' '),
  }))
  const verdict = (line: string): string => judgeCommand(line, { rules, fallback: 'ask' }).verdict

  it.each([
    'npm publish',
    'npm dist-tag add a latest',
    'npm docs a',
    'pnpm publish',
    'pnpm recursive exec x',
    'pnpm unpublish a',
    'pnpm touch x',
    'tsc --pprofDir x',
    'pnpm --report-summary test',
    'yarn publish',
    'yarn npm publish',
    'yarn workspaces foreach exec x',
    'yarn login',
    'cargo publish',
    'cargo yank --vers 1',
    'go run example.com/x@latest',
    'go install example.com/x@latest',
    'go test -c ./...',
    'go test -artifacts ./...',
    'go test -exec ./x ./...',
    'eslint --stdin --stdin-filename /tmp/x.js',
    'prettier --stdin-filepath /tmp/x.js',
    'docker search x',
    'docker push x',
    'tsc --generateTrace x',
    'rg --pre ./x a',
    'rg -z a',
    'tree -o x',
  ])('does not cover what runs, writes or sends more: %s', line => {
    expect(verdict(line)).toBe('ask')
  })

  it.each([
    'npm test',
    'pnpm -r test',
    'pnpm run lint',
    'pnpm install',
    'yarn test',
    'cargo test',
    'go run ./cmd/x',
    'go test ./...',
    'eslint --stdin --stdin-filename src/x.js',
    'docker ps',
    'tsc --noEmit',
  ])('covers %s', line => {
    expect(verdict(line)).toBe('allow')
  })
})

describe('a program of awk', () => {
  it.each([
    '{ print 1 / 2 > "x" ; a = 3 / 4 }',
    'if (x) /"/; print > "f" #"',
    '{ if (x) /"/; print > "f" } #"',
    '/[\\]/"]/ { print > "f" } #"',
    '/[[:a:]/"]/ { print > "f" } #"',
    '/[/]"/; { print > "f" } #"',
    '{ x++ /"/; print > "f" } #"',
    '{ length /"/; print > "f" } #"',
    '{ print a,\n b > "f" }',
    '{ print a \\\n > "f" }',
    '{ print "a" "b" > "f" }',
    '{ print a[1] > "f" }',
    '{ print(a)(b) > "f" }',
    'BEGIN { awk::system("id") }',
    '@load "filefuncs"; { print }',
    '{ print |& "cmd" }',
    '{ print `id` }',
    '{ print ) > "f" }',
  ])('is not taken for harmless: %s', program => {
    expect(isHarmlessAwk(program)).toBe(false)
  })
})
