import { basename, resolve } from 'node:path'
import { systemNetwork, type Network } from '../../../machine/web/network.ts'
import type { Egress } from '../../../kernel/egress.ts'
import { memoryError } from '../failure.ts'
import type { Embedder } from '../types.ts'
import { modelEmbedder } from './model-embedder.ts'
import { modelIn, OWN_MODEL, ownModel } from './model-files.ts'

/** Which embedder to use, as configured; default is the model that comes with the package. */
export type EmbedderChoice =
  | { readonly openai: { readonly url: string; readonly model: string; readonly key?: string | undefined } }
  | { readonly ollama: { readonly url: string; readonly model: string } }
  /** A directory with model.onnx and tokenizer.json. */
  | { readonly onnx: string }

interface EmbedderParts {
  /** `none` in deterministic mode. */
  readonly network: Network | 'system' | 'none'
  readonly egress: Egress
  /** Fills in a key that is written as `$ENV.NAME`. */
  readonly reveal: (text: string) => Promise<string>
}

/**
 * Returns the configured embedder. Opens no model before the first text: what needs no vector works with an embedder
 * that cannot be opened, and one that was mended works from then on.
 */
export async function openEmbedder(choice: EmbedderChoice | undefined, parts: EmbedderParts): Promise<Embedder> {
  if (choice === undefined) return openedLater({ name: OWN_MODEL }, () => modelEmbedder(ownModel()))
  if ('onnx' in choice) {
    const directory = resolve(choice.onnx)
    return openedLater({ name: `onnx:${basename(directory)}`, directory }, () => modelEmbedder(modelIn(directory)))
  }
  const { network, egress, reveal } = parts
  const [protocol, remote] =
    'ollama' in choice ? ['ollama' as const, choice.ollama] : ['openai' as const, choice.openai]
  if (network === 'none') return openedLater({ name: `${protocol}:${remote.model}` }, noNetwork)
  const { remoteEmbedder } = await import('./remote-embedder.ts')
  const web = { network: network === 'system' ? systemNetwork : network, egress }
  const { url, model } = remote
  const key = 'key' in remote ? remote.key : undefined
  return remoteEmbedder({ protocol, url, model, ...(key !== undefined && { key: () => reveal(key) }) }, web)
}

/** An embedder that is opened when it is used. Until that succeeds, it goes by the name that is given. */
function openedLater(given: Pick<Embedder, 'name' | 'directory'>, open: () => Embedder): Embedder {
  let innerEmbedder: Embedder | undefined
  const tryOpen = (): Embedder | undefined => {
    try {
      return (innerEmbedder ??= open())
    } catch {
      return undefined
    }
  }
  return {
    ...given,
    get name() {
      return tryOpen()?.name ?? given.name
    },
    get dimension() {
      return tryOpen()?.dimension
    },
    embed: async (...texts) => (innerEmbedder ??= open()).embed(...texts),
    load: async signal => (innerEmbedder ??= open()).load?.(signal),
    close: async () => innerEmbedder?.close(),
  }
}

function noNetwork(): never {
  throw memoryError(
    'embedding_failed',
    'The configured embedder is elsewhere, and there is no network here',
    'Deterministic mode reaches no host; configure a model on this machine, or search by words',
  )
}
