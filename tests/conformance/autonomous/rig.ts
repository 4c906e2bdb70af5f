import { afterAll, beforeAll } from 'vitest'
import type { GithubConnection } from '../../../src/contracts.ts'
import {
  fakeGithub,
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
    open: (options: Options = {}) =>
      workspace.open({
        permissions: ['net:api.github.com'],
        network: github.network,
        github: CONNECTION,
        ...options,
        contract: 'autonomous',
      }),
    async call(tool: string, input: unknown, options: Options = {}): Promise<unknown> {
      const kit = await this.open(options)
      return kit.call(tool, input)
    },
  }
}

/** The one sentence of the document for whoever has no connection. */
export const NO_CONNECTION = { error: 'No active GitHub connection found' }
