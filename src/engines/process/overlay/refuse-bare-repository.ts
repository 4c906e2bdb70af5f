import { ToolError } from '../../../kernel/error.ts'
import { join, parentOf, show } from '../../workspace/path.ts'
import type { View } from '../../workspace/view.ts'
import { isGitPath } from './git-paths.ts'
import type { Made } from './made.ts'
import { bytesOf } from './stage-made.ts'

const PARTS = new Set(['HEAD', 'config', 'config.worktree', 'commondir', 'objects', 'refs'])
const MOST_BYTES = 1024 ** 2

/**
 * Throws `denied` where a command left a directory that git takes for a repository without a `.git`: its configuration
 * names programs that git runs for whoever works there next.
 */
export function refuseBareRepository(made: readonly Made[], view: View): void {
  const parts = made.filter(one => one.type !== 'absent' && PARTS.has(lastOf(one.path)) && !isGitPath(one.path))
  if (parts.length === 0) return
  const changed = new Map(made.map(one => [one.path, one]))
  for (const { path, fresh } of parts) {
    const directory = parentOf(path)
    if (isBareRepository(name => typeAfter(join(directory, name), fresh), directory)) throw refused(directory)
  }

  function isBareRepository(typeOf: (name: string) => string, directory: string): boolean {
    const has = (name: string): boolean => typeOf(name) !== 'absent'
    if (!has('HEAD') || typeOf('HEAD') === 'directory') return false
    const holds = (name: string): boolean => typeOf(name) === 'directory' || typeOf(name) === 'symlink'
    if ((holds('objects') && holds('refs')) || has('commondir')) return true
    return has('config') && configures(join(directory, 'config'))
  }

  function typeAfter(path: string, fresh: boolean): string {
    const one = changed.get(path)
    if (one !== undefined) return one.type
    return fresh ? 'absent' : view.look(path, { link: true }, ({ type }) => type)
  }

  /** Whether it has a section about the repository itself; what cannot be looked through is taken to have one. */
  function configures(path: string): boolean {
    const one = changed.get(path)
    if (one !== undefined) return one.type !== 'file' || one.size > MOST_BYTES || isConfig(bytesOf(one))
    return view.look(path, { link: true }, look => {
      if (look.type !== 'file') return look.type !== 'directory'
      if (look.seen.type === 'file') return isConfig(view.bytes(look.seen))
      const base = view.base(look)
      if (base.type !== 'file' || base.identity.size > BigInt(MOST_BYTES)) return true
      return isConfig(view.bytesOnDisk(path, base.identity))
    })
  }
}

const isConfig = (bytes: Buffer): boolean => /\[\s*core[\s\].]/i.test(bytes.toString('latin1'))

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

const refused = (directory: string): ToolError =>
  new ToolError(
    'denied',
    `The command left ${directory === '.' ? 'the workspace itself' : show(directory)} in the shape of a bare git repository, whose configuration git would follow; nothing of what it changed is kept`,
    {
      hint: 'Have it make bare repositories in /tmp, or give HEAD, config, objects and refs other names.',
      details: { path: directory },
    },
  )
