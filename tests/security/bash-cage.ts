import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What bash did with a line: the names it tried to start, and whether the directory it ran in changed. */
export interface Observed {
  readonly started: readonly string[]
  readonly changed: boolean
}

const DRIVER = `
cd /tmp/cage/lines
for file in *; do
  rm -rf /tmp/cage/ws; mkdir -p /tmp/cage/ws/src; cd /tmp/cage/ws
  echo a > a.txt; echo b > b.txt; echo c > src/c.txt; echo d > ./-rf
  : > /tmp/cage/log
  IFS= read -r -d '' line < "/tmp/cage/lines/$file"
  before=$(ls -lAR . | cksum; cat ./a.txt ./b.txt ./src/c.txt ./-rf | cksum)
  env -i PATH=/tmp/cage/bin BASH_ENV=/tmp/cage/env /usr/bin/timeout -s KILL 1 /bin/bash --norc --noprofile -c "$line" </dev/null >/dev/null 2>&1
  after=$(ls -lAR . | cksum; cat ./a.txt ./b.txt ./src/c.txt ./-rf 2>&1 | cksum)
  changed=no; [ "$before" = "$after" ] || changed=yes
  printf '%s %s %s\\n' "$file" "$changed" "$(sort -u /tmp/cage/log | tr '\\n' ' ')" >> /tmp/cage/seen
done
`

/** Has real bash run lines, one after the other, where it finds only programs that write down their name. */
export function runCaged(lines: readonly string[], programs: readonly string[]): readonly Observed[] {
  const cage = mkdtempSync(join(tmpdir(), 'toolwright-cage-'))
  try {
    for (const name of ['bin', 'lines', 'ws']) mkdirSync(join(cage, name))
    for (const name of programs) {
      writeFileSync(join(cage, 'bin', name), `#!/bin/sh\necho '${name}' >> /tmp/cage/log\n`)
      chmodSync(join(cage, 'bin', name), 0o755)
    }
    // What is on no path is started all the same, as far as we are concerned.
    writeFileSync(join(cage, 'env'), 'command_not_found_handle() { echo "${1//[[:space:]]/_}" >> /tmp/cage/log; }\n')
    for (const [at, line] of lines.entries()) writeFileSync(join(cage, 'lines', String(at).padStart(6, '0')), line)
    const args = ['--unshare-all', '--die-with-parent', '--new-session', '--ro-bind', '/', '/', '--tmpfs', '/tmp']
    const done = spawnSync(
      'bwrap',
      [...args, '--dev', '/dev', '--proc', '/proc', '--bind', cage, '/tmp/cage', '/bin/bash', '-c', DRIVER],
      { encoding: 'utf8' },
    )
    const seen = readFileSync(join(cage, 'seen'), 'utf8').trimEnd().split('\n')
    if (seen.length !== lines.length)
      throw new Error(`${seen.length} of ${lines.length} lines were run. ${done.stderr}`)
    return seen.map(line => {
      const [, changed, ...started] = line.trimEnd().split(' ')
      return { started, changed: changed === 'yes' }
    })
  } finally {
    rmSync(cage, { recursive: true, force: true })
  }
}
