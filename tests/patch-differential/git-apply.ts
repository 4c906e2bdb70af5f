import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gitEnvironment } from './git-diffs.ts'

export interface GitRun {
  /** A directory with the tree in `w` and the patch in `patch`. */
  readonly name: string
  readonly flags: readonly string[]
}

/** Runs `git apply` for real on many trees from one shell, and says for each whether it applied, and what it said. */
export function gitApply(
  directory: string,
  runs: readonly GitRun[],
): { readonly ok: boolean; readonly said: string }[] {
  writeFileSync(join(directory, 'runs'), runs.map(({ name, flags }) => [name, ...flags].join(' ')).join('\n') + '\n')
  const script = `
    apply() { while read -r name flags; do (cd "$name/w" && git apply $flags ../patch >../said 2>&1; echo $? >../exit); done; }
    awk 'NR % 2' runs | apply & awk '(NR + 1) % 2' runs | apply & wait`
  execFileSync('bash', ['-c', script], { cwd: directory, env: gitEnvironment(directory), stdio: 'ignore' })
  return runs.map(({ name }) => ({
    ok: readFileSync(join(directory, name, 'exit'), 'utf8').trim() === '0',
    said: readFileSync(join(directory, name, 'said'), 'latin1'),
  }))
}
