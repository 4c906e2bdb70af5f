import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { LANGUAGES } from '../../../languages/registry.ts'
import type { ConfiguredServer, Launch, ServerDefinition, ServerOnPath } from '../../../languages/server-definition.ts'

/** The servers of the languages: those installed with us first, then those that are used if they are on PATH. */
export const LANGUAGE_SERVERS: readonly ServerDefinition[] = LANGUAGES.flatMap(({ server }) => server ?? [])
  .map(server => ('launch' in server ? foundOnPath(server) : server))
  .toSorted((one, other) => Number(other.isInstalled ?? false) - Number(one.isInstalled ?? false))

function foundOnPath({ launch, ...server }: ServerOnPath): ServerDefinition {
  return { ...server, opensQueriedFiles: true, find: onPath(server.name, launch) }
}

/** A server from the user's configuration. */
export const configuredDefinition = ({ language, command, args, ...more }: ConfiguredServer): ServerDefinition => ({
  ...more,
  name: language,
  install: `Your configuration names '${command}' for ${language}: install it, or give its absolute path`,
  opensQueriedFiles: true,
  find: onPath(command, { args }),
})

function onPath(command: string, { args = [], env: own, reads }: Launch): ServerDefinition['find'] {
  return env => {
    const program = findProgram(command, env['PATH'] ?? '')
    if (program === undefined) return undefined
    const place = reads && (env[reads.variable] ?? join(env['HOME'] ?? '/', reads.place))
    const read = reads && place !== undefined && existsSync(place) ? { [reads.variable]: place } : {}
    return { argv: [program, ...args], env: { ...own, ...read }, visible: [dirname(program), ...Object.values(read)] }
  }
}

/** Finds a program: an absolute path as it is, a name on PATH; undefined if it is missing. */
function findProgram(command: string, path: string): string | undefined {
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
