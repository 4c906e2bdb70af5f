import type { LanguageModelV4 } from '@ai-sdk/provider'
import { ToolError } from '../../kernel/error.ts'

/** Where a model is reached, and with which key. */
interface ModelAddress {
  /** `PROVIDER/NAME`. */
  readonly model: string
  readonly baseUrl?: string | undefined
  /** The variable that holds the key. */
  readonly apiKeyEnv?: string | undefined
}

interface Provider {
  /** Variables that hold a key, the first that is set counts. */
  readonly keys: readonly string[]
  /** Whether it answers without a key. */
  readonly isLocal?: true
  readonly baseUrl?: string
  readonly open: (settings: {
    readonly apiKey: string | undefined
    readonly baseUrl: string | undefined
  }) => Promise<(name: string) => LanguageModelV4>
}

type Settings = Parameters<Provider['open']>[0]

const url = ({ baseUrl }: Settings) => baseUrl !== undefined && { baseURL: baseUrl }
const key = ({ apiKey }: Settings) => apiKey !== undefined && { apiKey }

const compatible =
  (name: string): Provider['open'] =>
  async settings => {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    if (settings.baseUrl === undefined)
      throw new ToolError('invalid_input', `The provider '${name}' has no address of its own`, {
        hint: 'Give --base-url, such as http://127.0.0.1:8080/v1',
      })
    return createOpenAICompatible({ name, baseURL: settings.baseUrl, includeUsage: true, ...key(settings) })
  }

const local = (name: string, baseUrl: string): Provider => ({
  keys: [],
  isLocal: true,
  baseUrl,
  open: compatible(name),
})

const PROVIDERS: Readonly<Record<string, Provider>> = {
  openai: {
    keys: ['OPENAI_API_KEY'],
    open: async settings => {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return createOpenAI({ ...url(settings), ...key(settings) })
    },
  },
  anthropic: {
    keys: ['ANTHROPIC_API_KEY'],
    open: async settings => {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic({ ...url(settings), ...key(settings) })
    },
  },
  google: {
    keys: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
    open: async settings => {
      const { createGoogle } = await import('@ai-sdk/google')
      return createGoogle({ ...url(settings), ...key(settings) })
    },
  },
  'openai-compatible': { keys: [], isLocal: true, open: compatible('openai-compatible') },
  ollama: local('ollama', 'http://127.0.0.1:11434/v1'),
  lmstudio: local('lmstudio', 'http://127.0.0.1:1234/v1'),
  vllm: local('vllm', 'http://127.0.0.1:8000/v1'),
}

/** The names that `PROVIDER/NAME` may begin with. */
const PROVIDER_NAMES: readonly string[] = Object.keys(PROVIDERS)

/** Opens the model of this address. Loads its provider; reaches no network. */
export async function openModel(
  { model, baseUrl, apiKeyEnv }: ModelAddress,
  env: Readonly<Record<string, string | undefined>>,
): Promise<LanguageModelV4> {
  const [, name = '', id = ''] = /^([^/]+)\/(.+)$/.exec(model) ?? []
  const provider = Object.hasOwn(PROVIDERS, name) ? PROVIDERS[name] : undefined
  if (!provider)
    throw new ToolError('invalid_input', `'${model}' names no model: a model is PROVIDER/NAME`, {
      hint: `Providers: ${PROVIDER_NAMES.join(', ')}. openai-compatible takes any address with --base-url`,
    })
  const apiKey = keyOf(name, provider, { baseUrl, apiKeyEnv }, env)
  return (await provider.open({ apiKey, baseUrl: baseUrl ?? provider.baseUrl }))(id)
}

function keyOf(
  name: string,
  { keys, isLocal }: Provider,
  { baseUrl, apiKeyEnv }: Omit<ModelAddress, 'model'>,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const names = apiKeyEnv === undefined ? keys : [apiKeyEnv]
  const value = names.map(each => env[each]).find(Boolean)
  if (value) return value
  if (apiKeyEnv !== undefined)
    throw new ToolError('invalid_input', `The variable ${apiKeyEnv}, which holds the key of '${name}', is not set`, {
      hint: `Set ${apiKeyEnv}, or leave out --api-key-env`,
    })
  // The providers would read a variable of this process themselves.
  if (isLocal || baseUrl !== undefined) return isLocal ? undefined : 'none'
  throw new ToolError('invalid_input', `The provider '${name}' needs a key`, {
    hint: `Set ${keys[0]}, or name another variable with --api-key-env`,
  })
}
