import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What bash did with a line: the names it tried to start, and whether the directory it ran in changed. */
export interface Observed {
  readonly started: readonly string[]
  readonly changed: boolean
}

/**
 * Runs the lines one after the other. Every process of a line holds descriptor 9, so that none of them is still there when the next
 * line begins. The directory is looked at without starting a process.
 */
const DRIVER = `
shopt -s nullglob dotglob
fill() { rm -rf /tmp/cage/ws; mkdir -p /tmp/cage/ws/src; cd /tmp/cage/ws; echo a > a.txt; echo b > b.txt; echo c > src/c.txt; echo d > ./-rf; }
state() { local file text; state=; cd /tmp/cage/ws || return; for file in ./* ./src/*; do text=; [ -f "$file" ] && read -r -d '' text < "$file"; state+="$file=$text;"; done; }
rm() { /tmp/cage/tools/rm "$@"; }; mkdir() { /tmp/cage/tools/mkdir "$@"; }
fill; state; first=$state
for file in /tmp/cage/lines/*; do
  : > /tmp/cage/log
  IFS= read -r -d '' line < "$file"
  : "$( ulimit -t 2 -v 2000000 -f 1000; { PATH=/usr/bin BASH_ENV=/tmp/cage/env /tmp/cage/tools/timeout -s KILL 2 /tmp/cage/tools/bash --norc --noprofile -c "$line" </dev/null >/dev/null 2>&1; } 9>&1 )" 2>/dev/null
  state; changed=no
  [ "$state" = "$first" ] || { changed=yes; fill; }
  mapfile -t started < /tmp/cage/log
  echo "$changed \${started[*]}" >> /tmp/cage/seen
done
`

/** Programs that start others: the stand-in goes on as the program itself. */
const STARTERS = ['bash', 'sh', 'env', 'xargs']
const TOOLS = [...STARTERS, 'timeout', 'rm', 'mkdir']

/** What a stand-in leaves of itself, wherever it is started from. */
const standIn = (name: string): string =>
  `#!/tmp/cage/tools/bash\necho '${name}' >> /tmp/cage/log\n${STARTERS.includes(name) ? `exec /tmp/cage/tools/${name} "$@"\n` : ''}`

/** Has real bash run lines where it finds no program but stand-ins that write down their name. */
export function runCaged(lines: readonly string[], programs: readonly string[]): readonly Observed[] {
  const cage = mkdtempSync(join(tmpdir(), 'toolwright-cage-'))
  try {
    for (const name of ['bin', 'lines', 'ws']) mkdirSync(join(cage, name))
    for (const name of programs) {
      writeFileSync(join(cage, 'bin', name), standIn(name))
      chmodSync(join(cage, 'bin', name), 0o755)
    }
    // What is on no path is started all the same, as far as we are concerned.
    writeFileSync(
      join(cage, 'env'),
      'FUNCNEST=20; command_not_found_handle() { builtin echo "${1//[[:space:]]/?}" >> /tmp/cage/log; }\n',
    )
    for (const [at, line] of lines.entries()) writeFileSync(join(cage, 'lines', String(at).padStart(7, '0')), line)
    const done = spawnSync('bwrap', [...placesIn(cage), '/tmp/cage/tools/bash', '-c', DRIVER], {
      encoding: 'utf8',
      env: {},
    })
    const seen = existsSync(join(cage, 'seen')) ? readFileSync(join(cage, 'seen'), 'utf8').trimEnd().split('\n') : []
    if (seen.length !== lines.length)
      throw new Error(`${seen.length} of ${lines.length} lines were run. ${done.stderr}`)
    return seen.map(line => {
      const [changed, ...started] = line.trimEnd().split(' ')
      return { started: [...new Set(started)].toSorted(), changed: changed === 'yes' }
    })
  } finally {
    rmSync(cage, { recursive: true, force: true })
  }
}

const FOLDERS = ['/bin', '/sbin', '/usr/bin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin']

/** All of the machine to read, with no program of its own but those that are named. */
function placesIn(cage: string): readonly string[] {
  const tools = TOOLS.flatMap(name => ['--ro-bind', whereIs(name), `/tmp/cage/tools/${name}`])
  const folders = FOLDERS.filter(folder => existsSync(folder) && !lstatSync(folder).isSymbolicLink())
  const machine = '--unshare-all --die-with-parent --new-session --ro-bind / / --tmpfs /tmp --dev /dev --proc /proc'
  const hidden = folders.flatMap(folder => ['--tmpfs', folder])
  return [
    ...machine.split(' '),
    '--bind',
    cage,
    '/tmp/cage',
    ...tools,
    ...hidden,
    '--bind',
    join(cage, 'bin'),
    '/usr/bin',
  ]
}

const whereIs = (name: string): string => {
  const found = ['/usr/bin', '/bin'].map(folder => join(folder, name)).find(path => existsSync(path))
  if (found === undefined) throw new Error(`There is no ${name} on this machine`)
  return found
}
