import { globSync, lstatSync } from 'node:fs'
import { join } from 'node:path'

/** The bytes of all files of a directory. */
export const sizeOf = (directory: string, exclude: readonly string[] = []): number =>
  globSync('**/*', { cwd: directory, exclude })
    .map(name => lstatSync(join(directory, name)))
    .reduce((sum, stats) => sum + (stats.isFile() ? stats.size : 0), 0)
