import { nameToBytes } from '../../machine/workspace/name.ts'
import { sanitize } from '../../kernel/sanitize.ts'
import { painter, type Terminal } from './terminal.ts'

/**
 * Prints a line that begins with a file's path. On a terminal, control characters are removed; elsewhere the path is
 * byte for byte that of the file, as ripgrep writes it, so that programs can use it.
 */
export function printPath(terminal: Terminal, path: string, rest = ''): void {
  const { stdout } = terminal
  if (stdout.isTTY) return void stdout.write(`${painter(terminal)('bold', sanitize(path))}${rest}\n`)
  const odd = path.isWellFormed() ? undefined : nameToBytes(path)
  stdout.write(odd ? Buffer.concat([odd, Buffer.from(`${rest}\n`)]) : `${path}${rest}\n`)
}
