import { diskError, errnoOf } from './disk-error.ts'
import { onDisk } from './name.ts'
import type { Root } from './root.ts'
import type { Name } from './sys.ts'
import { ToolError } from '../../kernel/error.ts'

/** Appends a line to a file of the workspace. Creates the file and its directories if missing. Follows no link. */
export function appendLine({ fd, sys }: Root, path: string, line: string): void {
  const names = path.split('/')
  const last = names.pop() ?? ''
  const descriptors: number[] = []
  try {
    let dir = fd
    for (const name of names) {
      dir = enter(sys, dir, onDisk(name))
      descriptors.push(dir)
    }
    const file = sys.appendFile(dir, onDisk(last), 0o644)
    descriptors.push(file)
    const stats = sys.fstat(file)
    // A second hard link could be an unrelated file.
    if (!stats.isFile() || stats.nlink !== 1n) throw new ToolError('not_a_file', `'${path}' is not a plain file`)
    const bytes = Buffer.from(`${endsLine(sys, dir, last, stats.size) ? '' : '\n'}${line}\n`)
    for (let writtenBytes = 0; writtenBytes < bytes.length;) writtenBytes += sys.write(file, bytes, writtenBytes)
  } catch (error) {
    throw diskError(error, path)
  } finally {
    for (const open of descriptors) sys.close(open)
  }
}

/** Opens a directory and makes it first if it is missing, which only the first line finds. */
function enter(sys: Root['sys'], dir: number, name: Name): number {
  try {
    return sys.openDirectory(dir, name)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
  }
  sys.mkdir(dir, name, 0o755)
  return sys.openDirectory(dir, name)
}

/** Reports whether the file ends with a newline; an edit or an interrupted write may have left none. */
function endsLine(sys: Root['sys'], dir: number, name: string, size: bigint): boolean {
  if (size === 0n) return true
  const file = sys.openFile(dir, onDisk(name))
  try {
    const last = Buffer.alloc(1)
    return sys.read(file, last, 0, 1, Number(size) - 1) === 0 || last[0] === NEWLINE
  } finally {
    sys.close(file)
  }
}

const NEWLINE = 10
