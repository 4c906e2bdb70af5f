import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { openToolkit, type Toolkit, type ToolkitOptions } from '../../src/toolkit.ts'
import { fastDirectory } from '../memory-directory.ts'

/** A fresh `{BASE}` with the workspace `{BASE}/ws` in it; configuration, state and home lie elsewhere. */
export interface World extends AsyncDisposable {
  readonly base: string
  readonly root: string
  readonly home: string
  readonly env: Readonly<Record<string, string>>
  /** Writes the user's own configuration. */
  configure(text: string): void
  open(options?: Omit<ToolkitOptions, 'root' | 'env'>): Promise<Toolkit>
  /** The journal as it lies on disk. */
  journal(): string
  /** Everything that is kept of the workspace outside of it, as text, but for the files that undo and staging keep as they are. */
  state(): string
}

export const makeBase = (): string => realpathSync(mkdtempSync(join(fastDirectory, 'toolwright-attack-')))

/** `shared`: a `{BASE}` that was built already, and outlives this world. */
export function makeWorld(more: Readonly<Record<string, string>> = {}, shared?: string): World {
  const base = shared ?? makeBase()
  const elsewhere = realpathSync(mkdtempSync(join(fastDirectory, 'toolwright-attack-state-')))
  const root = join(base, 'ws')
  const home = join(elsewhere, 'home')
  for (const directory of [root, home]) mkdirSync(directory, { recursive: true })
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    NO_COLOR: '1',
    TOOLWRIGHT_STATE: join(elsewhere, 'state'),
    TOOLWRIGHT_CONFIG_HOME: join(elsewhere, 'config'),
    ...more,
  }
  const kits: Toolkit[] = []
  return {
    base,
    root,
    home,
    env,
    configure(text) {
      mkdirSync(env.TOOLWRIGHT_CONFIG_HOME, { recursive: true })
      writeFileSync(join(env.TOOLWRIGHT_CONFIG_HOME, 'config.json'), text)
    },
    async open(options = {}) {
      const kit = await openToolkit({ ...options, root, env })
      kits.push(kit)
      return kit
    },
    journal: () =>
      kits
        .slice(0, 1)
        .map(kit => textBelow(kit.state.journal))
        .join(''),
    state: () => textBelow(join(elsewhere, 'state'), /\/(commits|transactions)(\/|$)/),
    async [Symbol.asyncDispose]() {
      for (const kit of kits) await kit.close()
      rmSync(elsewhere, { recursive: true, force: true })
      if (shared === undefined) rmSync(base, { recursive: true, force: true })
    },
  }
}

/** The names and contents of all files below a directory. */
export function textBelow(directory: string, except?: RegExp): string {
  if (!existsSync(directory)) return ''
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && !except?.test(entry.parentPath))
    .map(entry => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('')
}
