import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cCommands } from './c-commands.ts'
import type { ConfiguredServer, Program, ServerDefinition } from './definition.ts'
import { findProgram } from './find-program.ts'

interface Known {
  readonly name: string
  readonly extensions: readonly string[]
  readonly args?: readonly string[]
  readonly install: string
  readonly env?: Readonly<Record<string, string>>
  /** What it reads below the home directory, and the variable that says where that is. */
  readonly reads?: readonly { readonly variable: string; readonly place: string }[]
  readonly settings?: Readonly<Record<string, unknown>>
  readonly readsOnce?: boolean
  readonly pushesFaults?: boolean
  readonly optionsFor?: ServerDefinition['optionsFor']
}

const KNOWN: readonly Known[] = [
  {
    name: 'clangd',
    extensions: ['c', 'h', 'cc', 'cpp', 'cxx', 'hh', 'hpp', 'hxx'],
    args: [
      '--background-index',
      '--use-dirty-headers',
      '--limit-references=0',
      '--limit-results=0',
      '--log=error',
      '--pch-storage=memory',
    ],
    readsOnce: true,
    pushesFaults: true,
    optionsFor: cCommands,
    install: 'Install clangd, for example with: apt-get install clangd',
  },
  {
    name: 'gopls',
    extensions: ['go'],
    install: 'Install gopls with: go install golang.org/x/tools/gopls@latest',
    env: { GOPROXY: 'off', GOFLAGS: '-mod=readonly' },
    reads: [{ variable: 'GOMODCACHE', place: 'go/pkg/mod' }],
  },
  {
    name: 'rust-analyzer',
    extensions: ['rs'],
    install: 'Install rust-analyzer with: rustup component add rust-analyzer',
    env: { CARGO_NET_OFFLINE: 'true', CARGO_TARGET_DIR: '/tmp/target' },
    settings: { 'rust-analyzer': { checkOnSave: false } },
  },
  {
    name: 'jdtls',
    extensions: ['java'],
    args: ['-data', '/tmp/jdtls'],
    install: 'Install the Eclipse JDT language server, so that jdtls is on PATH',
  },
  {
    name: 'kotlin-lsp',
    extensions: ['kt', 'kts'],
    args: ['--stdio'],
    install: "Install JetBrains' kotlin-lsp, so that it is on PATH",
  },
]

/** Servers that are used where they are installed. */
export const FOUND: readonly ServerDefinition[] = KNOWN.map(({ name, extensions, args = [], install, ...more }) => ({
  name,
  extensions,
  install,
  opensWhatIsAsked: true,
  ...(more.settings && { settings: more.settings }),
  ...(more.readsOnce && { readsOnce: true }),
  ...(more.pushesFaults && { pushesFaults: true }),
  ...(more.optionsFor && { optionsFor: more.optionsFor }),
  find(env) {
    const program = findProgram(name, env['PATH'] ?? '')
    if (program === undefined) return undefined
    const places = (more.reads ?? []).flatMap(({ variable, place }): [string, string][] => {
      const path = env[variable] ?? join(env['HOME'] ?? '/', place)
      return existsSync(path) ? [[variable, path]] : []
    })
    return {
      argv: [program, ...args],
      env: { ...more.env, ...Object.fromEntries(places) },
      visible: [dirname(program), ...places.map(([, path]) => path)],
    }
  },
}))

/** One that the user's configuration names. */
export const configured = ({ language, command, args, ...more }: ConfiguredServer): ServerDefinition => ({
  name: language,
  extensions: more.extensions,
  install: `Your configuration names '${command}' for ${language}: install it, or give its absolute path`,
  opensWhatIsAsked: true,
  ...(more.initializationOptions !== undefined && { initializationOptions: more.initializationOptions }),
  find(env): Program | undefined {
    const program = findProgram(command, env['PATH'] ?? '')
    return program === undefined ? undefined : { argv: [program, ...args], visible: [dirname(program)] }
  },
})
