import { runAgent, type AgentOptions, type AgentResult } from '../../src/index.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import type { Toolkit } from '../../src/toolkit.ts'
import { startFakeModel, type FakeModel } from '../clients/fake-model.ts'

export type Provider = 'openai-compatible' | 'openai' | 'anthropic' | 'google'

export const PROVIDERS: readonly Provider[] = ['openai-compatible', 'openai', 'anthropic', 'google']

/** The part of an address that each provider's own begins with. */
const VERSION: Readonly<Record<Provider, string>> = {
  'openai-compatible': '/v1',
  openai: '/v1',
  anthropic: '/v1',
  google: '/v1beta',
}

export const modelAt = (url: string, provider: Provider = 'openai-compatible') => ({
  model: `${provider}/fake`,
  baseUrl: url + VERSION[provider],
})

interface RunOptions extends Omit<AgentOptions, 'model' | 'baseUrl'> {
  readonly provider?: Provider
  /** Another service than the world's. */
  readonly url?: string
}

interface AgentWorld extends AsyncDisposable {
  readonly workspace: TemporaryWorkspace
  readonly kit: Toolkit
  readonly model: FakeModel
  /** Runs a task in which writes are allowed, unless the options say otherwise. */
  run(task: string | undefined, options?: RunOptions): Promise<AgentResult>
}

/** A workspace, and a model that follows a script. */
export async function agentWorld(
  script: Parameters<typeof startFakeModel>[0],
  options: Parameters<typeof startFakeModel>[1] & { readonly files?: Readonly<Record<string, string>> } = {},
): Promise<AgentWorld> {
  const { files = { 'a.txt': 'one\n' }, ...fake } = options
  const workspace = temporaryWorkspace(files)
  const model = await startFakeModel(script, fake)
  const kit = await workspace.open()
  return {
    workspace,
    kit,
    model,
    run: (task, { provider, url = model.url, ...more } = {}) =>
      runAgent(kit, task, {
        ...modelAt(url, provider),
        session: { permissions: ['fs:write'] },
        env: {},
        ...more,
      }),
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]()
      await workspace.remove()
    },
  }
}
