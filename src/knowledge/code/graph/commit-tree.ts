import { languageOf } from '../../../languages/registry.ts'
import { ToolError } from '../../../kernel/error.ts'
import { isSettings } from '../../../languages/javascript/modules/module-settings.ts'
import { findRepository } from '../../../machine/process/overlay/find-repository.ts'
import { hardenedGit, namesIn } from '../../../machine/process/overlay/hardened-git.ts'
import type { Environment } from '../../../machine/state/directory.ts'
import type { BlobFile } from './host/messages.ts'

/** The full hash of a commit, from any name that git accepts. */
export function commitNamed(root: string, commit: string, env: Environment): string {
  if (!findRepository(root))
    throw new ToolError('not_found', 'The workspace is in no git repository', {
      hint: 'Leave `commit` out to ask about the workspace as it is.',
    })
  if (commit.includes('\0')) throw new ToolError('invalid_input', '`commit` has a NUL character')
  // Everything after `:/` is text.
  const revision = commit.startsWith(':/') ? resolveCommit(commit) : commit
  const name = revision === undefined ? undefined : resolveCommit(`${revision}^{commit}`)
  if (name !== undefined) return name
  throw new ToolError('not_found', `Git knows no commit '${commit}' here`, {
    hint: 'Name a hash, a branch, a tag, or something like HEAD~3.',
  })

  function resolveCommit(said: string): string | undefined {
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', said]
    const { status, stdout } = hardenedGit(root, args, undefined, env, { timeoutMs: 10_000 })
    const commitHash = stdout.toString().trim()
    return status === 0 && /^[0-9a-f]{40,64}$/.test(commitHash) ? commitHash : undefined
  }
}

/** The source files of a commit below the workspace, from git's objects alone. */
export function filesAt(root: string, commit: string, env: Environment): readonly BlobFile[] {
  const { status, stdout } = hardenedGit(root, ['ls-tree', '-r', '-z', commit], undefined, env)
  if (status !== 0) throw new ToolError('io', `Git could not list the files of ${commit}`)
  return namesIn(stdout).flatMap(line => {
    // Links and submodules are no source code.
    const [, blob, path] = /^100\d{3} blob ([0-9a-f]+)\t([^]*)$/.exec(line) ?? []
    return blob !== undefined && path !== undefined && isCode(path) ? [{ path, blob }] : []
  })
}

export const isCode = (path: string): boolean =>
  (languageOf(path) !== undefined || isSettings(path)) && !/(^|\/)node_modules\//.test(path)
