import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, vi } from 'vitest'
import { snapshotOf, type Snapshot } from '../../src/testing/index.ts'

/** A project as a program of the library finds it: a plain directory, with the user's state and configuration elsewhere. */
export interface Project {
  readonly cwd: string
  write(path: string, content: string): void
  read(path: string): string
  snapshot(): Snapshot
  /** The user's own configuration; to be given before the first call. */
  configure(config: object): void
}

/** A fresh project for each test of a file, also as the process's own environment knows it. */
export function useProject(files: Readonly<Record<string, string>> = {}): Project {
  let base = ''
  const at = (path: string) => join(base, 'project', path)
  const project: Project = {
    get cwd() {
      return join(base, 'project')
    },
    write(path, content) {
      mkdirSync(dirname(at(path)), { recursive: true })
      writeFileSync(at(path), content)
    },
    read: path => readFileSync(at(path), 'utf8'),
    snapshot: () => snapshotOf(at('.')),
    configure(config) {
      mkdirSync(join(base, 'config'), { recursive: true })
      writeFileSync(join(base, 'config/config.json'), JSON.stringify(config))
    },
  }
  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-conformance-')))
    mkdirSync(at('.'))
    vi.stubEnv('TOOLWRIGHT_STATE', join(base, 'state'))
    vi.stubEnv('TOOLWRIGHT_CONFIG_HOME', join(base, 'config'))
    for (const [path, content] of Object.entries(files)) project.write(path, content)
  })
  afterEach(() => {
    vi.unstubAllEnvs()
    rmSync(base, { recursive: true, force: true })
  })
  return project
}
