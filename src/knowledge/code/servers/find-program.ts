import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/** Where a program is: an absolute path as it is, a name as PATH says; undefined where it is not. */
export function findProgram(command: string, path: string): string | undefined {
  if (isAbsolute(command)) return isProgram(command) ? command : undefined
  if (command.includes('/')) return undefined
  return path
    .split(delimiter)
    .filter(isAbsolute)
    .map(folder => join(folder, command))
    .find(isProgram)
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
