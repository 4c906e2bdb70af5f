import { join } from 'node:path/posix'
import { namedFiles } from './named-files.ts'
import { parseLine } from './parse-line.ts'
import { startedCommands } from './started-commands.ts'

/** Returns whatever may name a file in a line, relative to the workspace. */
export function lineFiles(line: string, cwd = '.'): readonly string[] {
  const script = parseLine(line)
  const names = namedFiles([script], startedCommands(script).commands)
  return names.map(name => join(cwd, `./${name.replace(/^@/, '')}`))
}
