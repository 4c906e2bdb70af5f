import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { GithubConnection } from '../../../src/contracts.ts'
import {
  fakeGithub,
  fakeSecrets,
  temporaryWorkspace,
  type FakeFiles,
  type FakeGithub,
  type FakeGithubOptions,
  type TemporaryWorkspace,
} from '../../../src/testing/index.ts'
import type { ToolkitOptions } from '../../../src/toolkit.ts'

export type Options = Omit<ToolkitOptions, 'root' | 'env' | 'contract'>

export const TOKEN = 'ghp_CanaryCanaryCanaryCanary0123456789'
export const CONNECTION: GithubConnection = { repository: 'acme/shop', token: TOKEN }

/** A workspace and a fake GitHub for a file of tests, and the tools of the contract called with a connection to it. */
export function useProduct(files: FakeFiles, more: FakeGithubOptions = {}) {
  let workspace: TemporaryWorkspace
  let github: FakeGithub
  beforeAll(async () => {
    workspace = temporaryWorkspace()
    github = await fakeGithub({ files, token: TOKEN, ...more })
  })
  afterAll(async () => {
    await workspace.remove()
    await github[Symbol.asyncDispose]()
  })
  return {
    get workspace() {
      return workspace
    },
    get github() {
      return github
    },
    /** A workspace with this user's configuration, and calls in it; `SHOP_TOKEN` is in the vault. */
    async configured(user: object, { project, ...options }: Options & { readonly project?: object } = {}) {
      const other = temporaryWorkspace(project ? { 'toolwright.json': JSON.stringify(project) } : {})
      mkdirSync(join(other.base, 'config'), { recursive: true })
      writeFileSync(join(other.base, 'config/config.json'), JSON.stringify(user))
      const kit = await other.open({
        network: github.network,
        secrets: fakeSecrets({ SHOP_TOKEN: TOKEN }),
        ...options,
        contract: 'autonomous',
      })
      return {
        kit,
        call: async (tool: string, input: object) => outputOf(await kit.call(tool, input)),
        [Symbol.asyncDispose]: () => other.remove(),
      }
    },
    open: (options: Options = {}) =>
      workspace.open({
        permissions: ['net:api.github.com'],
        network: github.network,
        github: CONNECTION,
        ...options,
        contract: 'autonomous',
      }),
    /** The whole ToolResult of a call. */
    async result(tool: string, input: unknown, options: Options = {}): Promise<unknown> {
      const kit = await this.open(options)
      return kit.call(tool, input)
    },
    /** What the tool itself gives, as its section prints it. */
    async call(tool: string, input: unknown, options: Options = {}): Promise<unknown> {
      return outputOf(await this.result(tool, input, options))
    },
  }
}

/** The document's only sentence for a missing connection. */
export const NO_CONNECTION = { error: 'No active GitHub connection found' }

/** What the tool gave, in a ToolResult. */
export const outputOf = (result: unknown): unknown => Object(result).output
