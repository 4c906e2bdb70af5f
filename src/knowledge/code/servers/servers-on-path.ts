import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { cCommands } from './c-commands.ts'
import type { ConfiguredServer, ServerDefinition } from './definition.ts'

/** How to start a server found on PATH. */
interface Launch {
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** The directory below home that it reads, and the variable that overrides it. */
  readonly reads?: { readonly variable: string; readonly place: string }
}

const KNOWN: readonly (Omit<ServerDefinition, 'find'> & { readonly launch: Launch })[] = [
  {
    name: 'clangd',
    extensions: ['c', 'h', 'cc', 'cpp', 'cxx', 'hh', 'hpp', 'hxx'],
    launch: {
      args: '--background-index --use-dirty-headers --limit-references=0 --limit-results=0 --log=error --pch-storage=memory'.split(
        ' ',
      ),
    },
    readsOnce: true,
    pushesDiagnostics: true,
    optionsFor: cCommands,
    install: 'Install clangd, for example with: apt-get install clangd',
  },
  {
    name: 'gopls',
    extensions: ['go'],
    install: 'Install gopls with: go install golang.org/x/tools/gopls@latest',
    launch: {
      env: { GOPROXY: 'off', GOFLAGS: '-mod=readonly' },
      reads: { variable: 'GOMODCACHE', place: 'go/pkg/mod' },
    },
  },
  {
    name: 'rust-analyzer',
    extensions: ['rs'],
    install: 'Install rust-analyzer with: rustup component add rust-analyzer',
    launch: { env: { CARGO_NET_OFFLINE: 'true', CARGO_TARGET_DIR: '/tmp/target' } },
    settings: { 'rust-analyzer': { checkOnSave: false } },
  },
  {
    name: 'jdtls',
    extensions: ['java'],
    launch: { args: ['-data', '/tmp/jdtls'] },
    install: 'Install the Eclipse JDT language server, so that jdtls is on PATH',
  },
  {
    name: 'kotlin-lsp',
    extensions: ['kt', 'kts'],
    launch: { args: ['--stdio'] },
    install: "Install JetBrains' kotlin-lsp, so that it is on PATH",
  },
]

/** Servers that are used if they are installed. */
export const SERVERS_ON_PATH: readonly ServerDefinition[] = KNOWN.map(({ launch, ...known }) => ({
  ...known,
  opensQueriedFiles: true,
  find: onPath(known.name, launch),
}))

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
