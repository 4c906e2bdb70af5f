import { execFileSync } from 'node:child_process'
import { rgPath } from '@vscode/ripgrep'

/** The files that ripgrep itself takes by these globs, whatever ignore files say. */
export function takenByRipgrep(path: string, globs: readonly string[]): ReadonlySet<string> {
  const args = ['--no-config', '--files', '--hidden', '--no-ignore', '--null', ...globs.flatMap(asWritten)]
  try {
    const told = execFileSync(rgPath, args, { cwd: path, maxBuffer: 2 ** 28, encoding: 'utf8' })
    return new Set(told.split('\0').slice(0, -1))
  } catch (error) {
    // It ends so if there are none.
    if (Object(error).status === 1) return new Set()
    throw error
  }
}

/** Our one word more: `dir/`, which names no file, takes what is below. */
function asWritten(glob: string): readonly string[] {
  if (glob.startsWith('!') || !glob.endsWith('/')) return [`--glob=${glob}`]
  const name = glob.slice(0, -1)
  return [`--glob=${glob}`, `--glob=${name.includes('/') ? name : `**/${name}`}/**`]
}
