import { systemNetwork, type Network } from '../../../machine/web/network.ts'
import type { Egress } from '../../../kernel/egress.ts'
import { memoryError } from '../failure.ts'
import type { Embedder } from '../types.ts'
import { modelEmbedder } from './model-embedder.ts'
import { modelIn, ownModel } from './model-files.ts'

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

/** Opens the configured embedder. Loads no model: that happens with the first text. */
export async function openEmbedder(choice: EmbedderChoice | undefined, parts: EmbedderParts): Promise<Embedder> {
  if (choice === undefined) return modelEmbedder(ownModel())
  if ('onnx' in choice) return modelEmbedder(modelIn(choice.onnx))
  const { network, egress, reveal } = parts
  if (network === 'none')
    throw memoryError(
      'embedding_failed',
      'The configured embedder is elsewhere, and there is no network here',
      'Deterministic mode reaches no host; configure a model on this machine, or search by words',
    )
  const { remoteEmbedder } = await import('./remote-embedder.ts')
  const web = { network: network === 'system' ? systemNetwork : network, egress }
  if ('ollama' in choice) return remoteEmbedder({ protocol: 'ollama', ...choice.ollama }, web)
  const { key, ...openai } = choice.openai
  return remoteEmbedder({ protocol: 'openai', ...openai, ...(key !== undefined && { key: () => reveal(key) }) }, web)
}
