import { ToolError } from '../../../kernel/error.ts'
import type { Embedder, StoreCheck } from '../types.ts'
import type { ChromaApi, ChromaPlace } from './chroma-api.ts'

interface DoctorParts {
  readonly api: ChromaApi
  readonly place: ChromaPlace
  readonly embedder: Embedder
  readonly count: (id: string, signal: AbortSignal) => Promise<number>
}

/** Checks the server, the collection and the embedder, each as far as the one before it lets it. */
export async function chromaDoctor(parts: DoctorParts, signal: AbortSignal): Promise<readonly StoreCheck[]> {
  const { api, place, embedder, count } = parts
  const found = await tried('collection', async () => {
    const collection = await api.collection(signal)
    const fixes = await count(collection.id, signal)
    return { collection, message: `'${place.collection}' at ${place.url} holds ${fixes} fixes` }
  })
  const made = await tried('embedder', async () => {
    const [vector] = await embedder.embed(['A text to try the embedder with'], signal)
    return { length: vector?.length ?? 0, message: `${embedder.name} gives vectors of ${vector?.length ?? 0} numbers` }
  })
  const wanted = found.value?.collection.dimension
  const length = made.value?.length
  const isSame = wanted === undefined || length === undefined || wanted === length
  return [
    found.check,
    made.check,
    ...(isSame
      ? []
      : [
          {
            name: 'vectors',
            ok: false,
            message: `the collection holds vectors of ${wanted} numbers, and the embedder gives ${length}`,
            hint: 'Configure the embedder that made the collection, or import the fixes into a new one',
          },
        ]),
  ]
}

async function tried<T extends { readonly message: string }>(
  name: string,
  work: () => Promise<T>,
): Promise<{ readonly check: StoreCheck; readonly value?: T }> {
  try {
    const value = await work()
    return { check: { name, ok: true, message: value.message }, value }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    const { message, hint } = error
    return { check: { name, ok: false, message, ...(hint !== undefined && { hint }) } }
  }
}
