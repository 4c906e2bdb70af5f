import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What real programs did with a line. */
export interface Effects {
  /** Names of the programs that were started, the shell's own process apart. */
  readonly started: readonly string[]
  /** Paths below the workspace and the home that were made, changed or removed. */
  readonly changed: readonly string[]
  /** The file `secret` was opened. */
  readonly isSecretRead: boolean
}

/** A small workspace with everything that a line could use against its user. */
const SETUP = `
mkdir -p /tmp/cage/template/src /tmp/cage/home && cd /tmp/cage/template
printf 'b\\na\\na\\n' > a.txt; echo b > b.txt; echo c > src/c.txt; echo 1 > data1.txt; echo 1 > data2.txt
echo hidden > secret; echo '{"a":1}' > a.json; echo x > -rf
printf '#!/bin/sh\\n: > ./p\\n' > e.sh; chmod +x e.sh
printf 'touch p\\n' > run.txt; printf '1e touch p\\n' > evil.sed
mkdir 3 && cp e.sh 3/ls && cp e.sh 3/cat
printf 'all:\\n\\t@true\\n' > Makefile; printf 'all:\\n\\t@touch p\\n' > evil.mk
echo '{"scripts":{"test":"true"}}' > package.json
printf '#command\\nq quit\\n' > k
tar cf x.tar a.txt b.txt
python3 -c 'import zipfile; z = zipfile.ZipFile("x.zip", "w"); z.writestr("in-zip.txt", "x"); z.writestr("-l", "x")' 2>/dev/null
git init -q && rm -r .git/hooks && git add a.txt b.txt src && git -c user.name=a -c user.email=a@b commit -qm one
`

const DRIVER = `
export HOME=/tmp/cage/home GIT_CONFIG_NOSYSTEM=1 GIT_OPTIONAL_LOCKS=0 LESS= PAGER=cat TERM=dumb LC_ALL=C.UTF-8
(${SETUP}) >/dev/null 2>&1
look() { find /tmp/cage/ws /tmp/cage/home -not -path '*/.git/index' -not -path '*/.git' -printf '%p %y %s %m %l %T@\\n'; }
fresh() { rm -rf /tmp/cage/ws; cp -a /tmp/cage/template /tmp/cage/ws; before=$(look); }
fresh
for path in /tmp/cage/lines/*; do
  file=\${path##*/}
  cd /tmp/cage/ws
  IFS= read -r -d '' line < "$path"
  timeout -s KILL 3 strace -f -qq -s 300 -e trace=execve,openat,open -o "/tmp/cage/seen/$file.trace" /bin/bash --norc --noprofile -c "$line" </dev/null >/dev/null 2>&1
  after=$(look)
  : > "/tmp/cage/seen/$file.changed"
  [ "$before" = "$after" ] && continue
  diff <(echo "$before" | sort) <(echo "$after" | sort) | sed -n 's/^[<>] \\([^ ]*\\) .*/\\1/p' | sort -u | grep -vx /tmp/cage/ws > "/tmp/cage/seen/$file.changed"
  fresh
done
`

/** Has bash run lines with the real programs of this machine, in a workspace of its own each, and notes what happened. */
export function runPrograms(lines: readonly string[]): readonly Effects[] {
  const cage = mkdtempSync(join(tmpdir(), 'toolwright-cage-'))
  const names = lines.map((_, at) => String(at).padStart(6, '0'))
  try {
    for (const name of ['lines', 'seen']) mkdirSync(join(cage, name))
    for (const [at, line] of lines.entries()) writeFileSync(join(cage, 'lines', names[at] ?? ''), line)
    const args = ['--unshare-all', '--die-with-parent', '--new-session', '--ro-bind', '/', '/', '--tmpfs', '/tmp']
    const done = spawnSync(
      'bwrap',
      [...args, '--dev', '/dev', '--proc', '/proc', '--bind', cage, '/tmp/cage', '/bin/bash', '-c', DRIVER],
      { encoding: 'utf8' },
    )
    return names.map(name => effectsOf(join(cage, 'seen', name), done.stderr))
  } finally {
    rmSync(cage, { recursive: true, force: true })
  }
}

function effectsOf(path: string, stderr: string): Effects {
  const read = (kind: string): readonly string[] => {
    try {
      return readFileSync(`${path}.${kind}`, 'utf8').split('\n').filter(Boolean)
    } catch (cause) {
      throw new Error(`A line was not run. ${stderr}`, { cause })
    }
  }
  const trace = read('trace')
  const execs = trace.flatMap(line => /execve\("(?:[^"]*\/)?([^"/]+)".* = 0$/.exec(line)?.slice(1) ?? [])
  return {
    started: [...new Set(execs.slice(1))],
    changed: read('changed').map(file => file.replace('/tmp/cage/', '')),
    isSecretRead: trace.some(line => /open(at)?\(.*"(\/tmp\/cage\/ws\/)?secret".* = \d/.test(line)),
  }
}
