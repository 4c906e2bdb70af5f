import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errnoOf } from './disk-error.ts'
import { holdDirectory, linuxSys, type Sys } from './sys.ts'

/** Tests the system behaviour that safe paths depend on. Returns undefined if it holds, otherwise the failure. */
export function probePaths(root: string, sys: Sys = linuxSys): string | undefined {
  try {
    return wrongWith(root, sys)
  } catch (error) {
    return `held descriptors do not work here (${error instanceof Error ? error.message : String(error)}); they need Linux with /proc`
  }
}

function wrongWith(root: string, sys: Sys): string | undefined {
  const rootHandle = holdDirectory(root)
  const base = mkdtempSync(join(tmpdir(), 'toolwright-probe-'))
  try {
    if (sys.whereIs(rootHandle) !== realpathSync.native(root)) return `${root} cannot be found again by its descriptor`
    return whenSwapped(base, sys)
  } finally {
    sys.close(rootHandle)
    rmSync(base, { recursive: true, force: true })
  }
}

/** Swaps a held directory for a link: the held one must stay the directory, and the link must not be followed. */
function whenSwapped(base: string, sys: Sys): string | undefined {
  for (const name of ['inside', 'outside']) {
    mkdirSync(join(base, name))
    writeFileSync(join(base, name, 'which'), name)
  }
  const [parent, inside] = [holdDirectory(base), holdDirectory(join(base, 'inside'))]
  try {
    renameSync(join(base, 'inside'), join(base, 'moved'))
    symlinkSync('outside', join(base, 'inside'))
    if (textOf(inside, sys) !== 'inside') return 'a held directory is left when a link takes its place'
    sys.close(sys.openDirectory(parent, 'inside'))
    return 'a link is followed that must not be'
  } catch (error) {
    if (errnoOf(error) === 'ENOTDIR' || errnoOf(error) === 'ELOOP') return undefined
    throw error
  } finally {
    sys.close(parent)
    sys.close(inside)
  }
}

function textOf(dir: number, sys: Sys): string {
  const fd = sys.openFile(dir, 'which')
  try {
    const buffer = Buffer.alloc(16)
    return buffer.toString('utf8', 0, sys.read(fd, buffer, 0, buffer.length, 0))
  } finally {
    sys.close(fd)
  }
}
