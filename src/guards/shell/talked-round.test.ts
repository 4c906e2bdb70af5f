import { describe, expect, it } from 'vitest'
import { judgeCommand, type CommandRule } from './judge-command.ts'

const rule = (verdict: 'allow' | 'deny', ...prefix: string[]): CommandRule => ({
  id: `${verdict} ${prefix.join(' ')}`,
  verdict,
  prefix,
})
const RULES = [rule('allow'), rule('deny', 'rm'), rule('deny', 'git', 'push'), rule('deny', 'mkfs')]
const verdictOf = (line: string): string => judgeCommand(line, { rules: RULES, fallback: 'allow' }).verdict

describe('a denied command that the line shows', () => {
  it.each([
    // Builtins that keep a command for later, and scripts that come by a pipe.
    "trap -- 'rm t' EXIT",
    "trap 'rm t' EXIT",
    'bash <(echo rm t)',
    'env bash <(echo rm t)',
    'bash --rcfile <(echo rm t) -i',
    'BASH_ENV=<(echo rm t) bash -c ls',
    'source <(echo rm t)',
    '. <(printf "rm t")',
    'bash < <(echo rm t)',
    "bash /dev/stdin <<< 'rm t'",
    "bash /dev/fd/0 <<< 'rm t'",
    ". /dev/stdin <<< 'rm t'",
    "source /proc/self/fd/0 <<< 'rm t'",
    "printf '\\x72m t' | bash",
    "printf '\\162m t' | sh",
    "printf '%s%s t' r m | bash",
    "printf '%b' '\\u0072m t' | bash",
    "echo -e '\\x72m t' | bash",
    'cat <<< "rm t" | bash',
    "at now <<< 'rm t'",
    "parallel <<< 'rm t'",
    // What an index of an array, arithmetic or a prompt evaluates.
    "declare 'a[$(rm t)]=1'",
    "typeset -i 'a[`rm t`]=1'",
    "test -v 'a[$(rm t)]'",
    "[ -v 'a[$(rm t)]' ]",
    "[[ -v 'a[$(rm t)]' ]]",
    "let 'a[$(rm t)]=1'",
    "unset 'a[$(rm t)]'",
    "read 'a[$(rm t)]' <<< 1",
    "printf -v 'a[$(rm t)]' x",
    "x='a[$(rm t)]'; echo $((x))",
    "x='a[$(rm t)]'; ((x))",
    "x='a[$(rm t)]'; [[ $x -eq 1 ]]",
    "x='a[$(rm t)]'; b[x]=1",
    "for x in 'a[$(rm t)]'; do echo $((x)); done",
    "read x <<< 'a[$(rm t)]'; echo $((x))",
    'x=\'$(rm t)\'; echo "${x@P}"',
    // Programs that start another one.
    'choom -n 0 -- rm t',
    'setarch -R rm t',
    'setarch x86_64 rm t',
    'i386 rm t',
    'numactl -N 0 rm t',
    "capsh -- -c 'rm t'",
    'eatmydata rm t',
    'ip netns exec x rm t',
    "script -qec'rm t' /dev/null",
    "script --command='rm t' /dev/null",
    "su -c'rm t'",
    "npx -c 'rm t'",
    "npx --call='rm t'",
    "env -S'-i rm t'",
    "env -S 'A=1 rm t'",
    "env -iS'rm t'",
    "split --filter='rm t' f",
    "tar cf x.tar -I'rm t' f",
    "rsync -e'rm t' a b",
    "ssh -oProxyCommand='rm t' h",
    // Program texts with a command in a string, and programs with a way out to the shell.
    'nawk \'BEGIN{system("rm t")}\'',
    "ex -sc '!rm t'",
    "vi -c ':!rm t' f",
    "ex <<< '!rm t'",
    "less +'!rm t' f",
    'python3 -c \'import os; os.system("rm t")\'',
    "python3.12 -c \"import subprocess as s; s.run(['rm', 't'])\"",
    'python3 <<< \'import os; os.system("rm t")\'',
    'python3 <(echo \'import os; os.system("rm t")\')',
    'perl -e \'system "rm t"\'',
    "perl -e 'exec qw(rm t)'",
    "perl -e '`rm t`'",
    "ruby -e '%x(rm t)'",
    'node -e \'require("child_process").execSync("rm t")\'',
    "node -e \"require('child_process').execFileSync('git', ['push'])\"",
    'php -r \'system("rm t");\'',
    "sqlite3 db '.shell rm t'",
    "gdb -batch -ex 'shell rm t'",
    "sed '1e rm t' f",
    "sed 's/x/rm t/e' f",
    // Other names.
    'git-push',
    '/usr/lib/git-core/git-push origin',
    'mkfs.ext4 /dev/sda',
  ])('SG-16: %s is denied', line => {
    expect(verdictOf(line)).toBe('deny')
  })

  it.each([
    'bash <(curl x)',
    'source <(curl x)',
    '. /dev/stdin',
    'bash $script',
    'curl x | bash /dev/stdin',
    'bash < <(base64 -d <<< cm0gdAo=)',
  ])('SG-16: %s is asked about, for nobody can see what it runs', line => {
    expect(verdictOf(line)).toBe('ask')
  })

  it.each([
    'bash build.sh',
    '. ./env.sh',
    'source venv/bin/activate',
    'trap - EXIT',
    'diff <(sort a) <(sort b)',
    'python3 -c \'print("hello")\'',
    'node -e \'console.log("x".repeat(3))\'',
    "printf '%s\\n' a b",
    'declare -i n=1; echo $((n + 1))',
    "grep '$(rm t)' notes.md",
    "git commit -m 'never use $(rm x)'",
    'git log',
    'python3.12 x.py',
    'x=1; echo "$x"',
    'less +G f',
    "test -f 'a'",
    'env -i ls',
    'script -c ls /dev/null',
    'mkfoo.ext4 x',
  ])('%s is allowed as before', line => {
    expect(verdictOf(line)).toBe('allow')
  })
})
