import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { ToolError } from '../../../kernel/error.ts'
import { errnoOf } from '../../workspace/disk-error.ts'
import { nameToBytes } from '../../workspace/name.ts'
import { parentOf } from '../../workspace/path.ts'
import type { Root } from '../../workspace/root.ts'
import type { Staging } from '../../workspace/staging.ts'
import { createView, type View } from '../../workspace/view.ts'
import { layerPath } from './layer-path.ts'

/** Writes staged changes as an overlay layer above the workspace: new content for files, whiteouts for deletions. */
export function writeLowerLayer(root: Root, staging: Staging, layer: string): void {
  const view = createView(root, staging)
  const owner = ownerOf(root)
  const createdDirectories = new Set(['.'])
  const deletedPaths = new Set<string>()
  for (const [path, { base, state }] of staging.entries()) {
    if (hasNoDirectory(path, staging)) continue
    if (state.type === 'absent') {
      deletedPaths.add(path)
      if (base.type !== 'absent') makeDirectories(parentOf(path))
      continue
    }
    makeDirectories(state.type === 'directory' ? path : parentOf(path))
    const place = layerPath(layer, path)
    if (state.type === 'file') {
      writeFileSync(place, view.bytes(state))
      chmodSync(place, state.mode & 0o7777)
    } else if (state.type === 'symlink') symlinkSync(nameToBytes(state.target) ?? state.target, place)
    if (state.type === 'file' && owner) chownSync(place, owner.uid, owner.gid)
  }
  const hiding = [...deletedPaths].filter(
    path => staging.get(path)?.base.type !== 'absent' && createdDirectories.has(parentOf(path)),
  )
  makeWhiteouts(hiding.map(path => layerPath(layer, path)))

  /** Copies mode and owner from below, since an overlay shows a directory as its topmost layer has it. */
  function makeDirectories(path: string): void {
    if (createdDirectories.has(path)) return
    makeDirectories(parentOf(path))
    createdDirectories.add(path)
    const place = layerPath(layer, path)
    mkdirSync(place)
    const { mode, uid, gid } = directoryAt(view, root, staging, path)
    if (owner) chownSync(place, uid ?? owner.uid, gid ?? owner.gid)
    chmodSync(place, mode)
  }
}

/** Returns the owner for new files. Returns undefined if we are not root and cannot change ownership. */
export function ownerOf(root: Root): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const { uid, gid } = root.sys.fstat(root.fd)
  return { uid: Number(uid), gid: Number(gid) }
}

/** An entry is gone if its directory is gone or replaced. */
function hasNoDirectory(path: string, staging: Staging): boolean {
  for (let at = parentOf(path); at !== '.'; at = parentOf(at)) {
    const above = staging.get(at)?.state.type
    if (above !== undefined && above !== 'directory') return true
  }
  return false
}

function directoryAt(view: View, root: Root, staging: Staging, path: string) {
  const state = staging.get(path)?.state
  if (state?.type === 'directory') return { mode: state.mode }
  return view.look(path, { link: true }, ({ located: { dir, name } }) => {
    const stats = name === undefined ? root.sys.fstat(root.fd) : root.sys.lstat(dir, name)
    return stats
      ? { mode: Number(stats.mode & 0o7777n), uid: Number(stats.uid), gid: Number(stats.gid) }
      : { mode: 0o755 }
  })
}

/** A whiteout is a device numbered 0:0, which any user may create since Linux 5.8. All are hard links to one. */
function makeWhiteouts([first, ...others]: readonly Buffer[]): void {
  if (first === undefined) return
  const { status, stderr } = spawnSync('xargs', ['-0', 'sh', '-c', 'exec mknod "$0" c 0 0'], {
    input: first,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
  })
  if (status !== 0)
    throw new ToolError('unavailable', `The staged tree cannot be shown to a command: ${String(stderr).trim()}`, {
      hint: 'Commit or roll back the transaction first',
    })
  for (const [at, place] of others.entries())
    try {
      linkSync(first, place)
    } catch (error) {
      // A file system limits the number of hard links.
      if (errnoOf(error) !== 'EMLINK') throw error
      return makeWhiteouts(others.slice(at))
    }
}
